"""Changes stored memories, and restores earlier texts and deleted memories."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graph.core.database import Database
from graph.core.errors import Conflict, NotFound
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.scope import SHARED
from graph.memories import queries, rules
from graph.memories.deletion.marks import marks_of_memory
from graph.memories.deletion.queries import lift_marks
from graph.memories.derived_keys import following_key
from graph.memories.models import Memory, MemoryChange
from graph.memories.policy import MOST_CHARS, MOST_TURN_CHARS, MemoryPolicy
from graph.memories.queries import LockMemoriesRow
from graph.memories.saving.applying import PlanRunner
from graph.memories.saving.preparing import Preparer
from graph.memories.saving.writing import BatchWriter, require
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Restored:
    """The memory after a restore, and the effects of the restore: none if both are false."""

    memory: Memory
    was_gone: bool
    is_changed: bool


class Changer:
    """The use cases of changing and restoring; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        preparer: Preparer,
        policy: MemoryPolicy,
        mirroring: Mirroring,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._preparer = preparer
        self._policy = policy
        self._mirroring = mirroring

    async def update(
        self, workspace_id: str, id_: str, change: MemoryChange, *, expected_version: int | None = None
    ) -> Memory:
        """Change the fields that were set, under the lock of the memory; see ``Memories.update``."""
        given = rules.validated_change(change)
        if given.get("embedding") is not None:
            given["embedding"] = rules.validated_embedding(
                given["embedding"], self._embeddings.require_dimension()
            )
        self._preparer.guard({name: given.get(name) for name in ("content", "summary", "metadata", "key")})

        async def work(tx: Runner) -> Memory:
            found = await self._lock(tx, workspace_id, id_)
            self._check_may_change(found, given)
            if expected_version not in (None, found.memory.version):
                raise Conflict(f"memory {id_!r} has another text by now: read it again", field="version")
            properties = dict(given)
            if "content" in properties:
                properties["content"] = rules.validated_content(properties["content"], self._longest(found))
            embedding = properties.pop("embedding", None)
            properties |= await self._key_after(tx, workspace_id, found.memory, properties)
            lasting = rules.lasting_metadata(found.memory, properties.get("content"))
            if "metadata" in properties or lasting != found.memory.metadata:
                merged = rules.merged_metadata(lasting, properties.get("metadata", {}))
                properties["metadata"] = rules.as_json(merged)
            return await self._apply(tx, workspace_id, found, properties, embedding)

        try:
            return await self._database.transaction(work)
        except Conflict as error:
            if "key" not in given or error.field == "version":
                raise
            raise Conflict(f"key {given['key']!r} belongs to another memory", field="key") from error

    async def restore(self, workspace_id: str, id_: str, version: int | None) -> Restored:
        """Undo a soft delete or an expiry, or go back to a version, under the lock of the memory."""

        async def work(tx: Runner) -> Restored:
            found = await self._lock(tx, workspace_id, id_)
            properties: dict[str, Any] = {}
            if version is not None and version != found.memory.version:
                properties["content"] = await _text_of_version(tx, workspace_id, id_, version)
                properties |= await self._key_after(tx, workspace_id, found.memory, properties)
                lasting = rules.lasting_metadata(found.memory, properties["content"])
                properties["metadata"] = rules.as_json(lasting)
            now = self._clock.now()
            if found.memory.deleted_at is not None:
                properties["deleted_at"] = None
                marks = marks_of_memory(found.memory)
                await lift_marks(tx, workspace_id=workspace_id, marks=marks)
            if found.memory.expires_at is not None and found.memory.expires_at <= now:
                properties["expires_at"] = None
            if not properties:
                return Restored(found.memory, was_gone=False, is_changed=False)
            memory = await self._apply(tx, workspace_id, found, properties, None)
            was_gone = not properties.keys().isdisjoint({"deleted_at", "expires_at"})
            return Restored(memory, was_gone=was_gone, is_changed=True)

        return await self._database.transaction(work)

    async def change_within(
        self,
        tx: Runner,
        workspace_id: str,
        id_: str,
        properties_of: Callable[[Memory], Mapping[str, Any]],
    ) -> Memory:
        """Change a memory, deleted or not, in a caller's transaction; its new properties are decided under its lock.

        Raises:
            NotFound: There is no such memory.
        """
        found = await self._lock(tx, workspace_id, id_)
        properties = dict(properties_of(found.memory))
        return await self._apply(tx, workspace_id, found, properties, None) if properties else found.memory

    async def _key_after(
        self, tx: Runner, workspace_id: str, memory: Memory, given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the key that goes with the change: one that was derived from the old text follows the new one.

        A memory gives up its derived key where another has the new one already.
        """
        if "key" in given:
            return {} if given["key"] == memory.key else {"key_is_derived": False}
        content = given.get("content", memory.content)
        if memory.key is None or not memory.key_is_derived or content == memory.content:
            return {}
        key = following_key(memory.key, memory.content, content)
        if key == memory.key:
            return {}
        named = {"user_id": memory.user_id or SHARED, "agent_id": memory.agent_id or SHARED, "key": key}
        others = await queries.lock_memories(tx, workspace_id=workspace_id, ids=[], keys=[named])
        return {"key": None, "key_is_derived": False} if others else {"key": key}

    async def _lock(self, tx: Runner, workspace_id: str, id_: str) -> LockMemoriesRow:
        rows = await queries.lock_memories(tx, workspace_id=workspace_id, ids=[id_], keys=[])
        return require(rows, id_)

    async def _apply(
        self,
        tx: Runner,
        workspace_id: str,
        found: LockMemoriesRow,
        properties: dict[str, Any],
        embedding: list[float] | None,
    ) -> Memory:
        now = self._clock.now()
        writer = BatchWriter(workspace_id, now=now, stored=[found], tails={})
        changed = writer.change(found, properties, embedding)
        placeholders = self._policy.placeholder_vectors
        index = self._embeddings.active
        runner = PlanRunner(tx, workspace_id, index, now, self._mirroring, placeholders)
        await runner.apply(writer.plan)
        return changed

    def _check_may_change(self, found: LockMemoriesRow, given: Mapping[str, Any]) -> None:
        """Check that a memory is there for its caller; an expired one is only for who gives it a new end.

        Raises:
            NotFound: It was deleted, or has expired.
        """
        memory = found.memory
        expires_at = given.get("expires_at", memory.expires_at)
        if not rules.is_live(deleted_at=memory.deleted_at, expires_at=expires_at, now=self._clock.now()):
            require([], memory.id)

    def _longest(self, found: LockMemoriesRow) -> int:
        is_turn = found.turn.get("turn_scope") is not None
        return MOST_TURN_CHARS if is_turn else MOST_CHARS


async def _text_of_version(tx: Runner, workspace_id: str, id_: str, version: int) -> str:
    content = await queries.find_version(tx, workspace_id=workspace_id, memory_id=id_, version=version)
    if content is None:
        raise NotFound(f"memory {id_!r} has no version {version}", field="version")
    return content
