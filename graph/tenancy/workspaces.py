"""Use cases of workspaces."""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.ids import new_workspace_id
from graph.core.lookups import Lookups
from graph.core.models import AuditAction
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.scope import require_whole_workspace
from graph.core.text.checks import short_name
from graph.core.text.normal_forms import composed
from graph.core.working_set import WorkingSet
from graph.tenancy import queries
from graph.tenancy.models import MEMORY_OFF, Principal, Scope, Workspace
from graph.tenancy.settings import MEMORY_ENABLED, WorkspaceSettings, merged

_KNOWN_SECONDS = 2.0  # maximum delay until this process sees another process's change
_KNOWN_WORKSPACES = 10_000
_NODES_PER_TRANSACTION = 5000

OnRemoved = Callable[[Runner, str, datetime], Awaitable[None]]
"""Callback with the transaction, the workspace's id and the time."""


async def _keep_nothing_else(runner: Runner, workspace_id: str, now: datetime) -> None:
    """Delete nothing in addition to the workspace."""


class Workspaces:
    """The use cases of tenants; lives as long as the process. The caller checks the permission."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        working_set: WorkingSet | None = None,
        *,
        on_removed: OnRemoved | None = None,
        new_memory_enabled: bool = False,
    ) -> None:
        """Create the use cases.

        Args:
            database: The graph.
            clock: Current time.
            working_set: Working set, whose slots are deleted with a workspace.
            on_removed: Further deletions, in the transaction that removes the workspace.
            new_memory_enabled: Default of the memory switch of new workspaces.
        """
        self._database = database
        self._clock = clock
        self._working_set = working_set
        self._on_removed = on_removed or _keep_nothing_else
        self._new_memory_enabled = new_memory_enabled
        self._known = Lookups[WorkspaceSettings](_KNOWN_WORKSPACES, seconds=_KNOWN_SECONDS)
        self._there = Lookups[bool](_KNOWN_WORKSPACES, seconds=_KNOWN_SECONDS)

    async def settings_of(self, workspace_id: str) -> WorkspaceSettings:
        """Return the settings of a workspace; empty settings if it does not exist."""
        known = self._known.get(workspace_id)
        if known is None:
            begun = self._known.begin()
            workspace = await queries.find_workspace(self._database, workspace_id=workspace_id)
            settings = workspace.settings if workspace else {}
            known = WorkspaceSettings.of(settings, workspace_id=workspace_id)
            self._known.keep(workspace_id, known, begun)
        return known

    async def ensure_default(self) -> Workspace:
        """Return the default workspace; create it at the first start.

        Its memory switch gets the deployment's default for new workspaces.
        """
        return await queries.ensure_default_workspace(
            self._database,
            id=new_workspace_id(),
            memory_enabled=self._new_memory_enabled,
            now=self._clock.now(),
        )

    async def create(
        self, name: str, *, memory_enabled: bool | None = None, claims_name: bool = False
    ) -> Workspace:
        """Create a workspace.

        Args:
            name: Name for people.
            memory_enabled: Memory switch; None: the deployment's default, which is off unless set.
            claims_name: True if the name must be unique (ignoring case), for people who find the workspace by name.
                Existing duplicate names stay.

        Raises:
            InvalidInput: The name is blank or too long.
            Conflict: The name must be unique, and another workspace has it.
        """
        checked, now, id_ = _name(name), self._clock.now(), new_workspace_id()
        is_on = self._new_memory_enabled if memory_enabled is None else memory_enabled

        async def work(tx: Runner) -> Workspace:
            if claims_name:
                await _claim_name(tx, checked, id_, now)
            workspace = await queries.create_workspace(
                tx,
                workspace_id=id_,
                name=checked,
                settings="{}",
                memory_enabled=is_on,
                now=now,
            )
            await note_act(tx, AuditAction.WORKSPACE_CREATED, id_, now=now)
            return workspace

        return await self._database.transaction(work)

    async def ensure(
        self, workspace_id: str, name: str, *, memory_enabled: bool, settings: Mapping[str, Any]
    ) -> bool:
        """Create a workspace with an id unless it exists; return whether it was created.

        An existing workspace stays unchanged. If another workspace has the name, the id is appended to the name.

        Raises:
            Conflict: A workspace with the id was deleted, and its data still exist.
        """
        if await queries.find_workspace(self._database, workspace_id=workspace_id) is not None:
            return False
        now = self._clock.now()

        async def work(tx: Runner) -> None:
            await queries.lock_workspace_names(tx, now=now)
            taken = await queries.find_workspace_named(tx, name=name, except_id=workspace_id)
            await queries.create_workspace(
                tx,
                workspace_id=workspace_id,
                name=f"{name} ({workspace_id})" if taken else name,
                settings=json.dumps(settings),
                memory_enabled=memory_enabled,
                now=now,
            )
            await note_act(tx, AuditAction.WORKSPACE_CREATED, workspace_id, now=now)

        await self._database.transaction(work)
        return True

    async def get(self, workspace_id: str) -> Workspace:
        """Return one workspace.

        Raises:
            NotFound: The workspace does not exist, or was deleted.
        """
        workspace = await queries.find_workspace(self._database, workspace_id=workspace_id)
        if workspace is None:
            raise _not_found(workspace_id)
        return workspace

    async def require(self, workspace_id: str) -> None:
        """Check that a workspace exists; after a deletion in another process it counts for two more seconds.

        Raises:
            NotFound: The workspace does not exist, or was deleted.
        """
        if not self._there.get(workspace_id):
            begun = self._there.begin()
            await self.get(workspace_id)
            self._there.keep(workspace_id, value=True, begun=begun)

    async def why_nothing_is_stored(self, workspace_id: str) -> str | None:
        """Return the reason why this workspace stores no actions and messages; None if it does.

        Raises:
            NotFound: The workspace does not exist, or was deleted.
        """
        return None if (await self.get(workspace_id)).memory_enabled else MEMORY_OFF

    async def page(
        self, *, called: str | None = None, first: int = 50, after: str | None = None
    ) -> Page[Workspace]:
        """Return a page of all workspaces, or of those with an id or name, oldest first."""
        paging = Paging.of(first, after)
        name = None if called is None else composed(called)
        found = await queries.list_workspaces(self._database, called=name, **paging.by_creation)
        return paging.page(found, lambda w: Cursor(date=w.created_at, id=w.id))

    async def visible(
        self, principal: Principal, *, called: str | None = None, first: int = 50, after: str | None = None
    ) -> Page[Workspace]:
        """Return a page of the workspaces a principal may see: all for an administrator, else its own.

        Args:
            principal: Caller.
            called: Exact id or name of the workspaces to return; None: all.
            first: Maximum number of workspaces.
            after: Cursor after which the page starts.
        """
        if principal.may(Scope.ADMIN):
            return await self.page(called=called, first=first, after=after)
        own = await self.get(principal.workspace_id)
        if called is not None and composed(called) not in (own.id, own.name):
            return Page(items=[], cursors=[], has_more=False)
        return Page(items=[own], cursors=[Cursor(date=own.created_at, id=own.id)], has_more=False)

    async def switch_memory(self, workspace_id: str, *, is_on: bool) -> Workspace:
        """Turn the memory of a workspace on or off, for all its users.

        Raises:
            Forbidden: The task sees only one user's or agent's memory.
            NotFound: The workspace does not exist.
        """
        require_whole_workspace("switching memory")
        return await self.update(workspace_id, memory_enabled=is_on)

    async def update(
        self,
        workspace_id: str,
        *,
        name: str | None = None,
        memory_enabled: bool | None = None,
        settings: Mapping[str, Any] | None = None,
        beside: Callable[[Runner], Awaitable[None]] | None = None,
    ) -> Workspace:
        """Change the given fields; settings are merged, and null resets a setting to its default.

        Raises:
            NotFound: The workspace does not exist.
            InvalidInput: The name is blank or too long, or a setting is unknown or has an invalid value.
            Conflict: Another workspace has the name.
        """
        checked, now = None if name is None else _name(name), self._clock.now()
        if settings is not None and MEMORY_ENABLED in settings:
            memory_enabled = self._toggle(settings[MEMORY_ENABLED], memory_enabled)
            settings = {key: value for key, value in settings.items() if key != MEMORY_ENABLED}
        properties: dict[str, Any] = {} if checked is None else {"name": checked}
        if memory_enabled is not None:
            properties["memory_enabled"] = memory_enabled

        async def work(tx: Runner) -> Workspace:
            stored = await queries.lock_workspace(tx, workspace_id=workspace_id)
            if stored is None:
                raise _not_found(workspace_id)
            changes = dict(properties)
            if settings is not None:
                changes["settings"] = json.dumps(merged(stored.settings, settings))
            if beside is not None:
                await beside(tx)
            if checked is not None and checked != stored.name:
                await _claim_name(tx, checked, workspace_id, now)
            workspace = await queries.update_workspace(
                tx, workspace_id=workspace_id, properties=changes, now=now
            )
            if workspace is None:
                raise _not_found(workspace_id)
            if changes:
                await note_act(tx, AuditAction.WORKSPACE_UPDATED, workspace_id, now=now)
            return workspace

        changed = await self._database.transaction(work)
        self._known.forget(workspace_id)
        return changed

    def _toggle(self, setting: object, memory_enabled: bool | None) -> bool:
        """Return the memory switch that a setting means.

        Raises:
            InvalidInput: The setting is neither true, false nor null, or contradicts ``memory_enabled``.
        """
        field = f"settings.{MEMORY_ENABLED}"
        if setting is None:
            setting = self._new_memory_enabled
        if not isinstance(setting, bool):
            raise InvalidInput(field, f"{field} must be true, false or null, got {setting!r:.60}")
        if memory_enabled not in (None, setting):
            raise InvalidInput(field, f"{field} and memoryEnabled are the same switch; give only one of them")
        return setting

    async def delete(self, workspace_id: str, *, hard: bool = False) -> bool:
        """Delete a workspace: a soft delete closes it and keeps its data, a hard delete removes all data.

        Raises:
            NotFound: The workspace does not exist.
            Conflict: The workspace is the default one.
        """
        if not (hard and await queries.is_workspace_archived(self._database, workspace_id=workspace_id)):
            if (await self.get(workspace_id)).is_default:
                raise Conflict("the default workspace cannot be deleted", field="id")
            await self._archive(workspace_id)
        self._there.forget(workspace_id)
        return await self._delete_permanently(workspace_id) if hard else True

    async def _archive(self, workspace_id: str) -> None:
        async def work(tx: Runner) -> None:
            now = self._clock.now()
            await queries.archive_workspace(tx, workspace_id=workspace_id, now=now)
            await note_act(tx, AuditAction.WORKSPACE_DELETED, workspace_id, now=now)
            await self._on_removed(tx, workspace_id, now)

        await self._database.transaction(work)

    @takes_long
    async def _delete_permanently(self, workspace_id: str) -> bool:
        deleted = _NODES_PER_TRANSACTION
        while deleted == _NODES_PER_TRANSACTION:
            deleted = await queries.delete_workspace_nodes(
                self._database, workspace_id=workspace_id, limit=_NODES_PER_TRANSACTION
            )

        async def work(tx: Runner) -> None:
            if await queries.delete_workspace(tx, workspace_id=workspace_id) is None:
                raise _not_found(workspace_id)
            now = self._clock.now()
            await note_act(tx, AuditAction.WORKSPACE_REMOVED, workspace_id, now=now)
            await self._on_removed(tx, workspace_id, now)

        await self._database.transaction(work)
        if self._working_set is not None:
            await self._working_set.clear_workspace(workspace_id)
        return True


async def _claim_name(tx: Runner, name: str, workspace_id: str, now: datetime) -> None:
    """Lock a name, so that nobody else can take it before the transaction ends.

    Raises:
        Conflict: Another workspace has the name.
    """
    await queries.lock_workspace_names(tx, now=now)
    if await queries.find_workspace_named(tx, name=name, except_id=workspace_id) is not None:
        raise Conflict(f"a workspace named {name!r} already exists; choose another name", field="name")


def _name(name: str) -> str:
    checked = short_name("name", name, limit=200)
    if checked is None:
        raise InvalidInput("name", "name is required")
    return checked


def _not_found(workspace_id: str) -> NotFound:
    return NotFound(f"there is no workspace {workspace_id!r}", field="workspaceId")
