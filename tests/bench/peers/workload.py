"""Workload of every store: chats with their questions, and a small group among similar large ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.beam import load_beam
from tests.bench.locomo import load_locomo
from tests.bench.peers.processes.answering import Row
from tests.bench.script import Ask, Save, Script
from tests.fixtures.local_models import load

SETS = {"locomo": (load_locomo, "locomo-dev.json"), "beam": (load_beam, "beam-dev")}
SMALL = "small"
_SMALL_ROWS = 20
_CROWD = 20  # number of large groups
_CROWD_ROWS = 100
CROWD_QUERY = "When does the garden club meet?"


@dataclass(frozen=True)
class Group:
    """Rows that a store isolates from other groups, and questions about them.

    Attributes:
        script: The chat, for a store that saves more of a turn than its text.
    """

    name: str
    set_name: str
    rows: Sequence[Row]
    asks: Sequence[Ask]
    script: Script


@dataclass(frozen=True)
class Workload:
    """All rows and questions, with the vector of each text.

    Attributes:
        crowd: Rows by group, which differ in a number only; ``SMALL`` is the smallest group.
        singles: Rows to save one by one.
    """

    groups: Sequence[Group]
    crowd: Mapping[str, Sequence[Row]]
    singles: Sequence[Row]
    vectors: Mapping[str, Sequence[float]]

    @property
    def dimension(self) -> int:
        """Dimension of the vectors."""
        return len(next(iter(self.vectors.values())))

    def questions(self, set_name: str) -> int:
        """Return the number of questions in a set."""
        return sum(len(group.asks) for group in self.groups if group.set_name == set_name)


async def workload(data: Path, *, limit: int | None, singles: int) -> Workload:
    """Read the sets of a folder and embed their texts with the default model.

    Args:
        data: Folder with the layout in the README of the data.
        limit: Maximum number of questions per set.
        singles: Number of texts to save one by one.
    """
    groups = [
        _group(set_name, number, script)
        for set_name, (read, place) in SETS.items()
        for number, script in enumerate(read(data / place).first(limit).scripts)
    ]
    crowd = {SMALL: _alike(SMALL, _SMALL_ROWS)}
    crowd |= {f"crowd-{number}": _alike(f"crowd-{number}", _CROWD_ROWS) for number in range(_CROWD)}
    one_by_one = [Row(str(number), f"Shelf {number} of the library holds maps") for number in range(singles)]
    texts = [row.text for group in groups for row in group.rows]
    texts += [row.text for rows in (*crowd.values(), one_by_one) for row in rows]
    queries = [ask.query for group in groups for ask in group.asks] + [CROWD_QUERY]
    model = load()
    passages = await model.embed(texts)
    asked = await model.embed(queries, as_query=True)
    vectors = dict(zip(texts, passages.tolist(), strict=True)) | dict(
        zip(queries, asked.tolist(), strict=True)
    )
    return Workload(groups, crowd, one_by_one, vectors)


def _group(set_name: str, number: int, script: Script) -> Group:
    rows = [
        Row(label, f"{draft.speaker}: {draft.content}")
        for step in script.steps
        if isinstance(step, Save)
        for draft, label in zip(step.drafts, step.labels, strict=True)
    ]
    asks = [step for step in script.steps if isinstance(step, Ask)]
    return Group(f"{set_name}-{number}", set_name, rows, asks, script)


def _alike(group: str, count: int) -> list[Row]:
    return [Row(f"{group}-{number}", f"The garden club meets in room {number}") for number in range(count)]
