"""Player of scripts against the engine, which records recall's results and candidate pools."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from graph.operations.services import Services
from graph.retrieval.context.models import ContextQuery, LayerName
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RetrievedCandidates
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.bench.engine import settle
from tests.bench.metrics import Score
from tests.bench.progress import say
from tests.bench.script import Ask, DataSet, Save
from tests.bench.service import timed

_SHOWN = 10
Question = TypeVar("Question")
Answered = TypeVar("Answered")


@dataclass(frozen=True)
class GoldShare:
    """Amounts of gold and of everything that was returned: memories or characters."""

    gold: int = 0
    total: int = 0


@dataclass(frozen=True)
class Asked:
    """One question with its answer.

    Attributes:
        labels: Label of each candidate, by memory id.
        score: Score of the service's ranking.
        fast: Score of the strategy FAST.
        fast_seconds: Duration of the recall with the strategy FAST.
        words: Number of words in the first ten hits.
        tier: Tier that served the request.
        embedder: Signature of the embedder; None: words alone.
        passing: Those of the first ten hits that reach the default relevance threshold.
        in_context: Characters of the memories in the context for the question.
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
    fast: Score
    fast_seconds: float
    embedder: str | None = None
    passing: GoldShare = GoldShare()
    in_context: GoldShare = GoldShare()


class Recorder:
    """Wrapper of recall's candidate retriever that keeps its last query and pool."""

    def __init__(self, gatherer: CandidateRetriever) -> None:
        self._retriever = gatherer
        self.last: tuple[ParsedQuery, Pool] | None = None

    @classmethod
    def of(cls, services: Services) -> "Recorder":
        """Install a recorder in the recall pipeline and return it."""
        pipeline = services.retrieval.recall._pipeline
        recorder = pipeline._retriever = cls(pipeline._retriever)
        return recorder

    async def gather(
        self, workspace_id: str, question: ParsedQuery, *args: Any, **kwargs: Any
    ) -> RetrievedCandidates:
        gathered = await self._retriever.gather(workspace_id, question, *args, **kwargs)
        # A copy without cached properties, so that a changed parser applies to cached pools too.
        self.last = (ParsedQuery(question.text, question.specificity), gathered.pool)
        return gathered


async def play(
    services: Services,
    name: str,
    steps: Sequence[Save | Question],
    ask: Callable[[str, Question, Mapping[str, str]], Awaitable[Answered]],
    on_step: Callable[[str], None],
) -> list[Answered]:
    """Run the steps in a new workspace, in order, and return the answers.

    Args:
        services: The engine.
        name: Name of the workspace.
        steps: Saves and questions; before a question, all earlier saves are embedded.
        ask: Function that answers a question, given the workspace's id and the labels by memory id.
        on_step: Function called with the name after each step.
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
    """Send the questions of all scripts of a set to recall."""
    recorder = Recorder.of(services)

    async def ask(workspace_id: str, step: Ask, labels: Mapping[str, str], *, script: str) -> Asked:
        query = RecallQuery(query=step.query, limit=data.hits, dry_run=True)
        seconds, result = await timed(services.retrieval.recall.recall(workspace_id, query))
        fast = query.model_copy(update={"strategy": RecallStrategy.FAST})
        fast_seconds, found_fast = await timed(services.retrieval.recall.recall(workspace_id, fast))
        assert recorder.last is not None
        question, pool = recorder.last
        context = await services.retrieval.context.compose(
            workspace_id,
            ContextQuery(query=step.query, layers=frozenset({LayerName.MEMORIES}), dry_run=True),
        )
        is_gold = {id_: label in step.gold for id_, label in labels.items()}
        passing = [hit for hit in result.relevant if hit in result.hits[:_SHOWN]]
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
            fast=Score.of([labels[hit.memory.id] for hit in found_fast.hits], step.gold),
            fast_seconds=fast_seconds,
            embedder=result.resolution.embedder,
            passing=GoldShare(sum(is_gold[hit.memory.id] for hit in passing), len(passing)),
            in_context=GoldShare(
                sum(len(hit.memory.content) for hit in context.memories if is_gold[hit.memory.id]),
                sum(len(hit.memory.content) for hit in context.memories),
            ),
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
