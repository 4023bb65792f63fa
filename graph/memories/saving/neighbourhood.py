"""Updates the search properties of the turns around a changed or deleted one, which include its text."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any

from graph.core import queries as jobs
from graph.core.models import JobKind
from graph.core.rows import Runner
from graph.core.text.lucene import as_indexed
from graph.memories import queries
from graph.memories.queries import ListTurnsAroundRow
from graph.memories.saving.indexing import WINDOW_TURNS, search_keys, searchable_properties


async def refresh_neighbourhood(
    tx: Runner, workspace_id: str, *, turn_scope: str, position: int, now: datetime
) -> None:
    """Update the search properties of the live turns up to two places away, and queue them for embedding.

    Call it in the transaction that changed, hid, removed or restored the turn at ``position``.
    """
    reach = 2 * WINDOW_TURNS  # the windows of the farthest updated turns reach as far again
    within: Mapping[str, Any] = {
        "workspace_id": workspace_id,
        "turn_scope": turn_scope,
        "first_position": position - reach,
        "last_position": position + reach,
    }
    await queries.lock_turns_around(tx, **within)
    around = await queries.list_turns_around(tx, **within)
    touched = [index for index, turn in enumerate(around) if abs(turn.position - position) <= WINDOW_TURNS]
    turns = [{"id": around[index].id, "properties": _properties(around, index)} for index in touched]
    if not turns:
        return
    await queries.reindex_turns(tx, workspace_id=workspace_id, turns=turns)
    await jobs.enqueue_jobs(
        tx,
        workspace_id=workspace_id,
        kind=JobKind.EMBED,
        subject_ids=[around[index].id for index in touched],
        now=now,
        due_at=now,
    )


def _properties(around: Sequence[ListTurnsAroundRow], index: int) -> dict[str, Any]:
    turn = around[index]
    before = around[max(index - WINDOW_TURNS, 0) : index]
    after = around[index + 1 : index + 1 + WINDOW_TURNS]
    properties = searchable_properties(
        turn.content,
        speaker=turn.speaker,
        stated_at=turn.timestamp,
        previous={"content": before[-1].content, "speaker": before[-1].speaker} if before else None,
        keys=search_keys(turn.model_dump(include={"key", "tags", "keywords", "metadata"})),
    )
    window = [
        *(as_indexed(t.content) for t in before),
        properties["search_window"],
        *(as_indexed(t.content) for t in after),
    ]
    return {**properties, "search_window": " ".join(window)}


async def draw_turns(
    tx: Runner,
    workspace_id: str,
    *,
    turn_scope: str,
    conversation_id: str,
    since: int,
    until: int,
    new_ids: AbstractSet[str],
    now: datetime,
) -> None:
    """Link the turns of a range of positions in order, and update the windows around inserted turns.

    Args:
        tx: The transaction.
        workspace_id: Workspace of the turns.
        turn_scope: Chain of the turns.
        conversation_id: Conversation of the turns.
        since: First position.
        until: Last position.
        new_ids: Ids of inserted turns.
        now: Time of the transaction.
    """
    drawn = await queries.chain_turns(
        tx,
        workspace_id=workspace_id,
        turn_scope=turn_scope,
        conversation_id=conversation_id,
        since=since,
        until=until,
    )
    for position in _borders(drawn, new_ids):
        await refresh_neighbourhood(tx, workspace_id, turn_scope=turn_scope, position=position, now=now)


def _borders(drawn: Sequence[queries.ChainTurnsRow], new_ids: AbstractSet[str]) -> list[int]:
    """Return the positions of existing turns next to a new one."""
    return [
        turn.position
        for index, turn in enumerate(drawn)
        if turn.id not in new_ids
        and any(other.id in new_ids for other in drawn[max(index - 1, 0) : index + 2])
    ]
