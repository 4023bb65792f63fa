"""Scripts to measure retrieval: saves and questions of a workspace, in order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.memories.models import MemoryDraft


@dataclass(frozen=True)
class Save:
    """Memories to save together, each with its gold label: its own id or its session's."""

    drafts: Sequence[MemoryDraft]
    labels: Sequence[str]


@dataclass(frozen=True)
class Ask:
    """One question, asked after all earlier saves are embedded."""

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
    """A set of scripts, with the criteria for its results.

    Attributes:
        hits: Number of memories to request; more than the judged labels if several memories share one.
        targets: Figures to reach, by name; ``category recall@k`` for one category.
        most_words: Maximum mean number of words in the first ten hits.
    """

    name: str
    evidence: str
    scripts: Sequence[Script]
    hits: int
    targets: Mapping[str, float]
    most_words: float | None = None

    @property
    def questions(self) -> int:
        """Number of questions in the set."""
        return sum(isinstance(step, Ask) for script in self.scripts for step in script.steps)

    def first(self, limit: int | None) -> "DataSet":
        """Return the set truncated after its first ``limit`` questions."""
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
