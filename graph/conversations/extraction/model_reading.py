"""Extraction by a language model: one call extracts new memories and reconciles them with known ones."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

import structlog

from graph.conversations import queries
from graph.conversations.capture.models import Message
from graph.conversations.capture.statements import best_matching, without_guessed_pronouns
from graph.conversations.extraction.fact_saving import SOURCE, Overtaken
from graph.conversations.extraction.models import ExtractionPolicy, ExtractionState, KnownMemory
from graph.conversations.extraction.prompting import ExtractedMemories, ExtractedMemory, instructions, prompt
from graph.conversations.queries import list_messages
from graph.core.current_call import ACTING_JOB
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ports import Clock, LanguageModel, SecretDetector
from graph.core.rows import First, Runner
from graph.core.scope import EVERYTHING, ReadScope, seeing
from graph.core.text.checks import storable
from graph.core.text.language import content_words
from graph.core.text.lucene import text_queries
from graph.memories.changes.relative_times import (
    AbsoluteText,
    made_absolute,
    relative_times,
    text_time,
    with_day,
    words_of_times,
)
from graph.memories.deletion_marks import without_forgotten
from graph.memories.models import Learnt, MemoryDraft, MemoryFacet
from graph.memories.policy import SourceType
from graph.memories.service import Memories

_MOST_MESSAGES = 40  # new messages of one call
_MOST_CHARS = 24_000  # of their texts together, which limits the price of a call
_EARLIER = 6  # earlier messages for context
_SEARCHED = 200
_MOST_KNOWN = 20
_MOST_WORDS = 120

_log = structlog.get_logger("recollect.extraction")


class OutOfDate(Exception):
    """Raised if a memory that the answer updates changed during the call; a retry asks the model again."""


@dataclass
class _Plan:
    """Writes that follow from a model's answer."""

    drafts: list[MemoryDraft] = field(default_factory=list)
    updated: list[KnownMemory] = field(default_factory=list)
    deletions: list[dict[str, str]] = field(default_factory=list)

    def add(self, other: "_Plan") -> None:
        """Add the writes of another answer."""
        self.drafts += other.drafts
        self.updated += other.updated
        self.deletions += other.deletions


