"""What is done to measure retrieval: per workspace, saves and questions in the order they happen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.memories.models import MemoryDraft


@dataclass(frozen=True)
class Save:
    """Memories to save together, each with the label that gold names it by: its own id or its session's."""

    drafts: Sequence[MemoryDraft]
    labels: Sequence[str]


@dataclass(frozen=True)
class Ask:
    """One question, asked of what has been saved and embedded before it."""

    query: str
    gold: frozenset[str]
    category: str


@dataclass(frozen=True)
class Script:
    """The steps of one workspace."""

    name: str
    steps: Sequence[Save | Ask]


@dataclass(frozen=True)
class DataSet:
    """A set of scripts and how its answers are judged.

    Attributes:
        hits: How many memories are asked for; more than the labels looked at where several share one.
        targets: The figures to reach, by name; ``category recall@k`` for one category.
        most_words: What the first ten hits may hold on average, in words.
    """

    name: str
    evidence: str
    scripts: Sequence[Script]
    hits: int
    targets: Mapping[str, float]
    most_words: float | None = None

    @property
    def questions(self) -> int:
        """How many questions the set has."""
        return sum(isinstance(step, Ask) for script in self.scripts for step in script.steps)

    def first(self, limit: int | None) -> "DataSet":
        """Return the set cut to the first ``limit`` questions; nothing is saved behind the last one."""
        if limit is None:
            return self
        left, scripts = limit, []
        for script in self.scripts:
            if left <= 0:
                break
            steps, left = _cut(script.steps, left)
            scripts.append(Script(script.name, steps))
        return DataSet(self.name, self.evidence, scripts, self.hits, self.targets, self.most_words)


def _cut(steps: Sequence[Save | Ask], limit: int) -> tuple[Sequence[Save | Ask], int]:
    for end, step in enumerate(steps, start=1):
        limit -= isinstance(step, Ask)
        if limit == 0:
            return steps[:end], 0
    return steps, limit
