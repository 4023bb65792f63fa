"""``/v1/workspaces/{id}/language-model``: the language model that a workspace uses instead of the deployment's."""

from typing import Annotated, Any, Final, Self

from litestar import Controller, Request, delete, get, put
from litestar.datastructures import State
from litestar.params import JSONBody
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.http.refusals import WorkspaceId, named_as, workspace_in_path
from app.surfaces.http.shapes import Name
from graph.core.errors import NotFound
from graph.operations.services import Services
from graph.tenancy.language_models import STORED_KEY
from graph.tenancy.models import OwnModel, Scope

_SERVED: JsonDict = {"url": "https://llm.example/v1", "model": "small-instruct"}
# Only the scheme; the service checks the rest of the URL.
_ADDRESS: Final = r"^https?://"
_SPOKEN = {"workspaceId": "workspace_id"}


class LanguageModelBody(BaseModel):
    """A language model to use; an omitted ``key`` stays unchanged, unless the URL changes."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{**_SERVED, "key": "the provider's"}]}
    )

    url: Annotated[Name, Field(json_schema_extra={"pattern": _ADDRESS})]
    model: Name
    key: Name | None = None


class ShownLanguageModel(BaseModel):
    """The workspace's own language model; no response contains its key."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [{**_SERVED, "has_key": True}]})

    url: str
    model: str
    has_key: bool

    @classmethod
    def of(cls, own: OwnModel) -> Self:
        """Return the form of a workspace's own model."""
        return cls(**own.model_dump())


class LanguageModelRoutes(Controller):
    """Routes of a workspace's own language model, for administrators, because texts are sent to its server."""

    path = "/v1/workspaces/{workspace_id:str}/language-model"
    tags = ("workspaces",)

    @get(summary="The workspace's own language model")
    async def show(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> ShownLanguageModel:
        """Return the workspace's own language model; 404 if it has none."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        found = await services.tenancy.language_models.find(workspace)
        if found is None:
            raise NotFound("this workspace has no language model of its own", field="workspace_id")
        return ShownLanguageModel.of(found)

    @put(summary="Choose the workspace's own language model")
    async def choose(
        self,
        request: Request[Any, Any, State],
        state: State,
        workspace_id: WorkspaceId,
        data: JSONBody[LanguageModelBody],
    ) -> ShownLanguageModel:
        """Set the workspace's own language model; its key is stored encrypted and never returned."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        key = data.key if "key" in data.model_fields_set else STORED_KEY
        with named_as(_SPOKEN):
            chosen = await services.tenancy.language_models.choose(
                workspace, url=data.url, model=data.model, key=key
            )
        return ShownLanguageModel.of(chosen)

    @delete(summary="Use the deployment's language model again")
    async def remove(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> None:
        """Remove the workspace's own language model and its key; 404 if it has none."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        if not await services.tenancy.language_models.remove(workspace):
            raise NotFound("this workspace has no language model of its own", field="workspace_id")
