"""Use cases of distillation: accept texts, and extract memories from them in the background."""

import asyncio
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import structlog
from pydantic import TypeAdapter

from graph.conversations import queries
from graph.conversations.capture.statements import end_without_injected
from graph.conversations.distillation.choosing import (
    WrittenMemories,
    chosen,
    distilled_from,
    instructions,
    prompt_for,
)
from graph.conversations.distillation.models import Distillation, Distilled, DistillSource, Intake, Output
from graph.core.background import side_by_side
from graph.core.current_call import ACTING_JOB
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.jobs import JobFailed, JobWaits
from graph.core.models import JobKind
from graph.core.ports import (
    Clock,
    LanguageModel,
    LanguageModelFailed,
    LanguageModels,
    LanguageModelUnavailable,
    SecretDetector,
    WakeUp,
)
from graph.core.queries import ClaimJobsRow, enqueue_jobs
from graph.core.rows import Runner
from graph.core.scope import ReadScope, owner_named, seeing
from graph.core.text.checks import short_text, storable
from graph.core.text.work import TextWork
from graph.memories.changes.relative_times import AbsoluteText, made_absolute, words_of_times
from graph.memories.deletion_marks import without_forgotten
from graph.memories.models import Learnt, MemoryDraft
from graph.memories.service import Memories
from graph.tenancy.models import MEMORY_OFF

_log = structlog.get_logger("recollect.distilling")

LEAST_CHARS = 200
"""Minimum length of deep thinking, research, compaction and answers for distillation."""
_NO_OWNER = "no key stands for it"
_WAITS = "the same invocation waits already"
_MOST_BYTES = 65_536  # only the end of a longer text is read, because conclusions stand there
_AT_ONCE = 16
_FOUND = TypeAdapter(list[Distilled])
_ANSWER_SECONDS = 10.0  # a batch of 64 jobs takes four rounds, which must end before the lease does


class _NotWanted(Exception):
    """Raised to cancel a save, because the text is gone or memory is off."""


