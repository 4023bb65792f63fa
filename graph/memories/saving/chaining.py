"""Rebuilds the chain of turns after an insertion between others, as in a restore."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

from graph.core.rows import Runner
from graph.memories import queries
from graph.memories.saving.neighbourhood import refresh_neighbourhood


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
    """Link the turns of a part of a chain in the order of their positions.

    Turns are searched with those beside them, so that is made again on both sides of where old and new ones meet.

    Args:
        tx: The transaction.
        workspace_id: Workspace of the turns.
        turn_scope: The chain.
        conversation_id: The conversation that its turns are of.
        since: The first position.
        until: The last position.
        new_ids: Inserted turns.
        now: When.
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
    """Return the positions of existing turns beside a new one."""
    return [
        turn.position
        for index, turn in enumerate(drawn)
        if turn.id not in new_ids
        and any(other.id in new_ids for other in drawn[max(index - 1, 0) : index + 2])
    ]
