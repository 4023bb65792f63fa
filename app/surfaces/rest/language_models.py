"""``/v1/workspaces/{id}/language-model``: the language model that a workspace brings itself."""

from typing import Annotated, Any, Final, Self

from litestar import Controller, Request, delete, get, put
from litestar.datastructures import State
from litestar.params import JSONBody
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.http.refusals import named_as
from app.surfaces.http.shapes import Name
from app.surfaces.rest.path_workspace import WorkspaceId, workspace_in_path
from graph.core.errors import NotFound
from graph.operations.services import Services
from graph.tenancy.language_models import KEPT
from graph.tenancy.models import OwnModel, Scope

_SERVED: JsonDict = {"url": "https://llm.example/v1", "model": "small-instruct"}
# The service is what checks the rest of an address.
_ADDRESS: Final = r"^https?://"
_SPOKEN = {"workspaceId": "workspace_id"}


class LanguageModelBody(BaseModel):
    """A language model to use; an omitted ``key`` stays unchanged, unless the address changes."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, json_schema_extra={"examples": [{**_SERVED, "key": "the provider's"}]}
    )

    url: Annotated[Name, Field(json_schema_extra={"pattern": _ADDRESS})]
    model: Name
    key: Name | None = None


class ShownLanguageModel(BaseModel):
    """The language model in use; its key is in no answer."""

    model_config = ConfigDict(frozen=True, json_schema_extra={"examples": [{**_SERVED, "has_key": True}]})

    url: str
    model: str
    has_key: bool

    @classmethod
    def of(cls, own: OwnModel) -> Self:
        """Return the form of a workspace's own model."""
        return cls(**own.model_dump())


class LanguageModelRoutes(Controller):
    """Thin: each route hands over to the services. It takes an administrator, since texts go where it points."""

    path = "/v1/workspaces/{workspace_id:str}/language-model"
    tags = ("workspaces",)

    @get(summary="The workspace's own language model")
    async def show(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> ShownLanguageModel:
        """Return the language model that a workspace brings itself; 404 where it uses the deployment's."""
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
        """Have the workspace's texts read by a model of its own; its key is kept encrypted and shown to nobody."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        key = data.key if "key" in data.model_fields_set else KEPT
        with named_as(_SPOKEN):
            chosen = await services.tenancy.language_models.choose(
                workspace, url=data.url, model=data.model, key=key
            )
        return ShownLanguageModel.of(chosen)

    @delete(summary="Use the deployment's language model again")
    async def remove(
        self, request: Request[Any, Any, State], state: State, workspace_id: WorkspaceId
    ) -> None:
        """Forget the workspace's own language model and its key."""
        services: Services = state.services
        workspace = await workspace_in_path(services, request.auth, Scope.ADMIN, workspace_id)
        if not await services.tenancy.language_models.remove(workspace):
            raise NotFound("this workspace has no language model of its own", field="workspace_id")
