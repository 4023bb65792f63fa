"""Shows recalled memories with their reasons, for `recollect recall` and `recollect demo`."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from app.client.generated import HitFields, RecallRecall

_OF_HIT = "relevance score vector_score vector_rank text_score text_rank tier tokens why validity".split()
_OF_MEMORY = "id key content speaker timestamp t_valid t_invalid tags".split()
_OF_RESOLUTION = (
    "strategy tier embedder fallback exact calibration threshold merged degraded stages_ms".split()
)
RECALL_SHOWN = {
    "hits": {"__all__": {"memory": set(_OF_MEMORY), **dict.fromkeys(_OF_HIT, True)}},
    "resolution": set(_OF_RESOLUTION),
    "total_tokens": True,
}
"""Fields of a recall in JSON output."""
_CONTENT_SHOWN = 600
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def printable(text: str) -> str:
    """Return a stored text without characters that move the cursor or set colours in a terminal."""
    return _CONTROL.sub("\ufffd", text)


def show_recall(
    console: Console,
    result: "RecallRecall",
    *,
    explain: bool = False,
    expected: frozenset[str] = frozenset(),
) -> None:
    """Print the hits of one recall with their reasons.

    Args:
        console: Output.
        result: Result of the recall.
        explain: Show all scores and the time of each stage.
        expected: Keys of expected memories, which are marked.
    """
    if not result.hits:
        console.print("[dim]nothing recalled[/]")
    else:
        is_weak = [_is_weak(hit, result.resolution.threshold) for hit in result.hits]
        if all(is_weak):
            console.print("[yellow]nothing relevant[/]; the best weak matches:")
        console.print(_table(result.hits, is_weak, explain=explain, expected=expected))
    console.print(_resolution(result, explain=explain))


def _is_weak(hit: "HitFields", threshold: float | None) -> bool:
    return threshold is not None and hit.relevance is not None and hit.relevance < threshold


def _table(
    hits: "Sequence[HitFields]", is_weak: Sequence[bool], *, explain: bool, expected: frozenset[str]
) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style="dim")
    table.add_column("#", justify="right")
    table.add_column("relevance", justify="right")
    table.add_column("memory", ratio=3, overflow="fold")
    if explain:
        table.add_column("score", justify="right")
    table.add_column("why", ratio=2, overflow="fold", style="cyan")
    for rank, (hit, is_faded) in enumerate(zip(hits, is_weak, strict=True), start=1):
        found = hit.memory.key in expected
        place = Text(f"✓ {rank}" if found else str(rank), style="bold green" if found else "")
        relevance = "" if hit.relevance is None else f"{hit.relevance:.2f}"
        scores = [_scores(hit)] if explain else []
        why = printable(", ".join(hit.why))
        table.add_row(place, relevance, _memory(hit), *scores, Text(why), style="dim" if is_faded else "")
    return table


def _memory(hit: "HitFields") -> RenderableType:
    memory = hit.memory
    content = printable(hit.prompt_text)
    shown = content if len(content) <= _CONTENT_SHOWN else content[: _CONTENT_SHOWN - 1] + "…"
    origin = (memory.speaker, str(memory.timestamp)[:10], memory.key or memory.id)
    about = [*(part for part in origin if part), *_history(hit, is_cut=shown != content)]
    return Group(Text(shown), Text(" · ".join(about), style="dim"))


def _history(hit: "HitFields", *, is_cut: bool) -> list[str]:
    """Return a note if a memory is no longer current, with the time of its end if its text was cut before it."""
    if hit.validity.value != "HISTORY":
        return []
    ended = hit.memory.t_invalid if is_cut else None
    return [f"history until {str(ended)[:10]}" if ended else "history"]


def _scores(hit: "HitFields") -> str:
    legs = {"score": hit.score, "vector": hit.vector_score, "text": hit.text_score}
    lines = [f"{name} {value:.3f}" for name, value in legs.items() if value is not None]
    return "\n".join([*lines, f"tier {hit.tier.value}", f"tokens {hit.tokens}"])


def _resolution(result: "RecallRecall", *, explain: bool) -> Text:
    resolution = result.resolution
    stages: Mapping[str, float] = resolution.stages_ms or {}
    parts = [
        f"strategy {resolution.strategy.value}",
        f"tier {resolution.tier.value}",
        f"embedder {resolution.embedder or 'none'}",
        "exact" if resolution.exact else "index",
        f"{result.total_tokens} tokens",
        *([f"{resolution.merged} merged"] if resolution.merged else []),
    ]
    if explain:
        if resolution.calibration:
            parts.append(f"relevance by {resolution.calibration}")
        parts += [f"{stage} {milliseconds:.1f} ms" for stage, milliseconds in stages.items()]
    text = Text(" · ".join(parts), style="dim")
    if resolution.fallback:
        text.append(f"\nfallback: {resolution.fallback}", style="yellow")
    for reason in resolution.degraded:
        text.append(f"\ndegraded: {reason}", style="yellow")
    return text
