"""Oxagen's routes: a workspace's memory switch, and deletion of conversations and episodes."""

from typing import Annotated, Any

from litestar import Controller, Request, delete, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody, Parameter
from pydantic import BaseModel, ConfigDict
from pydantic.config import JsonDict

from app.surfaces.http.refusals import WorkspaceId, workspace_in_path
from graph.core.errors import NotFound
from graph.core.exact import Flag
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope

_ON: JsonDict = {"memory": {"enabled": True}}


class MemorySwitch(BaseModel):
    """State of a workspace's memory switch."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    enabled: Flag


class WorkspaceSwitches(BaseModel):
    """The settings of a workspace in Oxagen's form."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": [_ON]})

    memory: MemorySwitch


class MemoryToggled(BaseModel):
    """Response of the internal switch."""

    model_config = ConfigDict(frozen=True)

    workspace_id: str
    memory_enabled: bool


class Oxagen(Controller):
    """Oxagen's routes.

    Any key with write access to a workspace may switch its memory: in Oxagen, every member may.
    """

    path = "/v1"
    tags = ("oxagen",)

    @post("/workspaces/{workspace_id:str}/memory/enable", status_code=200, include_in_schema=False)
    async def enable(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> MemoryToggled:
        """Switch a workspace's memory on; the service does not capture earlier messages later."""
        return await _toggled(state.services, request.auth, workspace_id, is_on=True)

    @post("/workspaces/{workspace_id:str}/memory/disable", status_code=200, include_in_schema=False)
    async def disable(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> MemoryToggled:
        """Switch a workspace's memory off; stored memories stay readable."""
        return await _toggled(state.services, request.auth, workspace_id, is_on=False)

    @get("/workspaces/{workspace_id:str}/settings", summary="Get a workspace's switches")
    async def switches(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> WorkspaceSwitches:
        """Return whether a workspace's memory is on."""
        services: Services = state.services
        found = await workspace_in_path(services, request.auth, Scope.READ, workspace_id)
        workspace = await services.tenancy.workspaces.get(found)
        return WorkspaceSwitches(memory=MemorySwitch(enabled=workspace.memory_enabled))

    @put("/workspaces/{workspace_id:str}/settings", summary="Set a workspace's switches")
    async def settings(
        self,
        request: Request[Any, Any, State],
        state: State,
        workspace_id: WorkspaceId,
        data: JSONBody[WorkspaceSwitches],
    ) -> WorkspaceSwitches:
        """Switch a workspace's memory on or off; return the resulting settings."""
        found = await _toggled(state.services, request.auth, workspace_id, is_on=data.memory.enabled)
        return WorkspaceSwitches(memory=MemorySwitch(enabled=found.memory_enabled))

    @delete("/conversations/{conversation_id:str}", summary="Delete a conversation")
    async def delete_conversation(
        self,
        request: Request[Any, Any, State],
        state: State,
        conversation_id: Annotated[str, Parameter(max_length=512)],
    ) -> None:
        """Delete a conversation permanently, with its messages, episodes and working set; extracted memories stay."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        if not await services.conversations.capture.delete(workspace_id, conversation_id):
            raise NotFound(
                f"there is no conversation {conversation_id!r} in this workspace", field="conversation_id"
            )

    @delete("/conversations/{conversation_id:str}/episodes/{episode_id:str}", summary="Delete an episode")
    async def delete_episode(
        self,
        request: Request[Any, Any, State],
        state: State,
        conversation_id: Annotated[str, Parameter(max_length=512)],
        episode_id: Annotated[str, Parameter(max_length=128)],
    ) -> None:
        """Delete an episode, so that agents no longer see it; its messages are not captured again."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        if not await services.conversations.episodes.delete(workspace_id, conversation_id, episode_id):
            raise NotFound(f"there is no episode {episode_id!r} of this conversation", field="episode_id")


async def _toggled(
    services: Services, principal: Principal, workspace_id: str, *, is_on: bool
) -> MemoryToggled:
    found = await workspace_in_path(services, principal, Scope.WRITE, workspace_id)
    changed = await services.tenancy.workspaces.switch_memory(found, is_on=is_on)
    return MemoryToggled(workspace_id=changed.id, memory_enabled=changed.memory_enabled)
