"""Changes or deletes all memories of a selection, in batches of one transaction each."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput
from graph.core.models import Frozen
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.scope import SHARED, owner_named, search_term
from graph.core.text.checks import short_text, storable
from graph.core.text.normal_forms import is_blank
from graph.core.time import in_utc
from graph.memories import queries, rules
from graph.memories.deletion import Deleter
from graph.memories.filtering import filter_parameters, restricts
from graph.memories.models import Memory, MemoryFilter
from graph.memories.policy import MemoryPolicy
from graph.memories.queries import SelectedMemoryRow
from graph.memories.saving.applying import PlanRunner
from graph.memories.saving.writing import BatchWriter
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


class Selection(Frozen):
    """Selection of the memories that match all given conditions.

    Attributes:
        ids: At most 1000 ids; empty: all memories.
        filter: Filter of lists.
        metadata: Values of top-level metadata fields, by name; empty: all memories.
    """

    ids: tuple[str, ...] = ()
    filter: MemoryFilter = MemoryFilter()
    metadata: Mapping[str, str | int | float | bool | None] = {}


class Owner(Frozen):
    """New owner of the memories; None: shared by the workspace."""

    user_id: str | None = None
    agent_id: str | None = None


class BulkChange(Frozen):
    """Changes to the selected memories; unset fields stay unchanged.

    Attributes:
        expires_at: New expiry; None, if set: the memories never expire.
    """

    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    expires_at: datetime | None = None
    move_to: Owner | None = None

    @property
    def sets_expiry(self) -> bool:
        """True if the change sets or clears the expiry."""
        return "expires_at" in self.model_fields_set


class SkippedMemory(Frozen):
    """A selected memory that stays unchanged."""

    id: str
    reason: str


class BulkReport(Frozen):
    """Effect of the operation, or in a dry run its expected effect.

    Attributes:
        matched: Number of selected memories.
        changed: Number of changed or deleted memories.
        skipped: The first 100 skipped memories; excludes memories that already have the new state.
    """

    matched: int
    changed: int
    skipped: tuple[SkippedMemory, ...]
    dry_run: bool


_TOGETHER = 200
_MOST_IDS = 1000
_MOST_REPORTED = 100
_TURN = "a conversation turn keeps the owner of its conversation"
_OWNER = ("user_id", "agent_id")
_KEY_TAKEN = "another memory of the new owner has its key"


@dataclass
class _Counts:
    matched: int = 0
    changed: list[str] = field(default_factory=list)
    skipped: list[SkippedMemory] = field(default_factory=list)

    def report(self, *, dry_run: bool) -> BulkReport:
        return BulkReport(
            matched=self.matched,
            changed=len(self.changed),
            skipped=tuple(self.skipped[:_MOST_REPORTED]),
            dry_run=dry_run,
        )


class BulkMemories:
    """Changes and deletes live memories in bulk; lives as long as the process.

    Args:
        on_changed: Called after each commit with the workspace and the changed ids.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        policy: MemoryPolicy,
        deleter: Deleter,
        embeddings: Embeddings,
        mirroring: Mirroring,
        on_changed: Callable[[str, Sequence[str]], None],
    ) -> None:
        self._database = database
        self._clock = clock
        self._policy = policy
        self._deleter = deleter
        self._embeddings = embeddings
        self._mirroring = mirroring
        self._on_changed = on_changed

    @takes_long
    async def delete(
        self, workspace_id: str, selection: Selection, *, hard: bool = False, dry_run: bool = False
    ) -> BulkReport:
        """Delete the selected memories, softly unless ``hard``.

        Raises:
            InvalidInput: The selection has no condition, or one of its fields is malformed.
            Unavailable: The graph does not answer; memories deleted so far stay deleted.
        """
        counts = _Counts()
        async for rows in self._pages(workspace_id, selection):
            counts.matched += len(rows)
            touches(*(row.id for row in rows))
            counts.changed += (
                [row.id for row in rows]
                if dry_run
                else await self._delete_some(workspace_id, selection, rows, hard=hard)
            )
        return counts.report(dry_run=dry_run)

    @takes_long
    async def change(
        self, workspace_id: str, selection: Selection, change: BulkChange, *, dry_run: bool = False
    ) -> BulkReport:
        """Change the tags, the owner or the expiry of the selected memories.

        Raises:
            InvalidInput: The selection has no condition, the change sets nothing, a field is malformed, or a memory
                would have too many tags; no memory is changed.
            Forbidden: The new owner is one that the caller may not act for.
            Unavailable: The graph does not answer; memories changed so far stay changed.
        """
        properties = _validated(change)
        if change.add_tags:
            await self._check_tags(workspace_id, selection, change)
        counts = _Counts()
        taken: set[str] = set()
        async for rows in self._pages(workspace_id, selection):
            counts.matched += len(rows)
            touches(*(row.id for row in rows))
            stay = {row.id for row in rows if row.is_turn and _moves(row, properties)}
            counts.skipped += [SkippedMemory(id=id_, reason=_TURN) for id_ in sorted(stay)]
            going = [row for row in rows if row.id not in stay and _changes(row, change, properties)]
            if dry_run:
                await self._count_expected(workspace_id, going, properties, taken, counts)
            elif going:
                ids = [row.id for row in going]
                await self._change_some(workspace_id, selection, ids, change, properties, counts)
        return counts.report(dry_run=dry_run)

    async def _count_expected(
        self,
        workspace_id: str,
        rows: Sequence[SelectedMemoryRow],
        properties: Mapping[str, Any],
        taken: set[str],
        counts: _Counts,
    ) -> None:
        """Count the memories that a change would change or skip, and add the keys that the new owner would have."""
        keys = [row.key for row in rows if row.key is not None and _moves(row, properties)]
        if keys:
            taken |= set(
                await queries.list_taken_keys(
                    self._database,
                    workspace_id=workspace_id,
                    user_id=properties["user_id"],
                    agent_id=properties["agent_id"],
                    keys=keys,
                )
            )
        for row in rows:
            moved = row.key if _moves(row, properties) else None
            if moved in taken:
                counts.skipped.append(SkippedMemory(id=row.id, reason=_KEY_TAKEN))
                continue
            counts.changed.append(row.id)
            taken |= {moved} if moved is not None else set()

    async def _check_tags(self, workspace_id: str, selection: Selection, change: BulkChange) -> None:
        async for rows in self._pages(workspace_id, selection):
            for row in rows:
                if (count := len(_changed_tags(row.tags, change))) > rules.MAX_TAGS:
                    raise InvalidInput(
                        "addTags",
                        f"addTags: memory {row.id!r} would have {count} tags; at most {rules.MAX_TAGS} are allowed",
                    )

    async def _delete_some(
        self, workspace_id: str, selection: Selection, rows: Sequence[SelectedMemoryRow], *, hard: bool
    ) -> list[str]:
        async def still(tx: Runner) -> set[str]:
            ids = [row.id for row in rows]
            return {row.id for row in await self._selected(tx, workspace_id, selection, ids)}

        return await self._deleter.delete_all(workspace_id, [row.id for row in rows], still, hard=hard)

    async def _pages(self, workspace_id: str, selection: Selection) -> AsyncIterator[list[SelectedMemoryRow]]:
        _check(selection)
        pages = self._pages_of_ids if selection.ids else self._pages_of_filter
        async for rows in pages(workspace_id, selection):
            if rows:
                yield rows

    async def _pages_of_ids(
        self, workspace_id: str, selection: Selection
    ) -> AsyncIterator[list[SelectedMemoryRow]]:
        ids = sorted({storable("ids", id_) for id_ in selection.ids})
        for first in range(0, len(ids), _TOGETHER):
            yield await self._selected(
                self._database, workspace_id, selection, ids[first : first + _TOGETHER]
            )

    async def _pages_of_filter(
        self, workspace_id: str, selection: Selection
    ) -> AsyncIterator[list[SelectedMemoryRow]]:
        filter_ = filter_parameters(selection.filter)
        after_id, is_last = "", False
        while not is_last:
            rows = await queries.list_selected_memories(
                self._database,
                workspace_id=workspace_id,
                filter=filter_,
                after_id=after_id,
                now=self._clock.now(),
                limit=_TOGETHER,
            )
            is_last = len(rows) < _TOGETHER
            after_id = rows[-1].id if rows else ""
            yield [row for row in rows if _has(row.metadata, selection)]

    async def _selected(
        self, runner: Runner, workspace_id: str, selection: Selection, ids: Sequence[str]
    ) -> list[SelectedMemoryRow]:
        """Return the rows of those ids that match the selection."""
        rows = await queries.list_memories_selected_by_id(
            runner,
            workspace_id=workspace_id,
            filter=filter_parameters(selection.filter),
            ids=ids,
            now=self._clock.now(),
        )
        return [row for row in rows if _has(row.metadata, selection)]

    async def _change_some(
        self,
        workspace_id: str,
        selection: Selection,
        ids: Sequence[str],
        change: BulkChange,
        properties: dict[str, Any],
        counts: _Counts,
    ) -> None:
        """Change the memories that still match in one transaction; if it conflicts, each in its own."""

        async def work(tx: Runner) -> list[str]:
            now = self._clock.now()
            locked = await queries.lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=[])
            still = {row.id for row in await self._selected(tx, workspace_id, selection, ids)}
            rows = [row for row in locked if row.memory.id in still]
            writer = BatchWriter(workspace_id, now=now, stored=rows, tails={})
            changed = []
            for row in rows:
                if changes := _changes(row.memory, change, properties):
                    moved = _moved(properties["user_id"]) if _moves(row.memory, properties) else {}
                    writer.change(row, {**changes, **moved}, None)
                    changed.append(row.memory.id)
            placeholders = self._policy.placeholder_vectors
            runner = PlanRunner(tx, workspace_id, self._embeddings.active, now, self._mirroring, placeholders)
            await runner.apply(writer.plan)
            return changed

        try:
            changed = await self._database.transaction(work)
        except Conflict:
            if len(ids) == 1:
                counts.skipped.append(SkippedMemory(id=ids[0], reason=_KEY_TAKEN))
                return
            for id_ in ids:
                await self._change_some(workspace_id, selection, [id_], change, properties, counts)
        else:
            counts.changed += changed
            self._on_changed(workspace_id, changed)


