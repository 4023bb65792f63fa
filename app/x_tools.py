"""The x_ tools (F§3), which both the chat proxy and MCP offer: what they take, and what they do."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graph.access.models import Principal, Scope
from graph.memories.models import MemoryDraft, SaveOutcome
from graph.memories.sources import SourceType
from graph.services import Services


class XArguments(BaseModel):
    """What a tool takes; what models invent beside it is passed over."""

    model_config = ConfigDict(extra="ignore")


class SaveArguments(XArguments):
    """What ``x_save_memory`` takes."""

    content: str = Field(description="What to remember, as one statement that can be understood by itself.")
    category: str | None = Field(
        None, description="A short label, such as preference, fact, instruction or decision."
    )


class RecallArguments(XArguments):
    """What ``x_recall_memory`` takes."""

    query: str = Field(description="What to look for, in natural language.")
    offset: int = Field(0, ge=0, description="How many of the best results to skip.")
    limit: int = Field(5, ge=1, description="How many results to return; 20 at most.")


class SearchArguments(RecallArguments):
    """What ``x_workspace_search`` takes."""


@dataclass(frozen=True)
class Caller:
    """On whose behalf a tool is called."""

    principal: Principal
    conversation_id: str | None

    @property
    def workspace_id(self) -> str:
        """The workspace of the key."""
        return self.principal.workspace_id


@dataclass(frozen=True)
class XTool:
    """A tool: what it takes, what its caller needs, and what it does, which is answered as one text."""

    name: str
    description: str
    arguments: type[XArguments]
    scope: Scope
    run: Callable[[Services, Caller, Any], Awaitable[str]]


async def _save(services: Services, caller: Caller, asked: SaveArguments) -> str:
    draft = MemoryDraft(
        content=asked.content,
        category=asked.category,
        source_type=SourceType.MODEL,
        source_conversation_id=caller.conversation_id,
        api_key_id=caller.principal.key_id,
    )
    saved = await services.memories.save(caller.workspace_id, draft)
    verb = "Known already" if saved.outcome is SaveOutcome.DEDUPLICATED else "Saved"
    return f"{verb} as {saved.memory.id}."


async def _recall(services: Services, caller: Caller, asked: RecallArguments) -> str:
    return await services.recall.as_text(
        caller.workspace_id, asked.query, limit=asked.limit, offset=asked.offset
    )


async def _search(services: Services, caller: Caller, asked: SearchArguments) -> str:
    return await services.search.as_text(
        caller.workspace_id, asked.query, limit=asked.limit, offset=asked.offset
    )


X_TOOLS: Mapping[str, XTool] = {
    tool.name: tool
    for tool in (
        XTool(
            "x_save_memory",
            "Remember something for later conversations: a preference, a fact, an instruction or a decision.",
            SaveArguments,
            Scope.WRITE,
            _save,
        ),
        XTool(
            "x_recall_memory",
            "Look for what is remembered from earlier conversations.",
            RecallArguments,
            Scope.READ,
            _recall,
        ),
        XTool(
            "x_workspace_search",
            "Look through everything in the workspace: memories, documents, artifacts and entities.",
            SearchArguments,
            Scope.READ,
            _search,
        ),
    )
}
