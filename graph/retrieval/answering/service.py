"""Answers questions from facts of the graph, with citations, and records every run in the audit."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import structlog

from graph.core.current_call import leads_nowhere, touches
from graph.core.database import Database
from graph.core.ids import new_id
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, EmbeddingFailed, LanguageModelFailed, LanguageModels
from graph.core.scope import SHARED, owner_named
from graph.core.text.budget import estimate_tokens
from graph.core.text.checks import filled, note_of_cut, query_text
from graph.core.text.language import contains_cjk, content_words
from graph.knowledge.ontology.service import Ontology
from graph.retrieval import queries
from graph.retrieval.answering.coverage import NO_KINSHIP, Kinship, required, uncovered
from graph.retrieval.answering.expecting import direct
from graph.retrieval.answering.facts import FactFinder, FoundSources
from graph.retrieval.answering.models import Answer, PromptRun, RunOutcome, SupportingFact
from graph.retrieval.answering.periods import asked_period, with_states_of
from graph.retrieval.answering.support import (
    Reading,
    Similarity,
    Support,
    all_of,
    beside_what_replaced,
    likeliest,
    limited_to_time,
    readings,
    support_of,
)
from graph.retrieval.answering.writing import (
    INSTRUCTIONS,
    NOTHING,
    Ungrounded,
    Written,
    WrittenAnswer,
    grounded,
    prompt_for,
    quoted,
)
from graph.retrieval.entities import EntitySearch
from graph.retrieval.recall.overview_requests import asks_what_is_known
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import Calibration
from graph.retrieval.recall.service import Recall
from graph.retrieval.search.service import Search
from graph.vectors.index.service import Embeddings

_QUESTION_CHARS = 2000  # characters at the end of a question that are read
_MOST_COMPARED = 80  # facts; MiniLM embeds that many in 150 ms
_HIGHEST_FLOOR = 0.99
_MOST_READ_BY_WORD = 12  # facts whose words are compared one by one
_MOST_WORDS = 240  # words of these facts; MiniLM embeds them in 100 ms

_log = structlog.get_logger("recollect.asking")


@dataclass(frozen=True)
class _Outcome:
    """An answer, the model that was called for it, and the texts that the model read and wrote."""

    written: Written
    model: str | None = None
    read: str = ""
    wrote: str = ""
    fallback: str | None = None


class Answering:
    """Answers questions, and lists the audit; lives as long as the process. Answers count no use of memories."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        recall: Recall,
        search: Search,
        entity_search: EntitySearch,
        ontology: Ontology,
        clock: Clock,
        *,
        language_models: LanguageModels,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._calibration = Calibration(embeddings)
        self._recall = recall
        self._pipeline = FactFinder(database, recall, search, entity_search, ontology)
        self._clock = clock
        self._language_models = language_models

    async def ask(self, workspace_id: str, question: str, *, api_key_id: str | None = None) -> Answer:
        """Return an answer with citations, or a sentence that nothing supports an answer.

        A configured language model writes the answer from facts that are related to the question. Without a model, or
        if it fails, the answer quotes the facts that support it. A question for everything known about its author gets
        the newest valid memories. Facts that are not valid now follow the valid ones, with their validity. The current
        value of a slot answers, with its date; a question about the past gets the earlier value. The audit has the run
        before this method returns.

        Raises:
            InvalidInput: The question is blank.
        """
        started = time.perf_counter()
        question = " ".join(filled("question", question).split())
        text = query_text("question", question, most=_QUESTION_CHARS)
        cut = note_of_cut("question", question, most=_QUESTION_CHARS)
        degraded: Sequence[str] = ()
        if asks_what_is_known(text):
            found = await self._pipeline.newest(workspace_id, self._clock.now())
            support = all_of(found.facts)
        else:
            asked = direct(text)
            found = await self._pipeline.find(workspace_id, asked)
            support, degraded = await self._support(self._recall.parse(asked), found)
        outcome = await self._answer(workspace_id, text, support)
        fallback = "; ".join(reason for reason in (outcome.fallback, found.fallback) if reason) or None
        run = self._run(workspace_id, question, outcome, api_key_id=api_key_id).model_copy(
            update={"fallback": fallback, "duration_ms": round((time.perf_counter() - started) * 1000, 3)}
        )
        await queries.create_prompt_run(
            self._database,
            workspace_id=workspace_id,
            id=run.id,
            properties={
                **run.model_dump(exclude={"id", "workspace_id"}),
                "user_id": run.user_id or SHARED,
                "agent_id": run.agent_id or SHARED,
            },
        )
        if outcome.written.citations:
            touches(*(citation.fact.id for citation in outcome.written.citations))
        else:
            leads_nowhere()
        return Answer(
            text=outcome.written.text,
            supported=bool(outcome.written.citations),
            citations=outcome.written.citations,
            model=run.model if outcome.fallback is None else None,
            fallback=fallback,
            degraded=tuple(dict.fromkeys([*cut, *found.degraded, *degraded])),
            run_id=run.id,
        )

    async def runs(self, workspace_id: str, *, first: int = 50, after: str | None = None) -> Page[PromptRun]:
        """Return a page of the audit, newest run first.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        paging = Paging.of(first, after)
        runs = await queries.list_prompt_runs(self._database, workspace_id=workspace_id, **paging.by_creation)
        return paging.page(runs, lambda run: Cursor(date=run.created_at, id=run.id))

    async def _support(self, parsed: ParsedQuery, found: FoundSources) -> tuple[Support, Sequence[str]]:
        """Return how well the facts answer, and notes on omitted facts; compare those with the most query words."""
        facts, degraded = list(found.facts), []
        if parsed.asks_about_the_past:
            facts = beside_what_replaced(facts)
        if len(facts) > _MOST_COMPARED:
            degraded.append(f"facts: {len(facts)} were found, the likeliest {_MOST_COMPARED} are compared")
            facts = await asyncio.to_thread(likeliest, parsed, facts, _MOST_COMPARED)
        read = await asyncio.to_thread(readings, facts)
        similarity = await self._similarity(parsed, read) if read else None
        kinship = NO_KINSHIP
        support = await asyncio.to_thread(support_of, parsed, read, similarity)
        if similarity is not None:
            nearest = [each.fact for each in support.ranked[:_MOST_READ_BY_WORD]]
            kinship = await self._kinship(parsed, nearest)
            support = await asyncio.to_thread(support_of, parsed, read, similarity, kinship)
        support = limited_to_time(support, past=parsed.asks_about_the_past)
        if not parsed.asks_about_the_past or not (
            period := asked_period(parsed.text, self._clock.now().date())
        ):
            return support, degraded
        without = self._recall.parse(period.question)
        of_states = await asyncio.to_thread(support_of, without, read, similarity, kinship)
        return with_states_of(support, of_states, period), degraded

    async def _kinship(self, parsed: ParsedQuery, nearest: Sequence[SupportingFact]) -> Kinship:
        """Return vectors of the words of the nearest facts, and of the query's words that some of them lack."""
        texts = [f"{fact.context} {fact.text}" for fact in nearest]
        missing = uncovered(required(parsed), texts)
        present = dict.fromkeys(word for text in texts for word in content_words(text) if word.isascii())
        if not missing or not present:
            return NO_KINSHIP
        among = list(dict.fromkeys([*missing, *present]))[:_MOST_WORDS]
        try:
            embedded = await self._embeddings.embed_query(*among)
        except EmbeddingFailed:
            return NO_KINSHIP  # the search has reported the failure already
        vectors = np.asarray(embedded.vectors, dtype=np.float32)
        return Kinship(dict(zip(among, vectors, strict=True)))

    async def _similarity(self, parsed: ParsedQuery, read: Sequence[Reading]) -> Similarity | None:
        """Return the cosines of the readings with the question, and their floors, which are higher for Chinese."""
        compared = [reading.compared for reading in read]
        try:
            embedded = await self._embeddings.embed_query(parsed.text, *compared)
            floor = await self._calibration.threshold()
            floors = [floor] * len(compared)
            in_cjk = [contains_cjk(parsed.text) or contains_cjk(text) for text in compared]
            if any(in_cjk):
                in_chinese = max(floor, await self._calibration.threshold(parsed.text + "".join(compared)))
                floors = [in_chinese if is_cjk else floor for is_cjk in in_cjk]
        except EmbeddingFailed:
            return None  # the search has reported the failure already
        vectors = np.asarray(embedded.vectors)
        return Similarity((vectors[1:] @ vectors[0]).tolist(), [min(each, _HIGHEST_FLOOR) for each in floors])

    async def _answer(self, workspace_id: str, question: str, support: Support) -> _Outcome:
        model = await self._language_models.of(workspace_id)
        quotes = await asyncio.to_thread(quoted, support.supporting, support.ranked)
        if model is None:
            return _Outcome(quotes)
        if not support.related:
            return _Outcome(Written(NOTHING, ()))
        prompt = prompt_for(question, support.related)
        outcome = _Outcome(quotes, model=model.name, read=INSTRUCTIONS + prompt.text)
        try:
            answer = await model.complete_as(INSTRUCTIONS, prompt.text, WrittenAnswer)
        except LanguageModelFailed as error:
            _log.warning("asking.not_written", reason=type(error).__name__)
            return replace(outcome, fallback="quoted facts: the language model failed")
        outcome = replace(outcome, wrote=answer.model_dump_json())
        try:
            return replace(outcome, written=grounded(answer, prompt.sources, question))
        except Ungrounded:
            return replace(
                outcome,
                fallback="quoted facts: no source supports what the model wrote",
            )

    def _run(
        self, workspace_id: str, question: str, outcome: _Outcome, *, api_key_id: str | None
    ) -> PromptRun:
        citations = outcome.written.citations
        user_id, agent_id = owner_named(None, None)
        tokens = estimate_tokens(outcome.read), estimate_tokens(outcome.wrote)
        return PromptRun(
            id=new_id("run"),
            workspace_id=workspace_id,
            question_hash=hashlib.sha256(f"{workspace_id}\n{question}".encode()).hexdigest(),
            api_key_id=api_key_id,
            user_id=user_id,
            agent_id=agent_id,
            model=outcome.model,
            outcome=RunOutcome.ANSWERED if citations else RunOutcome.UNSUPPORTED,
            node_ids=list(dict.fromkeys(id_ for each in citations for id_ in each.fact.node_ids)),
            prompt_tokens=tokens[0],
            answer_tokens=tokens[1],
            credits=sum(tokens) / 1000,
            fallback=None,
            duration_ms=0.0,
            created_at=self._clock.now(),
        )
