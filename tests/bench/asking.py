"""Plays scripts against the engine: what recall answered, and the pool each question's candidates came from."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graph.operations.services import Services
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RetrievedCandidates
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.bench.engine import settle
from tests.bench.metrics import Score
from tests.bench.progress import say
from tests.bench.script import Ask, DataSet, Save, Script

_SHOWN = 10


@dataclass(frozen=True)
class Asked:
    """One question with its answer.

    Attributes:
        labels: The label of each candidate, by memory id.
        score: What the service's answer is worth.
        words: How many words its first ten hits hold.
        tier: What served it.
    """

    script: str
    question: ParsedQuery
    category: str
    gold: frozenset[str]
    pool: Pool
    labels: Mapping[str, str]
    score: Score
    words: int
    tier: str
    seconds: float


class Recorder:
    """Takes the place of the gatherer inside recall and keeps what it was asked and gave."""

    def __init__(self, gatherer: CandidateRetriever) -> None:
        self._retriever = gatherer
        self.last: tuple[ParsedQuery, Pool] | None = None

    async def gather(
        self, workspace_id: str, question: ParsedQuery, *args: Any, **kwargs: Any
    ) -> RetrievedCandidates:
        gathered = await self._retriever.gather(workspace_id, question, *args, **kwargs)
        # A copy without what the question has worked out, so that a changed reading of it applies to kept pools.
        self.last = (ParsedQuery(question.text, question.specificity), gathered.pool)
        return gathered


class Player:
    """Plays the scripts of one set, each in a workspace of its own."""

    def __init__(self, services: Services, data: DataSet, on_step: Callable[[str], None]) -> None:
        self._services = services
        self._data = data
        self._on_step = on_step
        self._recorder = Recorder(services.retrieval.recall._pipeline._retriever)
        services.retrieval.recall._pipeline._retriever = self._recorder

    async def play(self) -> list[Asked]:
        """Return the questions of every script, answered."""
        return [asked for script in self._data.scripts for asked in await self._play(script)]

    async def _play(self, script: Script) -> list[Asked]:
        workspace = await self._services.tenancy.workspaces.create(script.name)
        labels: dict[str, str] = {}
        answered: list[Asked] = []
        settled = True
        for step in script.steps:
            if isinstance(step, Save):
                labels |= await self._save(workspace.id, step)
                settled = False
            else:
                if not settled:
                    say(f"{script.name}: embedding what was saved")
                    await settle(self._services, workspace.id)
                    settled = True
                answered.append(await self._ask(script.name, workspace.id, step, labels))
            self._on_step(script.name)
        return answered

    async def _save(self, workspace_id: str, step: Save) -> dict[str, str]:
        receipts = await self._services.memories.store.save_all(workspace_id, step.drafts)
        return {receipt.memory.id: label for receipt, label in zip(receipts, step.labels, strict=True)}

    async def _ask(self, script: str, workspace_id: str, ask: Ask, labels: Mapping[str, str]) -> Asked:
        start = time.perf_counter()
        result = await self._services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=ask.query, limit=self._data.hits, dry_run=True)
        )
        seconds = time.perf_counter() - start
        assert self._recorder.last is not None
        question, pool = self._recorder.last
        return Asked(
            script=script,
            question=question,
            category=ask.category,
            gold=ask.gold,
            pool=pool,
            labels={each.id: labels[each.id] for each in pool.candidates},
            score=Score.of([labels[hit.memory.id] for hit in result.hits], ask.gold),
            words=sum(len(hit.memory.content.split()) for hit in result.hits[:_SHOWN]),
            tier=result.resolution.tier,
            seconds=seconds,
        )


def by_category(asked: Sequence[Asked]) -> dict[str, list[Asked]]:
    """Group questions by category, in alphabetical order."""
    names = sorted({one.category for one in asked})
    return {name: [one for one in asked if one.category == name] for name in names}
