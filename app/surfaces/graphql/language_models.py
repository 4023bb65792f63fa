"""The language model that a workspace brings itself."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.made_of import Shown
from graph.tenancy import models
from graph.tenancy.language_models import KEPT
from graph.tenancy.models import Scope


@strawberry.type
class OwnLanguageModel(Shown[models.OwnModel]):
    """A language model that a workspace uses in place of the deployment's."""

    url: str = strawberry.field(
        description="The base address of the server, which speaks OpenAI's chat completions."
    )
    model: str = strawberry.field(description="Its name there.")
    has_key: bool = strawberry.field(
        description="True if it has a stored key; the API never returns the key."
    )


@strawberry.input
class LanguageModelInput:
    """A language model, and the key that its server wants."""

    url: str = strawberry.field(
        description="The base address of a server that speaks OpenAI's chat completions, such as "
        "`https://api.openai.com/v1`."
    )
    model: str = strawberry.field(description="Its name there.")
    key: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="API key for the server, stored encrypted; omitted: the stored one, unless the address changes; "
        "null: none.",
    )


@strawberry.type
class LanguageModelQueries:
    """Reading the language models of workspaces."""

    @strawberry.field
    async def language_model(self, info: Info, workspace_id: WorkspaceId = None) -> OwnLanguageModel | None:
        """The language model that a workspace brings itself; null where it uses the deployment's, if there is one."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        found = await info.context.services.tenancy.language_models.find(workspace)
        return OwnLanguageModel.of(found) if found else None


@strawberry.type
class LanguageModelMutations:
    """Choosing the language models of workspaces."""

    @strawberry.mutation
    async def set_language_model(
        self, info: Info, input: LanguageModelInput, workspace_id: WorkspaceId = None
    ) -> OwnLanguageModel:
        """Have extraction, distillation, answers and summaries of a workspace written by a model of its own.

        The texts of the workspace go to that address from then on, and to the deployment's model no more.
        """
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        key = KEPT if input.key is strawberry.UNSET else input.key
        chosen = await info.context.services.tenancy.language_models.choose(
            workspace, url=input.url, model=input.model, key=key
        )
        return OwnLanguageModel.of(chosen)

    @strawberry.mutation
    async def remove_language_model(self, info: Info, workspace_id: WorkspaceId = None) -> bool:
        """Have a workspace use the deployment's language model again; false if it did so already."""
        workspace = await info.context.workspace(Scope.ADMIN, workspace_id)
        return await info.context.services.tenancy.language_models.remove(workspace)
