"""LangChain's ``BaseChatMessageHistory`` over conversations of Recollect; needs the extra ``langchain``."""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import uuid4

from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.messages import AIMessage, BaseMessage, ChatMessage, HumanMessage, SystemMessage

from .conversing import Talk, all_messages, forget, say
from .generated import MessageFields, MessageInput, MessageRole
from .shared import SharedClient

_KINDS: dict[MessageRole, type[HumanMessage] | type[AIMessage] | type[SystemMessage]] = {
    MessageRole.USER: HumanMessage,
    MessageRole.ASSISTANT: AIMessage,
    MessageRole.SYSTEM: SystemMessage,
}


class RecollectChatMessageHistory(BaseChatMessageHistory):
    """Messages of one conversation, from which the service extracts facts; safe for concurrent use.

    It stores the text of a message with its role, name and id. It skips messages without text, tool calls and tool
    results. A message with an id is stored once, however often it is added; one without an id gets a new one.
    """

    def __init__(
        self,
        client: SharedClient,
        conversation_id: str,
        *,
        workspace_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> None:
        """Make a history.

        Args:
            client: Client with a key that may read and write; its caller closes it.
            conversation_id: Id of the conversation, chosen by the caller.
            workspace_id: Workspace of the conversation; default: the workspace of the key.
            user_id: Owner of a new conversation; default: the key's user, or everybody. ``agent_id`` likewise.
            agent_id: See ``user_id``.
        """
        super().__init__()
        self._client = client
        self._talk = Talk(conversation_id, workspace_id, user_id, agent_id)

    @property
    def messages(self) -> list[BaseMessage]:  # type: ignore[override] # LangChain's own example has a property
        """Messages of the conversation, in order.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return _messages(self._client.run(lambda client: all_messages(client, self._talk)))

    async def aget_messages(self) -> list[BaseMessage]:
        """Return the same as ``messages``, asynchronously."""
        return _messages(await self._client.arun(lambda client: all_messages(client, self._talk)))

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages; ``conversing.say`` describes which it skips.

        Raises:
            NotKept: The memory of the workspace is off.
            ApiError: The service refuses or cannot be reached.
        """
        inputs = _inputs(messages)
        self._client.run(lambda client: say(client, self._talk, inputs))

    async def aadd_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Do the same as ``add_messages``, asynchronously."""
        inputs = _inputs(messages)
        await self._client.arun(lambda client: say(client, self._talk, inputs))

    def clear(self) -> None:
        """Delete the conversation with all messages; facts extracted from it stay.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        self._client.run(lambda client: forget(client, self._talk))

    async def aclear(self) -> None:
        """Do the same as ``clear``, asynchronously."""
        await self._client.arun(lambda client: forget(client, self._talk))


def _inputs(messages: Sequence[BaseMessage]) -> list[MessageInput]:
    return [
        MessageInput(content=text, id=message.id or str(uuid4()), **speaker)
        for message in messages
        if (speaker := _speaker(message)) is not None and (text := str(message.text)).strip()
    ]


def _speaker(message: BaseMessage) -> dict[str, Any] | None:
    """Return the role and the name of the author; None for a tool, and for a message without an author."""
    if isinstance(message, ChatMessage):
        return {"speaker": message.name or message.role}
    role = next((role for role, kind in _KINDS.items() if isinstance(message, kind)), None)
    if role is None:
        return None
    return {"role": role, "speaker": message.name} if message.name else {"role": role}


def _messages(found: Iterable[MessageFields]) -> list[BaseMessage]:
    return [_message(one) for one in found if one.role is not MessageRole.TOOL]


def _message(one: MessageFields) -> BaseMessage:
    if one.role is None:
        return ChatMessage(content=one.content, id=one.message_id, role=one.speaker or "user")
    name = None if one.speaker is None or one.speaker.upper() == one.role else one.speaker
    return _KINDS[one.role](content=one.content, id=one.message_id, name=name)
