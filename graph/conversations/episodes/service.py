"""Use cases of episodes: replace old messages with one, find, list, delete."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from pydantic_core import from_json

from graph.conversations import queries
from graph.conversations.capture.alignment import text_key
from graph.conversations.capture.models import Message
from graph.conversations.capture.statements import chars_of
from graph.conversations.episodes.models import MOST_LISTED, Consolidation, Episode
from graph.conversations.episodes.summarising import summary_and_omitted
from graph.conversations.episodes.writing import (
    INSTRUCTIONS,
    UnusableSummary,
    WrittenEpisode,
    prompt_for,
    readable,
    validated,
)
from graph.conversations.extraction.models import ExtractionPolicy
from graph.conversations.queries import chain_messages, list_gone_messages
from graph.core.automatic_changes import record_changes
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.models import ChangeKind, JobKind, JobState, NewChange
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, LanguageModel, LanguageModelFailed, LanguageModels, WakeUp
from graph.core.queries import enqueue_jobs, find_job
from graph.core.rows import Runner
from graph.core.scope import SHARED, search_term
from graph.core.text.language import Specificity
from graph.core.text.lucene import forms_apart
from graph.core.text.work import TextWork
from graph.tenancy.settings import RawRetention, WorkspaceSettings

DEFAULT_RETAIN_LAST = 20
DEFAULT_MAX_AGE_DAYS = 30
MOST_RETAINED = 10_000
MOST_AGE_DAYS = 36_500
_POLICY = ExtractionPolicy()
_FEWEST_TURNS = 2
_MOST_TURNS = 2000  # messages of one episode; the next call continues after them

_log = structlog.get_logger("recollect.episodes")


@dataclass(frozen=True)
class _Cut:
    """Messages to roll up: those older than an age, except the newest ones."""

    workspace_id: str
    conversation_id: str
    retain_last: int
    older_than: datetime


@dataclass(frozen=True)
class _Summary:
    """A summary of messages, and the language model that wrote it, if one did."""

    messages: Sequence[Message]
    text: str
    model: str | None = None


class _NothingChanged(Exception):
    """Raised to cancel a consolidation; the text is the reason."""


class Episodes:
    """The use cases of episodes; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        wake_up: WakeUp,
        clock: Clock,
        policy: ExtractionPolicy = _POLICY,
        *,
        text_work: TextWork,
        language_models: LanguageModels,
        specificity: Specificity = lambda _: 1.0,
    ) -> None:
        """Create the use cases.

        Args:
            database: The graph.
            wake_up: Wakes the worker that embeds episodes.
            clock: The time.
            policy: Default extraction policy; a workspace's settings override it.
            text_work: Runs the rules beside the event loop.
            language_models: Language models of the workspaces.
            specificity: Rarity of a word, which ranks the topics of a summary by rules.
        """
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._policy = policy
        self._language_models = language_models
        self._specificity = specificity
        self._text_work = text_work

    async def consolidate(
        self,
        workspace_id: str,
        conversation_id: str,
        *,
        retain_last: int = DEFAULT_RETAIN_LAST,
        max_age_days: int = DEFAULT_MAX_AGE_DAYS,
    ) -> Consolidation:
        """Replace a conversation's old messages with a summary, in one transaction.

        Summarises messages that are older than ``max_age_days`` and not among the ``retain_last`` newest. One call
        takes at most 2000, or as many as fit into the language model's prompt; the next call continues after them. The
        messages are deleted permanently unless the workspace keeps raw conversations, and are never captured again.
        While extraction is on, messages that it has not read yet stay. A repeated call changes nothing.

        The workspace's language model writes the summary; if it fails, nothing changes. Without a model, the summary
        consists of the facts that the rules find and the topics; if there is neither, nothing changes. If extraction
        is off and messages are deleted, a message stays if the summary omits a fact that it states.

        Returns:
            The episode, or the reason why nothing changed.

        Raises:
            InvalidInput: A number is out of range.
            Unavailable: The graph does not answer; nothing changed.
        """
        touches(conversation_id)
        _check("retainLast", retain_last, MOST_RETAINED)
        _check("maxAgeDays", max_age_days, MOST_AGE_DAYS)
        cut = _Cut(
            workspace_id, conversation_id, retain_last, self._clock.now() - timedelta(days=max_age_days)
        )
        id_ = new_id("epi")
        model = await self._language_models.of(workspace_id)
        try:
            written = await self._written(cut, model) if model else None

            async def work(tx: Runner) -> Episode:
                rolling = self._rolling_up(tx, cut)
                await rolling.lock()
                if written:
                    await rolling.check_not_replaced(written.messages)
                old = await rolling.old_messages()
                summary = (
                    _if_unchanged(old, written)
                    if written
                    else await self._by_rules(old, skips_unstatable=rolling.loses_facts)
                )
                ids = {message.id for message in summary.messages}
                return await rolling.replace([row for row in old if row.message.id in ids], summary, id_)

            episode = await self._database.transaction(work)
        except _NothingChanged as reason:
            return Consolidation(notice=f"{reason}; nothing was changed")
        await self._wake_up.signal()
        return Consolidation(episode=episode)

    async def _written(self, cut: _Cut, model: LanguageModel) -> _Summary:
        """Return the language model's summary; hold no lock during its call."""

        async def work(tx: Runner) -> Sequence[queries.ListOldMessagesRow]:
            rolling = self._rolling_up(tx, cut)
            await rolling.lock()
            return await rolling.old_messages()

        old = await self._database.transaction(work)
        messages = readable([row.message for row in old])
        try:
            answer = await model.complete_as(INSTRUCTIONS, prompt_for(messages), WrittenEpisode)
            return _Summary(messages, validated(answer, messages), model=model.name)
        except (LanguageModelFailed, UnusableSummary) as error:
            _log.warning("episodes.not_written", reason=type(error).__name__)
            raise _NothingChanged("the language model failed") from error

    async def _by_rules(
        self, old: Sequence[queries.ListOldMessagesRow], *, skips_unstatable: bool
    ) -> _Summary:
        """Return a summary by rules.

        Args:
            old: Messages to summarise.
            skips_unstatable: Whether to leave out messages with facts that the summary cannot state.

        Raises:
            _NothingChanged: The rules find neither facts nor topics, or too few messages are left.
        """
        messages = [row.message for row in old]
        while True:
            text, omitted = await self._text_work.run(
                summary_and_omitted, messages, self._specificity, chars=chars_of(messages)
            )
            if not omitted or not skips_unstatable:
                break
            messages = [message for message in messages if message.id not in omitted]
            if len(messages) < _FEWEST_TURNS:
                raise _NothingChanged(
                    "the messages contain facts that only a language model can summarize without quoting them, "
                    "and the extraction of facts is off"
                )
        if not text:
            raise _NothingChanged("no fact and no topic was found in the messages")
        return _Summary(messages, text)

    def _rolling_up(self, tx: Runner, cut: _Cut) -> "_RollingUp":
        return _RollingUp(tx, cut, self._clock.now(), self._policy)

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Episode]:
        """Return the existing episodes by their ids."""
        episodes = await queries.get_episodes(self._database, workspace_id=workspace_id, ids=ids)
        return {episode.id: episode for episode in episodes}

    async def latest(self, workspace_id: str, conversation_id: str) -> list[Episode]:
        """Return the five latest episodes of a conversation, the newest first."""
        return await queries.list_latest_episodes(
            self._database, workspace_id=workspace_id, conversation_id=conversation_id, limit=MOST_LISTED
        )

    async def delete(self, workspace_id: str, conversation_id: str, id_: str) -> bool:
        """Delete an episode; return whether there was one.

        The messages that it replaced stay deleted and are not captured again.
        """
        row = await queries.delete_episode(
            self._database, workspace_id=workspace_id, conversation_id=conversation_id, id=id_
        )
        return row is not None

    async def page(
        self,
        workspace_id: str,
        *,
        conversation_id: str | None = None,
        first: int = 5,
        after: str | None = None,
    ) -> Page[Episode]:
        """Return a page of episodes, of one conversation or of all, the newest first."""
        paging = Paging.of(first, after)
        found = await queries.list_episodes(
            self._database, workspace_id=workspace_id, conversation_id=conversation_id, **paging.by_creation
        )
        return paging.page(found, lambda each: Cursor(date=each.created_at, id=each.id))


