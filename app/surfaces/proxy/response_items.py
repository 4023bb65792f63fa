"""Items of OpenAI's responses: their content, and which of them the caller sees."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.surfaces.proxy.dialects import Json, Round, arguments_in, joined, text_of
from app.surfaces.proxy.tools import ToolCall

REASONING = "reasoning"
# What a response leaves to whoever asked for it.
_CALLERS = frozenset(
    (
        "function_call custom_tool_call computer_call local_shell_call shell_call apply_patch_call "
        "mcp_approval_request"
    ).split()
)


def is_ours(item: Mapping[str, Any], names: frozenset[str]) -> bool:
    """Tell whether an item is a call of a tool that the proxy executes."""
    name = item.get("name")
    return item.get("type") == "function_call" and isinstance(name, str) and name in names


def shown_items(items: Sequence[Json], names: frozenset[str]) -> list[Json]:
    """Return items without the proxy's calls, and without the reasoning that led to nothing else."""
    shown: list[Json] = []
    held: list[Json] = []
    led_to_ours = False
    for item in items:
        if is_ours(item, names):
            led_to_ours = True
            continue
        if kind_of(item) != REASONING:
            shown += [*held, item]
            held = []
        elif led_to_ours:
            held = [item]
        else:
            held.append(item)
        led_to_ours = False
    return shown if led_to_ours else [*shown, *held]


def kind_of(said: Mapping[str, Any]) -> str:
    """Return the type of an event or an item; empty where it has none."""
    kind = said.get("type")
    return kind if isinstance(kind, str) else ""


def round_of(output: Sequence[Json], names: frozenset[str]) -> Round:
    """Return what the items of a response say."""
    return Round(
        thought=joined(
            text_of(item.get(part))
            for item in output
            if kind_of(item) == REASONING
            for part in ("summary", "content")
        ),
        text="\n\n".join(
            text
            for item in output
            if item.get("type") == "message" and (text := text_of(item.get("content")))
        ),
        calls=[
            ToolCall(
                id=str(item.get("call_id", "")),
                name=item["name"],
                arguments=arguments_in(item.get("arguments")),
            )
            for item in output
            if is_ours(item, names)
        ],
        others=[
            str(item.get("call_id") or item.get("id") or "")
            for item in output
            if kind_of(item) in _CALLERS and not is_ours(item, names)
        ],
        said=list(output),
    )


def repeatable(item: Json) -> Json | None:
    """Return an item that the upstream did not store as a request may repeat it, or None where it cannot."""
    if kind_of(item) == REASONING and not item.get("encrypted_content"):
        return None
    return {name: value for name, value in item.items() if name != "id"}
