"""Saves what the rules find in the new messages of a conversation."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from graph.conversations import queries
from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.capture.statements import chars_of
from graph.conversations.extraction.facts import VOCABULARIES, Fact, Polarity, Subject
from graph.conversations.extraction.found_facts import FoundFacts, found_in
from graph.conversations.extraction.models import ExtractionPolicy, ExtractionState, KnownFact
from graph.conversations.queries import list_messages
from graph.core.current_call import ACTING_JOB
from graph.core.database import Database
from graph.core.ports import Clock, SecretDetector
from graph.core.rows import First, Runner
from graph.core.scope import EVERYTHING, SHARED, ReadScope, seeing
from graph.core.text.work import TextWork
from graph.memories.changes.relative_times import is_relative, words_of_times
from graph.memories.deletion_marks import without_forgotten
from graph.memories.models import Learnt, MemoryDraft
from graph.memories.policy import SourceType
from graph.memories.rules import content_hash
from graph.memories.service import Memories
from graph.memories.tags import PINNED

_READ_TOGETHER = 200
_MESSAGES_BEFORE_ANSWER = 4  # enough for a question and the tool results between it and the answer
SOURCE = "llm_response"
"""Value of ``source`` in the metadata of every extracted fact; clients of the reference extractor expect it."""


class Overtaken(Exception):
    """Raised if another worker was faster, a message changed, memory is off or the conversation is gone."""


class FactSaver:
    """Extracts facts with the rules and saves them; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        clock: Clock,
        secrets: SecretDetector | None,
        text_work: TextWork,
    ) -> None:
        self._database = database
        self._memories = memories
        self._clock = clock
        self._secrets = secrets
        self._text_work = text_work

    async def extract(self, state: ExtractionState, policy: ExtractionPolicy) -> None:
        """Save the facts of the messages that the rules have not read yet; a repeated call does nothing.

        If another worker advances the cursor at the same time, this call continues from there to the end: the caller
        may delete the messages' texts once it returns.

        A known fact is saved again if its polarity changed, as from liking to disliking, or if it had ended. For a
        fact that is still valid, only the time of its last statement changes.

        Raises:
            Unavailable: The graph does not answer; finished steps stay saved.
        """
        seen = state.facts_up_to
        while messages := await self._messages_behind(state, seen):
            least = policy.threshold(is_requested=state.requested_at is not None)
            heard = [*await self._messages_before_answer(state, policy, messages[0]), *messages]
            read = {message.id for message in messages if policy.reads(message.role)}
            context = frozenset(message.id for message in heard) - read
            found = await self._text_work.run(found_in, heard, least, context, chars=chars_of(heard))
            found = [each for each in found if not self._holds_credential(each.fact)]
            plan = await self._plan(state, found)
            position = messages[-1].position or 0
            try:
                await self._save(state, plan.drafts, self._advancing(state, seen, position, plan))
            except Overtaken:
                position = await self._read_up_to(state)
                if position <= seen:
                    return
            seen = position

    async def _read_up_to(self, state: ExtractionState) -> int:
        """Return the rules' current cursor; -1 if the conversation no longer exists."""
        found = await queries.find_extraction(
            self._database, workspace_id=state.workspace_id, conversation_id=state.id
        )
        return found.facts_up_to if found else -1

    def _holds_credential(self, fact: Fact) -> bool:
        return self._secrets is not None and bool(self._secrets.kinds_in(fact.content))

    async def _messages_behind(self, state: ExtractionState, seen: int) -> list[Message]:
        return await list_messages(
            self._database,
            workspace_id=state.workspace_id,
            conversation_ids=[state.id],
            after_position=seen + 1,
            after_id="",
            limit=_READ_TOGETHER,
        )

    async def _messages_before_answer(
        self, state: ExtractionState, policy: ExtractionPolicy, first: Message
    ) -> list[Message]:
        """Return the messages before an assistant's answer that is read, as one may request fiction."""
        if first.role is not MessageRole.ASSISTANT or not policy.reads(first.role):
            return []
        before = await queries.list_earlier_messages(
            self._database,
            workspace_id=state.workspace_id,
            conversation_id=state.id,
            position=first.position or 0,
            limit=_MESSAGES_BEFORE_ANSWER,
        )
        return before[::-1]

    async def _plan(self, state: ExtractionState, found: Sequence[FoundFacts]) -> "_Plan":
        """Return the writes; each of several speakers owns the facts that they state about themselves."""
        plan = _Plan()
        speaker_ids = {each.speaker_id for each in found} - {None, state.user_id}
        for speaker_id in sorted(speaker_ids, key=str):
            theirs = [each for each in found if each.speaker_id == speaker_id]
            with seeing(ReadScope.of_owner(speaker_id, state.agent_id)):
                await self._add_new(plan, state.of_speaker(speaker_id), theirs)
        await self._add_new(plan, state, [each for each in found if each.speaker_id not in speaker_ids])
        return plan

    async def _add_new(self, plan: "_Plan", state: ExtractionState, found: Sequence[FoundFacts]) -> None:
        """Add drafts of the facts that are new or changed and that nobody has deleted."""
        if not found:
            return
        now, agent_id = self._clock.now(), state.agent_id or SHARED
        hashes = {each.fact.key: content_hash(each.fact.content) for each in found}
        facts = await queries.list_known_facts(
            self._database,
            workspace_id=state.workspace_id,
            user_id=state.user_id or SHARED,
            agent_ids=list({agent_id, SHARED}),
            keys=list(hashes),
            hashes=list(set(hashes.values())),
            now=now,
        )
        known = {fact.key: fact for fact in facts}
        known_texts = {fact.content_hash for fact in facts if fact.key not in hashes and fact.holds(now)}
        drafts = []
        for each in found:
            fact = known.get(each.fact.key)
            if hashes[each.fact.key] in known_texts and not is_relative(each.fact.content):
                continue
            if fact is None or _is_new(each, fact, now):
                changed = fact if fact and fact.holds(now) else None
                drafts.append(_draft(each, changed, extracted_at=now.isoformat()))
            elif fact.agent_id == agent_id and _is_stated_later(each, fact):
                drafts.append(_retimed(each, fact))
        plan.drafts += state.owned(await without_forgotten(self._database, state.workspace_id, drafts))
        keys = {draft.key for draft in plan.drafts}
        plan.ended += [
            fact.id
            for fact in facts
            if fact.agent_id == agent_id and fact.key in keys and not fact.holds(now)
        ]

    async def _save(self, state: ExtractionState, drafts: Sequence[MemoryDraft], noting: First) -> None:
        if not drafts:
            await self._database.transaction(noting)
            return
        with seeing(EVERYTHING):  # each draft names its owner: there may be several
            await self._memories.save_all(state.workspace_id, drafts, first=noting)

    def _advancing(self, state: ExtractionState, seen: int, position: int, plan: "_Plan") -> First:
        async def note(tx: Runner) -> None:
            advanced = await queries.advance_facts(
                tx,
                workspace_id=state.workspace_id,
                conversation_id=state.id,
                seen=seen,
                position=position,
                rereads=state.rereads,
            )
            if advanced is None:
                raise Overtaken
            if plan.ended:
                await queries.release_keys(tx, workspace_id=state.workspace_id, ids=plan.ended)

        return note