class _RollingUp:
    """One episode in one transaction."""

    def __init__(self, tx: Runner, cut: _Cut, now: datetime, policy: ExtractionPolicy) -> None:
        self._policy = policy
        self._tx = tx
        self._cut = cut
        self._now = now
        self._user_id = SHARED
        self._read_up_to: int | None = None

    async def lock(self) -> None:
        """Lock the conversation.

        Raises:
            _NothingChanged: There is no such conversation, or memory is off.
        """
        cut = self._cut
        locked = await queries.lock_conversation(
            self._tx, workspace_id=cut.workspace_id, id=cut.conversation_id
        )
        if locked is None:
            raise _NothingChanged("memory is off, or there is no such conversation")
        self._policy = self._policy.of(WorkspaceSettings.of(from_json(locked.settings)))
        self._user_id = locked.user_id
        self._read_up_to = locked.extracted_up_to if self._is_to_be_read(locked) else None

    @property
    def loses_facts(self) -> bool:
        """True if summarised messages lose their facts: nothing extracts them, and the messages are deleted."""
        return self._read_up_to is None and self._policy.raw_retention is not RawRetention.KEEP

    async def check_not_replaced(self, messages: Sequence[Message]) -> None:
        """Check that no other call has replaced the messages.

        Raises:
            _NothingChanged: Another call has.
        """
        gone = await list_gone_messages(
            self._tx,
            workspace_id=self._cut.workspace_id,
            conversation_id=self._cut.conversation_id,
            ids=[message.id for message in messages],
            positions=(),
            texts=(),
        )
        if gone:
            raise _NothingChanged("another call has consolidated the messages")

    async def old_messages(self) -> Sequence[queries.ListOldMessagesRow]:
        """Return the messages to summarise, at least two.

        Raises:
            _NothingChanged: Fewer are old enough, or extraction has not read them yet.
        """
        cut, read_up_to = self._cut, self._read_up_to
        old = await self._older(read_up_to, _MOST_TURNS)
        if len(old) >= _FEWEST_TURNS:
            return old
        if read_up_to is not None and len(await self._older(None, _FEWEST_TURNS)) == _FEWEST_TURNS:
            raise _NothingChanged(await self._why_unread())
        raise _NothingChanged(
            f"fewer than {_FEWEST_TURNS} messages are old enough and not among the {cut.retain_last} newest"
        )

    async def _older(self, read_up_to: int | None, limit: int) -> list[queries.ListOldMessagesRow]:
        cut = self._cut
        return await queries.list_old_messages(
            self._tx,
            workspace_id=cut.workspace_id,
            conversation_id=cut.conversation_id,
            retain_last=cut.retain_last,
            older_than=cut.older_than,
            read_up_to=read_up_to,
            limit=limit,
        )

    async def _why_unread(self) -> str:
        job = await find_job(
            self._tx,
            workspace_id=self._cut.workspace_id,
            kind=JobKind.EXTRACT,
            subject_id=self._cut.conversation_id,
        )
        if job is not None and job.state is JobState.FAILED:
            return "the extraction of facts from the messages fails"
        return "facts are still to be extracted from the messages"

    def _is_to_be_read(self, locked: queries.LockConversationRow) -> bool:
        """Tell whether extraction is going to read the messages, so that none may be deleted unread."""
        return self._policy.is_automatic or locked.is_requested

    async def replace(
        self, old: Sequence[queries.ListOldMessagesRow], summary: _Summary, id_: str
    ) -> Episode:
        """Replace messages with an episode and check the stored text.

        Raises:
            _NothingChanged: The stored text differs from the summary.
        """
        messages = [row.message for row in old]
        ids = [message.id for message in messages]
        positions = [message.position or 0 for message in messages]
        row = await queries.create_episode(
            self._tx,
            workspace_id=self._cut.workspace_id,
            conversation_id=self._cut.conversation_id,
            id=id_,
            message_ids=ids,
            keeps_messages=self._policy.raw_retention is RawRetention.KEEP,
            properties={
                "summary": summary.text,
                "model": summary.model,
                "search_text": summary.text,
                "search_keys": forms_apart(summary.text),
                "search_user": search_term(self._user_id),
                "source_message_ids": ids,
                "source_positions": positions,
                "source_texts": [text_key((each.content_hash or "", each.message.role)) for each in old],
                "turn_count": len(ids),
            },
            now=self._now,
        )
        if row.summary != summary.text:
            raise _NothingChanged("the summary was not stored as it was written")
        if self._policy.raw_retention is not RawRetention.KEEP:
            gone = NewChange.of_messages(
                ChangeKind.ARCHIVED,
                self._cut.conversation_id,
                rule="consolidation",
                count=len(ids),
                cause_id=id_,
                user_id=self._user_id,
            )
            await record_changes(self._tx, self._cut.workspace_id, [gone], now=self._now)
        await chain_messages(
            self._tx,
            workspace_id=self._cut.workspace_id,
            conversation_id=self._cut.conversation_id,
            since=positions[0],
            until=positions[-1],
        )
        await enqueue_jobs(
            self._tx,
            workspace_id=self._cut.workspace_id,
            kind=JobKind.EMBED,
            subject_ids=[id_],
            now=self._now,
            due_at=self._now,
        )
        return row


def _if_unchanged(old: Sequence[queries.ListOldMessagesRow], written: _Summary) -> _Summary:
    """Return a summary if its messages have not changed since the language model read them.

    Raises:
        _NothingChanged: They have changed.
    """
    messages = [row.message for row in old]
    if messages[: len(written.messages)] != written.messages:
        raise _NothingChanged("the messages changed while the language model read them")
    return written


def _check(field: str, number: int, most: int) -> None:
    if not 0 <= number <= most:
        raise InvalidInput(field, f"{field} must be between 0 and {most}, got {number}")
