"""Use cases of archives: export of a workspace or of one user's data, and restoration into a workspace."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from typing import BinaryIO

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.deadlines import long_work
from graph.core.errors import InvalidInput, NotFound
from graph.core.models import AuditAction
from graph.core.ports import Clock
from graph.core.text.checks import short_text
from graph.operations import queries
from graph.operations.archive.chains import Chains
from graph.operations.archive.checking import CheckedArchive, check
from graph.operations.archive.exporting import Export
from graph.operations.archive.format import ARCHIVED, WORKSPACE_ID, WorkspaceRecord
from graph.operations.archive.restoring import Completion, KnownNodes, Restore
from graph.operations.erasure import FILLER_PREFIX
from graph.operations.models import ArchiveStream, RestoreProgress
from graph.telemetry.promoting import PatternPromoter
from graph.tenancy.settings import unreadable
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.service import Embeddings

# An entity's type may equal a label that a later release introduces, so entities are recognised first.
_LABELS = ["Entity", *(label for label in ARCHIVED if label != "Entity")]
_KNOWN_TOGETHER = 1000


class Archives:
    """Exports and restores workspaces; lives as long as the process. The caller checks the permission."""

    def __init__(
        self,
        database: Database,
        workspaces: Workspaces,
        embeddings: Embeddings,
        mirroring: Mirroring,
        promoter: PatternPromoter,
        clock: Clock,
    ) -> None:
        self._database = database
        self._workspaces = workspaces
        self._embeddings = embeddings
        self._mirroring = mirroring
        self._promoter = promoter
        self._clock = clock

    async def export(
        self, workspace_id: str, *, user_id: str | None = None, vectors: bool = False
    ) -> ArchiveStream:
        """Return a workspace's contents as a packed stream; concurrent changes may or may not be included.

        Raises:
            NotFound: The workspace does not exist, or has no data of the user.
            InvalidInput: The user's id is blank or too long.
        """
        user = short_text("userId", user_id)
        workspace = await self._workspaces.get(workspace_id)
        index = self._embeddings.active if vectors else None
        with long_work():
            rows = await self._listed(workspace_id, user)
        refs = {row.label: row.refs for row in rows}
        if user is not None and not refs:
            raise NotFound(f"there is no data of a user {user!r} in this workspace", field="userId")
        left_out = unreadable(workspace.settings)  # a restore would refuse these settings
        now = self._clock.now()
        await note_act(self._database, AuditAction.WORKSPACE_EXPORTED, workspace_id, count=1, now=now)
        record = WorkspaceRecord(
            workspace_id=workspace_id,
            name=workspace.name,
            memory_enabled=workspace.memory_enabled,
            settings={n: value for n, value in workspace.settings.items() if n not in left_out},
            user_id=user,
            vectors=index.signature if index else None,
            nodes=sum(map(len, refs.values())),
        )
        export = Export(self._database, record, refs, index, now)
        return ArchiveStream(nodes=record.nodes, pieces=export.pieces())

    async def check(self, file: BinaryIO) -> CheckedArchive:
        """Read a whole archive without writing anything.

        Raises:
            InvalidInput: The file is not an archive, has another version, is truncated or altered, or contains data
                that exports never write.
        """
        file.seek(0)
        return await asyncio.to_thread(check, file)

    async def restore(
        self, workspace_id: str, archive: CheckedArchive, file: BinaryIO
    ) -> AsyncGenerator[RestoreProgress]:
        """Write a checked archive into a workspace, which is created if necessary; yield the progress.

        Existing nodes stay unchanged, so a repetition changes nothing. An interrupted restore keeps the written nodes,
        and restoring the same archive again completes it.

        Raises:
            InvalidInput: The workspace id is not valid.
            Conflict: A workspace with the id was deleted and its data still exist, or other writers keep claiming the
                same keys.
        """
        if not WORKSPACE_ID.fullmatch(workspace_id):
            raise InvalidInput(
                "workspaceId", "workspaceId must be ws_ followed by lower-case letters or digits"
            )
        record = archive.workspace
        known = KnownNodes()
        if not await self._workspaces.ensure(
            workspace_id, record.name, memory_enabled=record.memory_enabled, settings=record.settings
        ):
            known = await self._known(workspace_id)
        digest = hashlib.sha256(archive.manifest.model_dump_json().encode()).hexdigest()
        before = await queries.note_restore(self._database, workspace_id=workspace_id, digest=digest)
        now = self._clock.now()
        restore = Restore(
            self._database,
            self._mirroring,
            archive,
            workspace_id,
            await self._index_for(record.vectors),
            known,
            lambda: self._known(workspace_id),
            before == digest,
            now,
            Completion(self._database, self._promoter, workspace_id, now),
            Chains(self._database, workspace_id, now),
        )
        progress = None
        async for progress in restore.run(file):
            yield progress
        await queries.note_restore(self._database, workspace_id=workspace_id, digest=None)
        await note_act(self._database, AuditAction.WORKSPACE_RESTORED, workspace_id, now=self._clock.now())
        last = progress or RestoreProgress(workspace_id=workspace_id, total_nodes=0, total_edges=0)
        yield last.model_copy(update={"is_done": True})

    async def _index_for(self, signature: str | None) -> VectorIndex | None:
        """Return the index for vectors of an embedder, if this embedder is in use and no change is under way."""
        await self._embeddings.refresh()
        active = self._embeddings.active
        if active is None or self._embeddings.building is not None or active.signature != signature:
            return None
        return active

    async def _listed(self, workspace_id: str, user_id: str | None) -> list[queries.ListArchiveNodesRow]:
        return await queries.list_archive_nodes(
            self._database,
            workspace_id=workspace_id,
            user_id=user_id,
            labels=_LABELS,
            filler_prefix=FILLER_PREFIX,
        )

    async def _known(self, workspace_id: str) -> KnownNodes:
        known = KnownNodes()
        with long_work():
            for group in await self._listed(workspace_id, None):
                for first in range(0, len(group.refs), _KNOWN_TOGETHER):
                    rows = await queries.get_archive_identities(
                        self._database,
                        workspace_id=workspace_id,
                        refs=group.refs[first : first + _KNOWN_TOGETHER],
                        label=group.label,
                    )
                    for row in rows:
                        known.add_stored(group.label, row.properties, row.ref)
        return known
