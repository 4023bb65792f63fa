"""Rebuilds the chain of a conversation's messages after an insertion between others, as in a restore."""

from graph.conversations.capture import queries
from graph.core.rows import Runner


async def draw_messages(
    tx: Runner, workspace_id: str, *, conversation_id: str, since: int, until: int
) -> None:
    """Link the messages from one position to another in their order; the conversation is locked by the caller."""
    await queries.chain_messages(
        tx, workspace_id=workspace_id, conversation_id=conversation_id, since=since, until=until
    )
