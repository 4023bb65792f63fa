"""Enqueues extraction jobs in the transaction of a capture, due after a pause in the conversation."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pydantic_core import from_json

from graph.conversations.extraction.models import ExtractionMode, ExtractionPolicy
from graph.core.models import JobKind
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.tenancy.settings import WorkspaceSettings


class Cursors(NamedTuple):
    """Last positions that the rules, and all configured readers, have read; -1: none."""

    facts_up_to: int
    extracted_up_to: int


class Scheduler:
    """Schedules the extraction of captured messages; lives as long as the process."""

    def __init__(self, policy: ExtractionPolicy) -> None:
        self._policy = policy

    async def schedule(
        self,
        tx: Runner,
        workspace_id: str,
        conversation_id: str,
        *,
        settings: str,
        read: Cursors,
        earliest: int,
        last: int,
        now: datetime,
    ) -> dict[str, Any]:
        """Enqueue the extraction for the end of the pause, which every new message restarts.

        If a message is late or has a new text, the cursors move back and the messages after it are read again. If
        extraction is off, the cursors move to the end, so these messages are never read automatically.

        Args:
            tx: The capture's transaction.
            workspace_id: Workspace of the conversation.
            conversation_id: Id of the conversation.
            settings: Workspace settings, JSON.
            read: The conversation's cursors before the capture.
            earliest: First position with a new or different text.
            last: Last position of the conversation.
            now: Time of the capture.

        Returns:
            Changed properties of the conversation.
        """
        policy = self._policy.of(WorkspaceSettings.of(from_json(settings)))
        if not policy.is_automatic:
            return {"facts_up_to": last, "extracted_up_to": last}
        waits = {JobKind.EXTRACT: policy.window_seconds}
        if policy.at_once and policy.mode is not ExtractionMode.LLM:
            waits[JobKind.EXTRACT_FACTS] = 0.0
        for kind, seconds in waits.items():
            await enqueue_jobs(
                tx,
                workspace_id=workspace_id,
                kind=kind,
                subject_ids=[conversation_id],
                now=now,
                due_at=now + timedelta(seconds=seconds),
            )
        behind = {name: at for name, at in read._asdict().items() if at >= earliest}
        return dict.fromkeys(behind, earliest - 1 if earliest else None)
