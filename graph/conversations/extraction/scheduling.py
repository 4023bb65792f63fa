"""Has captured messages read for facts: jobs of the capture's own transaction, due once the conversation is silent."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from pydantic_core import from_json

from graph.conversations.extraction.models import ExtractionMode, ExtractionPolicy
from graph.core.models import JobKind
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.tenancy.settings import WorkspaceSettings


class Cursors(NamedTuple):
    """Up to which position a conversation was read; -1: nothing of it."""

    facts_up_to: int
    extracted_up_to: int


class Scheduler:
    """Decides when what was captured is read; lives as long as the process."""

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
        """Ask for the conversation to be read once it is silent; each new message begins that time again.

        A message that came late, or has another text by now, is read again together with those behind it. What is said
        while nothing is extracted is passed over permanently.

        Args:
            tx: The capture's transaction.
            workspace_id: Whose conversation it is.
            conversation_id: What was captured.
            settings: Of the workspace, JSON.
            read: How far the conversation was read before.
            earliest: The first position at which something is new or different.
            last: The last position of the conversation.
            now: The time of the capture.

        Returns:
            Properties of the conversation that change.
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
