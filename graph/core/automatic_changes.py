"""Records automatic changes in the transaction of the change."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from graph.core import queries
from graph.core.current_call import ACTING_JOB
from graph.core.ids import new_id
from graph.core.models import ChangeKind, NewChange
from graph.core.rows import Runner
from graph.core.scope import SHARED

MOST_WORDS: Final = 500
"""Maximum length of the words stored with a change, in characters."""


async def record_changes(
    tx: Runner, workspace_id: str, changes: Sequence[NewChange], *, now: datetime
) -> None:
    """Record automatic changes in one round trip; do nothing if there are none.

    Args:
        tx: Transaction of the changes, so that both are written or neither.
        workspace_id: Workspace of the changed nodes.
        changes: Changes in order; a change without a job gets the job of the current task.
        now: Time of the changes.
    """
    if changes:
        rows = [_row(change) for change in changes]
        await queries.create_automatic_changes(tx, workspace_id=workspace_id, changes=rows, now=now)


async def withdraw_changes(
    tx: Runner, workspace_id: str, kind: ChangeKind, subject_ids: Sequence[str], *, now: datetime
) -> None:
    """Mark changes of one kind as undone after the engine itself has reverted them."""
    if subject_ids:
        await queries.settle_automatic_changes(
            tx, workspace_id=workspace_id, ids=[], kind=kind, subject_ids=subject_ids, now=now
        )


def _row(change: NewChange) -> dict[str, Any]:
    """Return the properties of a change's node."""
    fields = change.model_dump(include=set(NewChange.model_fields))
    return {
        **fields,
        "id": new_id("chg"),
        "user_id": change.user_id or SHARED,
        "agent_id": change.agent_id or SHARED,
        "other_ids": list(change.other_ids),
        "words": change.words[:MOST_WORDS] if change.words else None,
        "before": _as_json(change.before),
        "after": _as_json(change.after),
        "job": change.job or ACTING_JOB.get(),
    }


def _as_json(fields: object) -> str | None:
    return None if fields is None else json.dumps(fields, ensure_ascii=False, default=_in_text)


def _in_text(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else str(value)
