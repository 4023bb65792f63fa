"""Tools that list automatic changes and undo one."""

from datetime import datetime
from typing import Any

from pydantic import Field

from app.surfaces.mcp.tool import READS, SETS, Arguments, Call, Result, Tool
from app.surfaces.tools import Count
from graph.core.models import AutomaticChange, ChangeKind, SubjectKind
from graph.core.pages import MAX_PAGE
from graph.tenancy.models import Scope


class ChangesToList(Arguments):
    """Arguments of ``list_changes``."""

    kinds: list[ChangeKind] = Field([], description="Only these kinds; omitted or empty: all.")
    limit: Count = Field(20, ge=1, le=MAX_PAGE)
    cursor: str | None = Field(None, description="Cursor of an earlier page.")


class ChangeToUndo(Arguments):
    """Arguments of ``undo_change``."""

    id: str = Field(description="Id of the change, from list_changes.")


class ListedChange(Result):
    """An automatic change."""

    id: str
    kind: ChangeKind
    subject_kind: SubjectKind
    subject_id: str | None
    cause_id: str | None
    rule: str
    words: str | None
    before: dict[str, Any] | None
    count: int
    job: str | None
    created_at: datetime
    undone_at: datetime | None
    can_be_undone: bool

    @classmethod
    def of(cls, change: AutomaticChange) -> "ListedChange":
        """Return the form of a change."""
        fields = {name: getattr(change, name) for name in cls.model_fields if name != "before"}
        return cls(**fields, before=change.before_in_camel_case)


class ListedChanges(Result):
    """A page of automatic changes."""

    changes: list[ListedChange]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last.")


async def _list(call: Call, arguments: ChangesToList) -> ListedChanges:
    page = await call.services.operations.changes.page(
        call.workspace_id, kinds=arguments.kinds, first=arguments.limit, after=arguments.cursor
    )
    return ListedChanges(
        changes=[ListedChange.of(change) for change in page.items],
        next_cursor=page.cursors[-1].encode() if page.has_more else None,
    )


async def _undo(call: Call, arguments: ChangeToUndo) -> ListedChange:
    return ListedChange.of(await call.services.operations.changes.undo(call.workspace_id, arguments.id))


TOOLS = (
    Tool(
        "list_changes",
        "List automatic changes",
        "Use it when somebody asks why a memory exists, changed or is gone: lists automatic changes (learnt, merged, "
        "closed, compacted, archived, forgotten), the newest first.",
        ChangesToList,
        ListedChanges,
        Scope.READ,
        READS,
        _list,
        names={"first": "limit", "after": "cursor"},
    ),
    Tool(
        "undo_change",
        "Undo an automatic change",
        "Use it when somebody asks to undo an automatic change. The same evidence does not repeat the change.",
        ChangeToUndo,
        ListedChange,
        Scope.WRITE,
        SETS,
        _undo,
    ),
)