class Distillations:
    """The use cases of distillation; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        wake_up: WakeUp,
        clock: Clock,
        text_work: TextWork,
        *,
        secrets: SecretDetector | None,
        language_models: LanguageModels,
    ) -> None:
        self._database = database
        self._memories = memories
        self._wake_up = wake_up
        self._clock = clock
        self._text_work = text_work
        self._secrets = secrets
        self._language_models = language_models
        self._answers = asyncio.Semaphore(_AT_ONCE)

    async def enqueue(self, workspace_id: str, output: Output) -> Intake:
        """Enqueue a text for distillation by a worker; return its id or the reason of its rejection.

        Accepts every non-empty tool result, and texts of other sources from 200 characters on. Rejects a text
        without an API key, one that contains a credential, a repeated invocation that is still pending, and every text
        if memory is off.

        Raises:
            InvalidInput: A name or id is blank, too long or cannot be stored, even if the text would be rejected.
        """
        named, properties = short_text("invocationId", output.invocation_id), _properties(output)
        if output.api_key_id is None:
            return Intake(taken=False, skipped=_NO_OWNER)
        text, why_not = self._text_of(output)
        if why_not is not None:
            return Intake(taken=False, skipped=why_not)
        id_ = f"dst_{_digest(workspace_id, named, properties)}" if named else new_id("dst")
        properties["text"] = text

        async def work(tx: Runner) -> Intake:
            now = self._clock.now()
            is_new = await queries.create_distillation(
                tx, workspace_id=workspace_id, id=id_, properties=properties, now=now
            )
            if not is_new:
                return Intake(taken=False, skipped=MEMORY_OFF if is_new is None else _WAITS)
            await enqueue_jobs(
                tx, workspace_id=workspace_id, kind=JobKind.DISTILL, subject_ids=[id_], now=now, due_at=now
            )
            return Intake(taken=True, id=id_)

        intake = await self._database.transaction(work)
        if intake.taken:
            await self._wake_up.signal()
        return intake

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Distil the texts of claimed jobs; skip texts that are gone, because they are done.

        The facts of a text are recorded before they are saved as memories. So a worker that takes over from a dead one
        saves the same facts, without another call of the language model.

        Raises:
            JobWaits: The language model of one text is unreachable; that text stays pending.
            JobFailed: The language model failed otherwise; that text stays pending.
        """
        ids: dict[str, list[str]] = defaultdict(list)
        for job in jobs:
            ids[job.workspace_id].append(job.subject_id)
        pending = [
            distillation
            for workspace_id, of_workspace in ids.items()
            for distillation in await queries.get_distillations(
                self._database, workspace_id=workspace_id, ids=of_workspace
            )
        ]
        failures = [failure for failure in await side_by_side(map(self._try_distil, pending)) if failure]
        if failures:
            raise next((failure for failure in failures if isinstance(failure, JobWaits)), failures[0])

    async def _try_distil(self, pending: Distillation) -> JobFailed | None:
        """Distil one text; return the language model's failure, if any."""
        try:
            await self._distil(pending)
        except (LanguageModelFailed, TimeoutError) as error:
            _log.warning("distilling.not_told", reason=type(error).__name__)
            is_away = isinstance(error, LanguageModelUnavailable)
            return (JobWaits if is_away else JobFailed)("the language model failed; the text waits")
        return None

    async def _distil(self, pending: Distillation) -> None:
        """Save the memories of a text and delete it, in one transaction.

        If somebody deletes or moves the text, or switches memory off, while the facts are extracted, save nothing.
        """

        async def take(tx: Runner) -> None:
            if not await self._delete(tx, pending):
                raise _NotWanted

        with seeing(ReadScope.of_owner(pending.user_id, pending.agent_id)), suppress(_NotWanted):
            drafts = await self._drafts(pending) if pending.is_wanted else []
            if drafts:
                await self._memories.save_all(pending.workspace_id, drafts, first=take)
                return
        await self._delete(self._database, pending)

    async def _delete(self, runner: Runner, pending: Distillation) -> bool:
        """Delete a text; return whether it existed and the workspace's memory is on."""
        is_wanted = await queries.delete_distillation(
            runner, workspace_id=pending.workspace_id, id=pending.id
        )
        return bool(is_wanted)

    async def _drafts(self, pending: Distillation) -> list[MemoryDraft]:
        found = pending.found if pending.found is not None else await self._recorded(pending)
        drafts = [_draft(pending, each) for each in found]
        return await without_forgotten(self._database, pending.workspace_id, drafts)

    async def _recorded(self, pending: Distillation) -> Sequence[Distilled]:
        """Extract the facts and record them; return another worker's record if it was earlier."""
        found = _FOUND.dump_json(await self._extract(pending)).decode()
        noted = await queries.note_found(
            self._database, workspace_id=pending.workspace_id, id=pending.id, found=found
        )
        return _FOUND.validate_json(noted) if noted else ()

    async def _extract(self, pending: Distillation) -> list[Distilled]:
        """Return the facts that the language model finds, or the rules without a model.

        Raises:
            LanguageModelFailed: The model failed.
            TimeoutError: The model did not answer in time.
        """
        model = await self._language_models.of(pending.workspace_id)
        if model is None:
            found = await self._text_work.run(chosen, pending, chars=len(pending.text))
        else:
            found = await self._ask_model(pending, model)
        return [each for each in found if self._may_be_stored(each)]

    async def _ask_model(self, pending: Distillation, model: LanguageModel) -> list[Distilled]:
        async with self._answers, asyncio.timeout(_ANSWER_SECONDS):
            answer = await model.complete_as(
                instructions(pending.source), prompt_for(pending), WrittenMemories
            )
        return distilled_from(answer)

    def _text_of(self, output: Output) -> tuple[str, str | None]:
        """Return the text to distil, or the reason of its rejection."""
        text = end_without_injected(output.text, _MOST_BYTES)
        fewest = 1 if output.source is DistillSource.TOOL else LEAST_CHARS
        if len(text) < fewest:
            return "", f"text has fewer than {fewest} characters without what was injected into it"
        if not self._is_storable(text):
            return "", "text holds characters that cannot be stored"
        if self._secrets is not None and (kinds := self._secrets.kinds_in(text)):
            _log.info("distilling.credential_left_out", source=output.source)
            return "", f"text seems to hold a credential ({', '.join(kinds)})"
        return text.encode()[-_MOST_BYTES:].decode(errors="ignore"), None

    def _may_be_stored(self, found: Distilled) -> bool:
        text = f"{found.content}\n{found.summary}\n{found.category}"
        return self._is_storable(text) and not (self._secrets and self._secrets.kinds_in(text))

    @staticmethod
    def _is_storable(text: str) -> bool:
        try:
            storable("text", text)
        except InvalidInput:
            return False
        return True


def _properties(output: Output) -> dict[str, Any]:
    user_id, agent_id = owner_named(None, None)
    return {
        "source": output.source,
        "tool_name": short_text("toolName", output.tool_name),
        "conversation_id": short_text("conversationId", output.conversation_id),
        "message_id": short_text("messageId", output.message_id),
        "session_id": short_text("sessionId", output.session_id),
        "api_key_id": output.api_key_id,
        "user_id": user_id,
        "agent_id": agent_id,
    }


def _draft(pending: Distillation, found: Distilled) -> MemoryDraft:
    """Return the memory of a fact, with dates for relative times.

    Relative times of a tool's result stay, because the day that they refer to is unknown.
    """
    day = pending.created_at.date()
    has_day = pending.source.has_known_day
    absolute = made_absolute(found.content, day) if has_day else AbsoluteText(found.content)
    return MemoryDraft(
        content=absolute.text,
        summary=made_absolute(found.summary, day).text if found.summary and absolute.times else found.summary,
        metadata=words_of_times(absolute.times) or None,
        category=found.category,
        confidence=found.confidence,
        source_type=pending.source.source_type,
        source_conversation_id=pending.conversation_id,
        source_message_id=pending.message_id,
        session_id=pending.session_id,
        api_key_id=pending.api_key_id,
        timestamp=pending.created_at,
        learnt=Learnt(rule=f"distillation:{pending.source}", job=ACTING_JOB.get()),
    )


def _digest(workspace_id: str, invocation_id: str, properties: Mapping[str, Any]) -> str:
    """Return a digest that identifies an invocation.

    Includes the conversation and the owners, because callers number their invocations independently.
    """
    owners = [properties[name] for name in ("conversation_id", "api_key_id", "user_id", "agent_id")]
    return hashlib.sha256(json.dumps([workspace_id, invocation_id, *owners]).encode()).hexdigest()[:24]
