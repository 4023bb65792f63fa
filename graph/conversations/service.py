"""What can be done with conversations."""

from graph.conversations import queries
from graph.conversations.models import Message
from graph.core.database import Database
from graph.core.errors import InvalidInput

_AMBIGUOUS = 2


class Conversations:
    """The use cases of what was said; lives as long as the process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find_message(
        self, workspace_id: str, id_: str, *, conversation_id: str | None = None
    ) -> Message | None:
        """Return a message, or None where there is none of that id.

        Raises:
            InvalidInput: Several conversations have a message of that id, and none of them was named.
            Unavailable: The graph does not answer.
        """
        rows = await queries.find_messages(
            self._database,
            workspace_id=workspace_id,
            id=id_,
            conversation_id=conversation_id,
            limit=_AMBIGUOUS,
        )
        if len(rows) == _AMBIGUOUS:
            raise InvalidInput(
                "conversationId", f"several conversations have a message {id_!r}: name one in conversationId"
            )
        return rows[0].message if rows else None
