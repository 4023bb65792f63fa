"""What can be done with telemetry (G): record it, look at it, and learn patterns from it."""

from collections.abc import Sequence
from typing import Any

import structlog

from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.jobs.queries import ClaimJobsRow
from graph.core.pages import Page
from graph.core.ports import Clock, WakeUp
from graph.core.silence import takes_long
from graph.core.text.checks import storable
from graph.telemetry import queries
from graph.telemetry.models import (
    ActionDraft,
    ActionFilter,
    AgentAction,
    AgentPattern,
    AgentSequence,
    PatternFilter,
    SequenceFilter,
)
from graph.telemetry.promoting import Promoter
from graph.telemetry.reading import Reader, SequencePage
from graph.telemetry.recording import Recorder
from graph.telemetry.rules import MOST_NOTE_CHARS
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings

_log = structlog.get_logger("recollect.telemetry")


class Telemetry:
    """The use cases of telemetry; lives as long as the process.

    Reading works whether memory is on or off for a workspace; capture and ``patterns_for`` only where it is on.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        workspaces: Workspaces,
        wake_up: WakeUp,
        clock: Clock,
    ) -> None:
        self._database = database
        self._clock = clock
        self._recorder = Recorder(database, wake_up, clock)
        self._promoter = Promoter(database, clock)
        self._reader = Reader(database, embeddings, workspaces)

    async def record(self, workspace_id: str, drafts: Sequence[ActionDraft]) -> int:
        """Record 1 to 1000 actions, all of them or none; return how many were new, 0 where memory is off.

        An id that is recorded already is passed over. A target that is no entity of the workspace does not lose the
        action: it is recorded without the edge to it.

        Raises:
            InvalidInput: A field breaks a rule (see ``graph.telemetry.rules``).
            Unavailable: The graph does not answer.
        """
        return await self._recorder.record(workspace_id, drafts)

    async def try_record(self, workspace_id: str, drafts: Sequence[ActionDraft]) -> int:
        """Record actions as far as that is possible; whatever goes wrong is logged and never raised."""
        try:
            return await self._recorder.record(workspace_id, drafts)
        except Exception as error:  # noqa: BLE001 - the action that is told of must not fail for the telling
            _log.warning("telemetry.capture_failed", reason=type(error).__name__, actions=len(drafts))
            return 0

    async def actions(
        self,
        workspace_id: str,
        wanted: ActionFilter | None = None,
        *,
        first: int = 50,
        after: str | None = None,
    ) -> Page[AgentAction]:
        """Return a page of actions, the latest first; with a target, that entity's agent history.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        return await self._reader.actions(workspace_id, wanted or ActionFilter(), first=first, after=after)

    async def sequences(
        self,
        workspace_id: str,
        wanted: SequenceFilter | None = None,
        *,
        first: int = 20,
        after: str | None = None,
    ) -> SequencePage:
        """Return a page of sequences, the latest to end first.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        return await self._reader.sequences(
            workspace_id, wanted or SequenceFilter(), first=first, after=after
        )

    async def search_sequences(
        self,
        workspace_id: str,
        query: str,
        wanted: SequenceFilter | None = None,
        *,
        first: int = 20,
        after: str | None = None,
    ) -> SequencePage:
        """Return a page of the sequences that tried what a query says, by meaning and words.

        Raises:
            InvalidInput: The query is blank or longer than 2000 characters, or ``first`` or ``after`` is malformed.
        """
        return await self._reader.search(
            workspace_id, query, wanted or SequenceFilter(), first=first, after=after
        )

    async def patterns(
        self,
        workspace_id: str,
        wanted: PatternFilter | None = None,
        *,
        first: int = 20,
        after: str | None = None,
    ) -> Page[AgentPattern]:
        """Return a page of patterns, the most confident first; suppressed ones too, since their rows are kept.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed, or the filter names too much.
        """
        return await self._reader.patterns(workspace_id, wanted or PatternFilter(), first=first, after=after)

    async def search_patterns(self, workspace_id: str, query: str, *, first: int = 20) -> list[AgentPattern]:
        """Return the promoted patterns of what a query says, by the runs it finds that show them.

        Suppressed ones too, since their rows are kept.

        Raises:
            InvalidInput: The query is blank or longer than 2000 characters, or ``first`` is not between 1 and 200.
            Unavailable: The graph does not answer.
        """
        return await self._reader.search_patterns(workspace_id, query, first=first)

    async def patterns_for(
        self,
        workspace_id: str,
        *,
        node_types: Sequence[str] = (),
        target_ids: Sequence[str] = (),
        action_type: str | None = None,
        limit: int = 10,
    ) -> list[AgentPattern]:
        """Return what an agent should know before it acts on nodes of some types.

        Promoted, unsuppressed patterns of the types named and of the entities named, those of the action first, then
        the most confident; without types and entities, those of the action on anything. ``graph.telemetry.wording``
        tells them. Empty where memory is off.

        Raises:
            InvalidInput: More than 100 types or entities are named.
            NotFound: There is no such workspace.
        """
        return await self._reader.patterns_for(
            workspace_id,
            node_types=node_types,
            target_ids=target_ids,
            action_type=action_type,
            limit=limit,
        )

    async def actions_of(
        self, workspace_id: str, sequence_ids: Sequence[str], *, first: int
    ) -> dict[str, list[AgentAction]]:
        """Return the earliest actions of sequences, in their order.

        Raises:
            InvalidInput: ``first`` is not between 1 and 200.
        """
        return await self._reader.actions_of(workspace_id, sequence_ids, first=first)

    async def actions_on(
        self, workspace_id: str, target_ids: Sequence[str], *, first: int = 20, after: str | None = None
    ) -> dict[str, Page[AgentAction]]:
        """Return a page of each entity's agent history, the latest first.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed.
        """
        return await self._reader.actions_on(workspace_id, target_ids, first=first, after=after)

    async def evidence_of(
        self, workspace_id: str, pattern_ids: Sequence[str], *, first: int
    ) -> dict[str, list[AgentSequence]]:
        """Return the sequences that patterns rest on, the latest first.

        Raises:
            InvalidInput: ``first`` is not between 1 and 200.
        """
        return await self._reader.evidence_of(workspace_id, pattern_ids, first=first)

    @takes_long
    async def promote(self, workspace_id: str, *, dry_run: bool = False) -> list[AgentPattern]:
        """Promote from what was captured and not yet tallied, which workers otherwise do by themselves.

        Returns:
            The promoted patterns and those this run demoted, at most 200, the most confident first; ``change`` says
            what the run did to each. A dry run returns the same and changes nothing.

        Raises:
            Unavailable: The graph does not answer.
        """
        if dry_run:
            return await self._promoter.preview(workspace_id)
        return await self._promoter.promote(workspace_id)

    async def run_promotion_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Tally the sequences that claimed jobs name.

        Raises:
            Unavailable: The graph does not answer.
        """
        await self._promoter.run_jobs(jobs)

    async def annotate(
        self, workspace_id: str, id_: str, *, note: str | None = None, suppressed: bool | None = None
    ) -> AgentPattern:
        """Change what an operator says of a pattern; None keeps what there is, an empty note removes it.

        Raises:
            InvalidInput: The note is longer than 500 characters.
            NotFound: There is no such pattern in the workspace.
        """
        properties: dict[str, Any] = {}
        if note is not None:
            properties["note"] = _note(note)
        if suppressed is not None:
            properties["suppressed"] = suppressed
        row = await queries.annotate_pattern(
            self._database,
            workspace_id=workspace_id,
            id=id_,
            properties=properties,
            now=self._clock.now(),
        )
        if row is None:
            raise NotFound(f"there is no pattern {id_!r} in this workspace", field="id")
        return row.pattern

    async def delete_sequence(self, workspace_id: str, id_: str) -> bool:
        """Delete a sequence with its actions and settle the patterns it was evidence of; False where there is none.

        Raises:
            Unavailable: The graph does not answer.
        """
        return bool(await self._promoter.forget(workspace_id, [id_]))


def _note(note: str) -> str | None:
    text = " ".join(storable("note", note).split())
    if len(text) > MOST_NOTE_CHARS:
        raise InvalidInput("note", f"note must have at most {MOST_NOTE_CHARS} characters, got {len(text)}")
    return text or None
