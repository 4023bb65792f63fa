"""Texts of patterns for agents."""

from collections import defaultdict
from collections.abc import Iterable

from graph.core.text.prompts import as_data
from graph.telemetry.models import AgentPattern

_NO_CODE = "no error code"


def pattern_line(pattern: AgentPattern) -> str:
    """Return the failure in one line, ``deploy on Service → E_QUOTA (6 sequences, 66%)``, and the note if there is one.

    The share is rounded down, so that it never claims more than was seen.
    """
    percent = pattern.sequences * 100 // pattern.attempts if pattern.attempts else 0
    count = "1 sequence" if pattern.sequences == 1 else f"{pattern.sequences} sequences"
    about = f"{as_data(pattern.action_type)} on {as_data(pattern.node_type)}"
    line = f"{about} → {as_data(pattern.error_code or _NO_CODE)} ({count}, {percent}%)"
    return f"{line}: {as_data(pattern.note)}" if pattern.note else line


def pattern_block(patterns: Iterable[AgentPattern]) -> str:
    """Return the block of a prompt that warns of patterns, by node type in the order given; empty for none."""
    lines: dict[str, list[str]] = defaultdict(list)
    for pattern in patterns:
        lines[as_data(pattern.node_type)].append(f"- {pattern_line(pattern)}")
    return "\n".join(
        "\n".join([f"Known failure patterns for {node_type}:", *warnings])
        for node_type, warnings in lines.items()
    )
