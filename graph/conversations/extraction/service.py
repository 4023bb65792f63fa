"""Use cases of extraction: run its jobs, request it, and decide about suggested deletions."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

import structlog
from pydantic_core import from_json

from graph.conversations import queries
from graph.conversations.extraction.fact_saving import FactSaver, Overtaken
from graph.conversations.extraction.model_reading import ModelReader
from graph.conversations.extraction.models import (
    DeletionSuggestion,
    ExtractionMode,
    ExtractionPolicy,
    ExtractionState,
)
from graph.core.automatic_changes import record_changes
from graph.core.background import side_by_side
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import Conflict, NotFound, Unavailable
from graph.core.jobs import JobFailed, JobWaits
from graph.core.models import ChangeKind, Job, JobKind, NewChange
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, LanguageModelFailed, LanguageModels, LanguageModelUnavailable, WakeUp
from graph.core.queries import ClaimJobsRow, enqueue_jobs, find_job
from graph.core.rows import Runner
from graph.core.scope import ReadScope, seeing
from graph.memories.deletion import Deleter
from graph.memories.models import Memory, MemoryFilter
from graph.memories.policy import SourceType
from graph.memories.service import Memories
from graph.tenancy.models import memory_off
from graph.tenancy.settings import RawRetention, WorkspaceSettings
from graph.tenancy.workspaces import Workspaces


class _NotProposed(Exception):
    """Raised to cancel a deletion, because the memory has no open suggestion."""


class DeletionSuggestions:
    """The use cases of deletions that a language model suggests; lives as long as the process."""

    def __init__(self, database: Database, deletion: Deleter, clock: Clock) -> None:
        self._database = database
        self._deletion = deletion
        self._clock = clock

    async def page(
        self, workspace_id: str, *, first: int = 50, after: str | None = None
    ) -> Page[DeletionSuggestion]:
        """Return a page of undecided suggestions, the latest first."""
        paging = Paging.of(first, after)
        found = await queries.list_deletion_suggestions(
            self._database,
            workspace_id=workspace_id,
            after_suggested=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        return paging.page(found, lambda each: Cursor(date=each.suggested_at, id=each.memory_id))

    async def confirm(self, workspace_id: str, memory_id: str) -> bool:
        """Move a memory to the trash if its deletion is suggested; return whether it was deleted."""

        async def settle(tx: Runner) -> None:
            if not await self._settle(tx, workspace_id, memory_id, is_dismissed=False):
                raise _NotProposed

        with suppress(_NotProposed):
            return await self._deletion.delete(workspace_id, memory_id, first=settle)
        return False

    async def dismiss(self, workspace_id: str, memory_id: str) -> bool:
        """Keep a memory and never suggest its deletion again; return whether a suggestion existed."""
        return await self._settle(self._database, workspace_id, memory_id, is_dismissed=True)

    async def _settle(self, runner: Runner, workspace_id: str, memory_id: str, *, is_dismissed: bool) -> bool:
        id_ = await queries.settle_deletion_suggestion(
            runner,
            workspace_id=workspace_id,
            memory_id=memory_id,
            is_dismissed=is_dismissed,
            now=self._clock.now(),
        )
        return id_ is not None


_log = structlog.get_logger("recollect.extraction")
_AT_ONCE = 4  # conversations that one worker reads concurrently


class Extraction:
    """The use cases of extraction; lives as long as the process.

    One transaction saves the memories of a step and advances the conversation's cursor. So any worker may repeat a job
    without saving a memory twice or losing one.
    """

    def __init__(
        self,
        database: Database,
        wake_up: WakeUp,
        clock: Clock,
        policy: ExtractionPolicy,
        facts: FactSaver,
        model_reader: ModelReader,
        language_models: LanguageModels,
        deletions: DeletionSuggestions,
        memories: Memories,
        workspaces: Workspaces,
    ) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._policy = policy
        self._facts = facts
        self._model_reader = model_reader
        self._language_models = language_models
        self.deletions = deletions
        self._memories = memories
        self._workspaces = workspaces

    async def doubtful(self, workspace_id: str, *, first: int = 50, after: str | None = None) -> Page[Memory]:
        """Return a page of live facts below the confidence that automatic extraction requires, the newest first.

        Only an extraction that a person requests saves such facts. A fact stays doubtful until somebody raises its
        confidence.
        """
        settings = await self._workspaces.settings_of(workspace_id)
        doubtful = MemoryFilter(
            source_types=(SourceType.EXTRACTED,),
            confidence_below=self.least_confidence(settings),
        )
        return await self._memories.page(workspace_id, doubtful, first=first, after=after)

    def least_confidence(self, settings: WorkspaceSettings) -> float:
        """Return the minimum confidence of automatic facts in a workspace."""
        return self._policy.of(settings).least_confidence

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Extract facts from the new messages of the jobs' conversations.

        Raises:
            JobWaits: The language model of one conversation is unreachable; finished steps stay saved.
            JobFailed: One conversation failed; a retry continues after the last finished step.
        """
        await self._run(jobs, self._extract)

    async def run_facts_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Extract only with the rules, without waiting for a pause; raises like :meth:`run_jobs`."""
        await self._run(jobs, self._facts.extract)

    async def request(self, workspace_id: str, conversation_id: str) -> Job:
        """Schedule the extraction of a whole conversation with a lower confidence limit; return the job.

        Raises:
            NotFound: There is no such conversation.
            Conflict: The workspace's memory is off.
        """
        touches(conversation_id)
        now = self._clock.now()

        async def work(tx: Runner) -> Job:
            scheduled = await queries.schedule_extraction(
                tx, workspace_id=workspace_id, conversation_id=conversation_id, now=now
            )
            if scheduled is None:
                raise NotFound(
                    f"there is no conversation {conversation_id!r} in this workspace", field="conversationId"
                )
            if not scheduled.memory_enabled:
                raise Conflict(memory_off(workspace_id), field="workspaceId")
            await enqueue_jobs(
                tx,
                workspace_id=workspace_id,
                kind=JobKind.EXTRACT,
                subject_ids=[conversation_id],
                now=now,
                due_at=now,
            )
            job = await find_job(
                tx, workspace_id=workspace_id, kind=JobKind.EXTRACT, subject_id=conversation_id
            )
            assert job is not None  # noqa: S101 - this transaction created it
            return job

        job = await self._database.transaction(work)
        await self._wake_up.signal()
        return job

    async def _run(
        self,
        jobs: Sequence[ClaimJobsRow],
        extract: Callable[[ExtractionState, ExtractionPolicy], Awaitable[None]],
    ) -> None:
        free = asyncio.Semaphore(_AT_ONCE)

        async def one(job: ClaimJobsRow) -> JobFailed | None:
            async with free:
                return await self._try_extract(job, extract)

        failures = [failure for failure in await side_by_side(map(one, jobs)) if failure]
        if failures:
            raise next((failure for failure in failures if isinstance(failure, JobWaits)), failures[0])

    async def _try_extract(
        self,
        job: ClaimJobsRow,
        extract: Callable[[ExtractionState, ExtractionPolicy], Awaitable[None]],
    ) -> JobFailed | None:
        """Extract one conversation; return the failure, if any, without any text of the conversation."""
        state = await queries.find_extraction(
            self._database, workspace_id=job.workspace_id, conversation_id=job.subject_id
        )
        if state is None or not state.memory_enabled:
            return None
        policy = self._policy_of(state.workspace_settings)
        if not (policy.is_automatic or state.requested_at):
            return None
        try:
            with seeing(ReadScope.of_owner(state.user_id, state.agent_id)):
                await extract(state, policy)
        except Unavailable:
            raise
        except Exception as error:  # noqa: BLE001 - one failure must not stop the other conversations
            reason = _reason(error)
            _log.warning("memory.extraction.background.failed", workspace_id=job.workspace_id, reason=reason)
            return (JobWaits if isinstance(error, LanguageModelUnavailable) else JobFailed)(reason)
        return None

    async def _extract(self, state: ExtractionState, policy: ExtractionPolicy) -> None:
        """Extract with the rules, then with the language model; without a model, with the rules in every mode."""
        by_rules = policy.mode is ExtractionMode.REGEX
        model = None if by_rules else await self._language_models.of(state.workspace_id)
        if model is None or policy.mode is not ExtractionMode.LLM:
            await self._facts.extract(state, policy)
        with suppress(Overtaken):
            seen = state.extracted_up_to
            if model is not None:
                seen = await self._model_reader.extract(state, policy, model)
            await self._finish(state, policy, seen)

    async def _finish(self, state: ExtractionState, policy: ExtractionPolicy, seen: int) -> None:
        """Advance the cursor to the end; delete the messages' texts if the workspace keeps them until then only."""
        position = state.last_position

        async def work(tx: Runner) -> None:
            advanced = await queries.advance_extraction(
                tx,
                workspace_id=state.workspace_id,
                conversation_id=state.id,
                seen=seen,
                position=position,
                rereads=state.rereads,
                requested_at=state.requested_at,
            )
            if advanced is not None and policy.raw_retention is RawRetention.UNTIL_EXTRACTED:
                removed = await queries.remove_read_texts(
                    tx, workspace_id=state.workspace_id, conversation_id=state.id, position=position
                )
                forgotten = [_forgotten(state, removed)] if removed else []
                await record_changes(tx, state.workspace_id, forgotten, now=self._clock.now())

        await self._database.transaction(work)

    def _policy_of(self, settings: str) -> ExtractionPolicy:
        return self._policy.of(WorkspaceSettings.of(from_json(settings)))


def _forgotten(state: ExtractionState, messages: int) -> NewChange:
    return NewChange.of_messages(
        ChangeKind.FORGOTTEN,
        state.id,
        rule=RawRetention.UNTIL_EXTRACTED,
        count=messages,
        user_id=state.user_id,
        agent_id=state.agent_id,
    )


def _reason(error: Exception) -> str:
    """Return the reason of a failure; only the type of an unexpected error, whose text may quote users."""
    return str(error) if isinstance(error, LanguageModelFailed) else type(error).__name__