class ModelReader:
    """Extracts memories with a language model and saves them; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        clock: Clock,
        secrets: SecretDetector | None,
    ) -> None:
        self._database = database
        self._memories = memories
        self._clock = clock
        self._secrets = secrets

    async def extract(self, state: ExtractionState, policy: ExtractionPolicy, model: LanguageModel) -> int:
        """Save the memories of the messages that are not read yet; return the last position read.

        Raises:
            LanguageModelFailed: The model cannot answer; finished steps stay saved.
            Overtaken: Another worker was faster, a message changed, or memory is off or the conversation is gone.
            OutOfDate: A memory that an answer updates was changed or deleted during the call.
        """
        seen = state.extracted_up_to
        while new := await self._next(state, seen):
            position = new[-1].position or 0
            plan = await self._plan(state, policy, model, new)
            noting = self._advancing(state, seen, position, plan)
            with seeing(EVERYTHING):  # each draft names its owner: there may be several
                if plan.drafts:
                    await self._memories.save_all(state.workspace_id, plan.drafts, first=noting)
                else:
                    await self._database.transaction(noting)
            seen = position
        return seen

    async def _plan(
        self, state: ExtractionState, policy: ExtractionPolicy, model: LanguageModel, new: Sequence[Message]
    ) -> _Plan:
        """Return the writes; each of several authors owns the memories of their own messages."""
        read = [message for message in new if policy.reads(message.role)]
        authors = {message.author_id for message in read} - {None, state.user_id}
        plan = _Plan()
        for author_id in sorted(authors, key=str):
            theirs = [message for message in read if message.author_id == author_id]
            with seeing(ReadScope.of_owner(author_id, state.agent_id)):
                plan.add(await self._plan_for(state.of_speaker(author_id), policy, model, new, theirs))
        if own := [message for message in read if message.author_id not in authors]:
            plan.add(await self._plan_for(state, policy, model, new, own))
        return plan

    async def _next(self, state: ExtractionState, seen: int) -> list[Message]:
        """Return the next unread messages, as many as fit into one call, but at least one if one exists.

        Excludes messages captured since the job began: they wait for their own pause, and for the rules.
        """
        found = await list_messages(
            self._database,
            workspace_id=state.workspace_id,
            conversation_ids=[state.id],
            after_position=seen + 1,
            after_id="",
            limit=_MOST_MESSAGES,
        )
        messages = [message for message in found if (message.position or 0) <= state.last_position]
        return [*messages[:1], *_fitting(messages)]

    async def _plan_for(
        self,
        state: ExtractionState,
        policy: ExtractionPolicy,
        model: LanguageModel,
        new: Sequence[Message],
        read: Sequence[Message],
    ) -> _Plan:
        is_requested = state.requested_at is not None
        least = policy.threshold(is_requested=is_requested)
        known = await self._known(state, read)
        earlier = await queries.list_earlier_messages(
            self._database,
            workspace_id=state.workspace_id,
            conversation_id=state.id,
            position=new[0].position or 0,
            limit=_EARLIER,
        )
        answer = await model.complete_as(
            instructions(is_requested=is_requested, least=least),
            prompt(
                known,
                earlier[::-1],
                new,
                read=read,
                forgotten=await self._forgotten(state),
            ),
            ExtractedMemories,
        )
        texts = [each.content or "" for each in (*earlier, *new)]
        model_input = "\n".join([*texts, *(each.content for each in known)])
        answer = answer.model_copy(
            update={
                "memories": [
                    item.model_copy(update={"text": without_guessed_pronouns(item.text, model_input)})
                    for item in answer.memories
                ]
            }
        )
        plan = self._plan_from(answer, {each.id: each for each in known}, new[-1], read, policy, least)
        plan.drafts = state.owned(await without_forgotten(self._database, state.workspace_id, plan.drafts))
        return plan

    async def _known(self, state: ExtractionState, read: Sequence[Message]) -> list[KnownMemory]:
        """Return memories that share words with the new messages, as they may state the same."""
        words = content_words(" ".join(message.content or "" for message in read))[:_MOST_WORDS]
        searches = text_queries([(word, 1.0) for word in words], state.workspace_id)
        return await queries.search_known_memories(
            self._database,
            workspace_id=state.workspace_id,
            conversation_id=state.id,
            text_queries=[{"index": each.index, "query": each.query} for each in searches],
            searched=_SEARCHED,
            limit=_MOST_KNOWN,
            now=self._clock.now(),
        )

    async def _forgotten(self, state: ExtractionState) -> list[str]:
        return await queries.list_forgotten_texts(
            self._database,
            workspace_id=state.workspace_id,
            conversation_id=state.id,
            limit=_MOST_KNOWN,
        )

    def _plan_from(
        self,
        answer: ExtractedMemories,
        known: Mapping[str, KnownMemory],
        last: Message,
        read: Sequence[Message],
        policy: ExtractionPolicy,
        least: float,
    ) -> _Plan:
        """Return the writes of an answer.

        An answer may change only memories that its prompt showed, and each of them once. An update of another id is
        added as a new memory, so that a wrong id loses no information.
        """
        plan, handled_ids = _Plan(), set[str]()
        for item in answer.memories:
            if item.action == "NOOP" or item.confidence < least or self._must_not_be_stored(item):
                continue
            if item.subject == "assistant" and policy.speakers == "user":
                continue
            target = known.get(item.target_id or "") if item.action != "ADD" else None
            if target is None or target.id in handled_ids:
                if item.action != "DELETE":
                    plan.drafts.append(self._added(item, last, read))
                continue
            handled_ids.add(target.id)
            if item.action == "UPDATE":
                plan.updated.append(target)
                plan.drafts.append(self._updated(item, target, last, read))
            else:
                plan.deletions.append({"id": target.id, "reason": item.text.strip()})
        _log.info(
            "extraction.model_read",
            memories=len(answer.memories),
            saved=len(plan.drafts),
            deletions=len(plan.deletions),
        )
        return plan

    def _must_not_be_stored(self, item: ExtractedMemory) -> bool:
        texts = [item.text, *item.tags, *item.keywords]
        try:
            for text in texts:
                storable("text", text)
        except InvalidInput:
            return True
        return self._secrets is not None and bool(self._secrets.kinds_in("\n".join(texts)))

    def _added(self, item: ExtractedMemory, last: Message, read: Sequence[Message]) -> MemoryDraft:
        source = _source_of(item, read) or last
        dated = _made_absolute(item.text, source)
        return MemoryDraft(
            content=dated.text,
            category=item.topic,
            facet=MemoryFacet(item.type),
            tags=tuple(item.tags),
            keywords=tuple(item.keywords),
            confidence=item.confidence,
            metadata={
                **self._metadata(),
                "category": item.topic,
                **_subject_of(item),
                **words_of_times(dated.times),
            },
            timestamp=last.said_at or last.created_at,
            source_type=SourceType.EXTRACTED,
            source_conversation_id=last.conversation_id,
            source_message_id=source.id,
            learnt=_learnt(),
            session_id=last.session_id,
        )

    def _updated(
        self, item: ExtractedMemory, target: KnownMemory, last: Message, read: Sequence[Message]
    ) -> MemoryDraft:
        """Return the update of a known memory; its former text stays as an earlier version."""
        source = _source_of(item, read) or last
        dated = _made_absolute(_uncopied(item.text, target), source)
        return MemoryDraft(
            id=target.id,
            content=dated.text,
            keywords=tuple(item.keywords),
            confidence=item.confidence,
            metadata={**self._metadata(), **words_of_times(dated.times)},
            timestamp=last.said_at or last.created_at,
            source_type=SourceType.EXTRACTED,
            source_conversation_id=last.conversation_id,
            source_message_id=source.id,
            session_id=last.session_id,
            learnt=_learnt(),
        )

    def _metadata(self) -> dict[str, Any]:
        return {"extractedAt": self._clock.now().isoformat(), "source": SOURCE}

    def _advancing(self, state: ExtractionState, seen: int, position: int, plan: _Plan) -> First:
        async def note(tx: Runner) -> None:
            advanced = await queries.advance_extraction(
                tx,
                workspace_id=state.workspace_id,
                conversation_id=state.id,
                seen=seen,
                position=position,
                rereads=state.rereads,
                requested_at=None,
            )
            if advanced is None:
                raise Overtaken
            await self._lock_unchanged(tx, state, plan)
            if plan.deletions:
                await queries.suggest_deletions(
                    tx,
                    workspace_id=state.workspace_id,
                    conversation_id=state.id,
                    rows=plan.deletions,
                    now=self._clock.now(),
                )

        return note

    async def _lock_unchanged(self, tx: Runner, state: ExtractionState, plan: _Plan) -> None:
        """Lock the memories to update and check that they still have the versions of the prompt.

        Raises:
            OutOfDate: One was changed or deleted.
        """
        shown = {each.id: each.version for each in plan.updated}
        if not shown:
            return
        found = await self._memories.lock(tx, state.workspace_id, list(shown))
        if shown != {memory.id: memory.version for memory in found if memory.deleted_at is None}:
            raise OutOfDate


def _source_of(item: ExtractedMemory, read: Sequence[Message]) -> Message | None:
    return best_matching(" ".join([item.text, *item.keywords]), read)


def _uncopied(text: str, target: KnownMemory) -> str:
    """Return a model's text with dates for relative times that it copied from a known memory.

    The prompt shows such a memory with its day in parentheses, which the model may copy along.
    """
    time = text_time(target)
    shown = with_day(target.content, time)
    if time is None or shown == target.content:
        return text
    return text.replace(shown, made_absolute(target.content, time.date()).text)


def _made_absolute(text: str, source: Message) -> AbsoluteText:
    """Return a model's text with dates for relative times.

    The recorded times include those of the message that the model has already written as dates.
    """
    dated = made_absolute(text, source.day)
    stated_times = relative_times(source.content or "", source.day)
    written = (time for time in stated_times if time.span is not None and time.span.is_named_in(text))
    return replace(dated, times=(*dated.times, *written))


def _learnt() -> Learnt:
    return Learnt(rule="language_model", job=ACTING_JOB.get())


def _subject_of(item: ExtractedMemory) -> dict[str, str]:
    return {"subject": item.subject} if item.subject == "assistant" else {}


def _fitting(messages: Sequence[Message]) -> Iterator[Message]:
    """Yield the messages after the first that fit into a call together with it."""
    left = _MOST_CHARS - len(messages[0].content or "") if messages else 0

    def fits(message: Message) -> bool:
        nonlocal left
        left -= len(message.content or "")
        return left >= 0

    yield from takewhile(fits, messages[1:])