def _check(selection: Selection) -> None:
    """Refuse a selection that is malformed or would match every memory."""
    text = selection.filter.text
    if text is not None and is_blank(text):  # a list takes it as left out; here that may delete everything
        raise InvalidInput("text", "text must not be blank; leave it out instead")
    is_open = not selection.ids and not selection.metadata
    if not restricts(filter_parameters(selection.filter)) and is_open:
        raise InvalidInput(
            "selection",
            "selection must name ids, metadata, or a filter that excludes something: empty lists, minImportance 0 "
            "and minConfidence 0 exclude nothing",
        )
    if len(selection.ids) > _MOST_IDS:
        raise InvalidInput("ids", f"ids must have at most {_MOST_IDS} entries, got {len(selection.ids)}")


def _has(metadata: str | None, selection: Selection) -> bool:
    if not selection.metadata:
        return True
    held = from_json(metadata) if metadata else {}
    return all(name in held and _is_same(held[name], value) for name, value in selection.metadata.items())


def _is_same(held: Any, named: Any) -> bool:
    """Tell whether two values are equal in JSON; in Python, true equals 1 and false equals 0."""
    return bool(held == named and isinstance(held, bool) is isinstance(named, bool))


def _validated(change: BulkChange) -> dict[str, Any]:
    """Validate a change; return the new properties of every memory, apart from tags."""
    properties: dict[str, Any] = {}
    if change.sets_expiry:
        properties["expires_at"] = in_utc("expiresAt", change.expires_at)
    if change.move_to is not None:
        properties |= _owner(change.move_to)
    rules.validated_tags(change.add_tags, field="addTags")
    rules.validated_tags(change.remove_tags, field="removeTags")
    if not properties and not change.add_tags and not change.remove_tags:
        raise InvalidInput("change", "change must set addTags, removeTags, expiresAt or moveTo")
    return properties


