"""LlamaIndex's ``BaseMemory`` over conversations and the context of Recollect; needs the extra ``llamaindex``."""

from collections.abc import Iterable, Sequence
from typing import Any, Self
from uuid import uuid4

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.llms.types import MessageRole as Role
from llama_index.core.memory import BaseMemory
from pydantic import ConfigDict, Field

from .conversing import Talk, all_messages, forget, latest_messages, say
from .generated import ContextInput, MessageFields, MessageInput, MessageRole, RecollectClient, ScopeInput
from .shared import SharedClient

_CHARS_OF_A_TOKEN = 4
_ROLES = {
    Role.USER: MessageRole.USER,
    Role.ASSISTANT: MessageRole.ASSISTANT,
    Role.CHATBOT: MessageRole.ASSISTANT,
    Role.MODEL: MessageRole.ASSISTANT,
    Role.SYSTEM: MessageRole.SYSTEM,
    Role.DEVELOPER: MessageRole.SYSTEM,
}
_SHOWN = {
    None: Role.USER,
    MessageRole.USER: Role.USER,
    MessageRole.ASSISTANT: Role.ASSISTANT,
    MessageRole.SYSTEM: Role.SYSTEM,
}


class RecollectMemory(BaseMemory):
    """Messages of one conversation, preceded by the workspace's relevant memory.

    Safe for concurrent use. It stores the text and the role of a message, from which the service extracts facts. It
    skips messages without text, tool calls and tool results.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    client: SharedClient = Field(exclude=True)
    """Client with a key that may read and write; its caller closes it."""
    conversation_id: str
    """Id of the conversation, chosen by the caller."""
    workspace_id: str | None = None
    """Workspace of the conversation; default: the workspace of the key."""
    user_id: str | None = None
    """Owner of a new conversation and of the memory to read; default: the key's user, or everybody."""
    agent_id: str | None = None
    """Agent of a new conversation and of the memory to read; default: the key's agent, or every agent."""
    context_tokens: int | None = Field(default=None, ge=1, le=8000)
    """Token limit of the context before the messages: episodes, entities, warnings and memories; at most the setting
    ``maxTokens``, which is the default."""
    history_tokens: int = Field(default=8000, ge=0)
    """Token limit of the messages that ``get`` returns; a token counts as four characters."""

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "RecollectMemory"

    @classmethod
    def from_defaults(cls, **kwargs: Any) -> Self:
        """Create a memory with the given fields."""
        return cls(**kwargs)

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:  # noqa: ARG002 - LlamaIndex's
        """Return the context for a message, as a system message, and the end of the conversation.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return self.client.run(lambda client: self._got(client, input))

    async def aget(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:  # noqa: ARG002 - LlamaIndex's
        """Do the same as ``get``, asynchronously."""
        return await self.client.arun(lambda client: self._got(client, input))

    def get_all(self) -> list[ChatMessage]:
        """Return all messages in order.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        return _messages(self.client.run(lambda client: all_messages(client, self._talk)))

    async def aget_all(self) -> list[ChatMessage]:
        """Do the same as ``get_all``, asynchronously."""
        return _messages(await self.client.arun(lambda client: all_messages(client, self._talk)))

    def put(self, message: ChatMessage) -> None:
        """Add one message; see ``put_messages``."""
        self.put_messages([message])

    async def aput(self, message: ChatMessage) -> None:
        """Do the same as ``put``, asynchronously."""
        await self.aput_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Append messages; ``conversing.say`` describes which it skips.

        Raises:
            NotKept: The memory of the workspace is off.
            ApiError: The service refuses or cannot be reached.
        """
        inputs = _inputs(messages)
        self.client.run(lambda client: say(client, self._talk, inputs))

    async def aput_messages(self, messages: list[ChatMessage]) -> None:
        """Do the same as ``put_messages``, asynchronously."""
        inputs = _inputs(messages)
        await self.client.arun(lambda client: say(client, self._talk, inputs))

    def set(self, messages: list[ChatMessage]) -> None:
        """Replace all messages.

        Raises:
            NotKept: The memory of the workspace is off; the earlier messages are deleted.
            ApiError: The service refuses or cannot be reached.
        """
        self.reset()
        self.put_messages(messages)

    async def aset(self, messages: list[ChatMessage]) -> None:
        """Do the same as ``set``, asynchronously."""
        await self.areset()
        await self.aput_messages(messages)

    def reset(self) -> None:
        """Delete the conversation with all messages; facts extracted from it stay.

        Raises:
            ApiError: The service refuses or cannot be reached.
        """
        self.client.run(lambda client: forget(client, self._talk))

    async def areset(self) -> None:
        """Do the same as ``reset``, asynchronously."""
        await self.client.arun(lambda client: forget(client, self._talk))

    @property
    def _talk(self) -> Talk:
        return Talk(self.conversation_id, self.workspace_id, self.user_id, self.agent_id)

    async def _got(self, client: RecollectClient, text: str | None) -> list[ChatMessage]:
        most_chars = self.history_tokens * _CHARS_OF_A_TOKEN

        def is_enough(found: Sequence[MessageFields]) -> bool:
            end = _messages(found)
            is_full = sum(len(message.content or "") for message in end) > most_chars
            return is_full and (bool(text) or any(message.role == Role.USER for message in end))

        spoken = _messages(await latest_messages(client, self._talk, is_enough))
        users = (message.content for message in reversed(spoken) if message.role == Role.USER)
        query = (text or next(users, None) or "").strip()
        before = await self._context(client, query) if query else []
        return [*before, *_end_of(spoken, most_chars)]

    async def _context(self, client: RecollectClient, query: str) -> list[ChatMessage]:
        owners = {"user_id": self.user_id, "agent_id": self.agent_id}
        scope: dict[str, Any] = {name: value for name, value in owners.items() if value is not None}
        request = ContextInput(
            query=query,
            conversation_id=self.conversation_id,
            max_tokens=self.context_tokens,
            scope=ScopeInput(**scope),
        )
        context = await client.context(request, workspace_id=self.workspace_id)
        return [ChatMessage(role=Role.SYSTEM, content=context.prompt)] if context.prompt else []


def _inputs(messages: Sequence[ChatMessage]) -> list[MessageInput]:
    return [
        MessageInput(content=text, id=str(uuid4()), role=role)
        for message in messages
        if (role := _ROLES.get(message.role)) is not None and (text := message.content or "").strip()
    ]


def _messages(found: Iterable[MessageFields]) -> list[ChatMessage]:
    return [
        ChatMessage(role=_SHOWN[one.role], content=one.content)
        for one in found
        if one.role is not MessageRole.TOOL
    ]


def _end_of(spoken: Sequence[ChatMessage], most_chars: int) -> list[ChatMessage]:
    """Return the last messages that fit; if some are omitted, begin with a user's, as models require."""
    end: list[ChatMessage] = []
    for message in reversed(spoken):
        most_chars -= len(message.content or "")
        if most_chars < 0:
            break
        end.insert(0, message)
    if len(end) == len(spoken):
        return end
    first = next((place for place, message in enumerate(end) if message.role == Role.USER), len(end))
    return end[first:]