@dataclass
class _Plan:
    """Drafts to save, and ids of ended memories that give their keys to the drafts and otherwise stay unchanged."""

    drafts: list[MemoryDraft] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)


def _is_new(found: FoundFacts, known: KnownFact, now: datetime) -> bool:
    """Tell whether to save a fact under a known key; a memory that was not extracted is never overwritten."""
    if known.source_type != SourceType.EXTRACTED or found.is_concluded:
        return False
    metadata = from_json(known.metadata)
    if found.fact.is_of_another_value(metadata.get("requestedValue")):
        return found.fact.polarity is Polarity.POSITIVE and _is_stated_later(found, known)
    polarity = Polarity(metadata.get("polarity", Polarity.POSITIVE))
    return (
        polarity is not found.fact.polarity
        or (found.fact.subject is Subject.USER and metadata.get("concludedBy") is not None)
        or (not known.holds(now) and _is_stated_later(found, known))
    )


def _is_stated_later(found: FoundFacts, known: KnownFact) -> bool:
    is_extracted = known.source_type == SourceType.EXTRACTED
    return is_extracted and not found.is_concluded and _stated_at(found) > known.timestamp


def _stated_at(found: FoundFacts) -> datetime:
    return found.message.said_at or found.message.created_at


def _retimed(found: FoundFacts, known: KnownFact) -> MemoryDraft:
    """Return the draft that sets an unchanged fact's time to its last statement."""
    return MemoryDraft(
        content=known.content,
        key=known.key,
        key_is_derived=True,
        timestamp=_stated_at(found),
        source_type=SourceType.EXTRACTED,
    )


def _draft(found: FoundFacts, known: KnownFact | None, *, extracted_at: str) -> MemoryDraft:
    """Return the memory of a fact."""
    fact, message = found.fact, found.message
    vocabularies = VOCABULARIES[fact.category]
    metadata: dict[str, Any] = {
        "category": fact.category.value,
        "polarity": fact.polarity.value,
        "extractedAt": extracted_at,
        "source": SOURCE,
        **words_of_times(fact.times),
    }
    if fact.object is not None:
        metadata["object"] = fact.object
    if fact.value is not None:
        metadata["requestedValue"] = fact.value
    if fact.subject is Subject.ASSISTANT:
        metadata["subject"] = fact.subject.value
    elif found.is_concluded:
        metadata["concludedBy"] = MessageRole.ASSISTANT.value
    elif known is not None:
        metadata["concludedBy"] = None  # the user has now stated what an assistant had concluded
    return MemoryDraft(
        content=fact.content,
        category=fact.category.value,
        type=vocabularies.type,
        kind=vocabularies.kind,
        facet=vocabularies.facet,
        key=fact.key,
        key_is_derived=True,
        keywords=fact.keywords,
        tags=(PINNED,) if fact.is_standing else None,
        confidence=fact.confidence,
        metadata=metadata,
        timestamp=message.said_at or message.created_at,
        speaker=message.speaker or message.role,
        source_type=SourceType.EXTRACTED,
        learnt=Learnt(rule=f"rules:{fact.category}", job=ACTING_JOB.get()),
        source_conversation_id=message.conversation_id,
        source_message_id=message.id,
        session_id=message.session_id,
    )