def _owner(owner: Owner) -> dict[str, str]:
    named = short_text("userId", owner.user_id), short_text("agentId", owner.agent_id)
    user_id, agent_id = owner_named(*named)
    return {"user_id": user_id or SHARED, "agent_id": agent_id or SHARED}


def _moved(user_id: str) -> dict[str, str | None]:
    return {"dedup_key": None, "search_user": search_term(user_id)}


def _changes(
    memory: Memory | SelectedMemoryRow, change: BulkChange, properties: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the new properties of a memory; empty if it already has all of them."""
    changes = {**properties, **_tags_of(memory.tags, change)}
    return changes if any(_stored(memory, name) != value for name, value in changes.items()) else {}


def _moves(memory: Memory | SelectedMemoryRow, properties: Mapping[str, Any]) -> bool:
    return any(_stored(memory, name) != properties[name] for name in _OWNER if name in properties)


def _stored(memory: Memory | SelectedMemoryRow, name: str) -> Any:
    value = getattr(memory, name)
    if name in _OWNER:
        return value or SHARED
    return list(value) if name == "tags" else value


def _tags_of(tags: Sequence[str], change: BulkChange) -> dict[str, list[str]]:
    if not change.add_tags and not change.remove_tags:
        return {}
    return {"tags": _changed_tags(tags, change)}


def _changed_tags(tags: Sequence[str], change: BulkChange) -> list[str]:
    removed = set(rules.validated_tags(change.remove_tags))
    remaining = [tag for tag in tags if tag not in removed]
    return list(dict.fromkeys((*remaining, *rules.validated_tags(change.add_tags))))
