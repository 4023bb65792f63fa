"""Artifacts: what agents made or refer to."""

from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, given, or_default
from app.surfaces.graphql.made_of import Shown
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.knowledge import models
from graph.memories.models import MemoryState
from graph.tenancy.models import Scope


@strawberry.type
class Artifact(Node, Shown[models.Artifact]):
    """Something an agent made or refers to: its location and description, never its content."""

    key: str = strawberry.field(description="Caller's own key, unique in the workspace.")
    name: str
    kind: str
    uri: str | None
    summary: str | None
    metadata: JSON
    session_id: strawberry.ID | None
    state: MemoryState
    failure: str | None
    created_at: datetime
    updated_at: datetime


@strawberry.type
class ArtifactConnection(Connection[Artifact]):
    """A page of artifacts."""


@strawberry.input
class ArtifactInput:
    """An artifact to add, or to change where one of its key is stored; omitted fields then keep their values."""

    name: str
    kind: str | None = strawberry.field(
        default=None,
        description="Kind, such as report, image or pull-request; a new artifact defaults to file.",
    )
    uri: str | None = None
    summary: str | None = strawberry.field(
        default=None,
        description="Description, at most 2000 characters; searches find it by meaning and words.",
    )
    key: str | None = strawberry.field(default=None, description="Defaults to the uri, else kind and name.")
    metadata: JSON | None = strawberry.field(
        default=None, description="A JSON object; merged with the stored object; null removes a key."
    )
    session_id: strawberry.ID | None = None


@strawberry.type
class ArtifactQueries:
    """Reading artifacts."""

    @strawberry.field
    async def artifact(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Artifact | None:
        """One artifact, or null where there is none in the workspace."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.artifacts.find(workspace, id)
        return Artifact.of(found) if found else None

    @strawberry.field
    async def artifacts(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        kind: str | None = None,
        session_id: strawberry.ID | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> ArtifactConnection:
        """A page of artifacts, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.knowledge.artifacts.page(
            workspace, kind=kind, session_id=session_id, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Artifact.of, after)
        return ArtifactConnection(edges=edges, page_info=page_info)


@strawberry.type
class ArtifactMutations:
    """Writing artifacts."""

    @strawberry.mutation
    async def add_artifact(
        self, info: Info, input: ArtifactInput, workspace_id: WorkspaceId = None
    ) -> Artifact:
        """Add an artifact, or change the one of its key."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(models.ArtifactDraft, given(input))
        return Artifact.of(await info.context.services.knowledge.artifacts.add(workspace, draft))

    @strawberry.mutation
    async def delete_artifact(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete an artifact permanently; false where there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.artifacts.delete(workspace, id)
