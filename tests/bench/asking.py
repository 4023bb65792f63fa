"""Plays scripts against the engine: what recall answered, and the pool each question's candidates came from."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from graph.operations.services import Services
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RetrievedCandidates
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.bench.engine import settle
from tests.bench.metrics import Score
from tests.bench.progress import say
from tests.bench.script import Ask, DataSet, Save

_SHOWN = 10
Question = TypeVar("Question")
Answered = TypeVar("Answered")


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

    @classmethod
    def of(cls, services: Services) -> "Recorder":
        """Return a recorder that is in its place."""
        pipeline = services.retrieval.recall._pipeline
        recorder = pipeline._retriever = cls(pipeline._retriever)
        return recorder

    async def gather(
        self, workspace_id: str, question: ParsedQuery, *args: Any, **kwargs: Any
    ) -> RetrievedCandidates:
        gathered = await self._retriever.gather(workspace_id, question, *args, **kwargs)
        # A copy without what the question has worked out, so that a changed reading of it applies to kept pools.
        self.last = (ParsedQuery(question.text, question.specificity), gathered.pool)
        return gathered


async def play(
    services: Services,
    name: str,
    steps: Sequence[Save | Question],
    ask: Callable[[str, Question, Mapping[str, str]], Awaitable[Answered]],
    on_step: Callable[[str], None],
) -> list[Answered]:
    """Save and ask in a new workspace, in the order of the steps, and return the answers.

    Args:
        services: The engine.
        name: Of the workspace.
        steps: A question is asked when all that was saved before it is embedded.
        ask: Answers a question, given the workspace's id and the label of each memory by its id.
        on_step: Called with the name after each step.
    """
    workspace = await services.tenancy.workspaces.create(name)
    labels: dict[str, str] = {}
    answered: list[Answered] = []
    settled = True
    for step in steps:
        if isinstance(step, Save):
            receipts = await services.memories.store.save_all(workspace.id, step.drafts)
            labels |= {receipt.memory.id: label for receipt, label in zip(receipts, step.labels, strict=True)}
            settled = False
        else:
            if not settled:
                say(f"{name}: embedding what was saved")
                await settle(services, workspace.id)
                settled = True
            answered.append(await ask(workspace.id, step, labels))
        on_step(name)
    return answered


async def play_set(services: Services, data: DataSet, on_step: Callable[[str], None]) -> list[Asked]:
    """Return the questions of every script of a set, answered by recall."""
    recorder = Recorder.of(services)

    async def ask(workspace_id: str, step: Ask, labels: Mapping[str, str], *, script: str) -> Asked:
        start = time.perf_counter()
        result = await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=step.query, limit=data.hits, dry_run=True)
        )
        seconds = time.perf_counter() - start
        assert recorder.last is not None
        question, pool = recorder.last
        return Asked(
            script=script,
            question=question,
            category=step.category,
            gold=step.gold,
            pool=pool,
            labels={each.id: labels[each.id] for each in pool.candidates},
            score=Score.of([labels[hit.memory.id] for hit in result.hits], step.gold),
            words=sum(len(hit.memory.content.split()) for hit in result.hits[:_SHOWN]),
            tier=result.resolution.tier,
            seconds=seconds,
        )

    return [
        asked
        for script in data.scripts
        for asked in await play(
            services, script.name, script.steps, partial(ask, script=script.name), on_step
        )
    ]


def by_category(asked: Sequence[Asked]) -> dict[str, list[Asked]]:
    """Group questions by category, in alphabetical order."""
    names = sorted({one.category for one in asked})
    return {name: [one for one in asked if one.category == name] for name in names}
