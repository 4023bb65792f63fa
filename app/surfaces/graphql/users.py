"""The users of a workspace."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.memories.users import models
from graph.tenancy.access.models import Scope


@strawberry.type
class User:
    """Somebody to whom memories or conversations of a workspace belong."""

    id: strawberry.ID
    memories: int = strawberry.field(description="How many are kept, those that have expired included.")
    conversations: int = strawberry.field(description="How many are kept.")
    since: datetime | None = strawberry.field(description="When the oldest of both was made.")
    last_used_at: datetime | None = strawberry.field(
        description="When one of both was recalled, changed or said last."
    )

    @classmethod
    def of(cls, user: models.User) -> "User":
        """Return the GraphQL form of a user."""
        return cls(**user.model_dump())


@strawberry.type
class UserConnection(Connection[User]):
    """A page of users."""


@strawberry.type
class UserQueries:
    """Reading who the users are."""

    @strawberry.field
    async def users(
        self,
        info: Info,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        workspace_id: WorkspaceId = None,
    ) -> UserConnection:
        """The users to whom memories or conversations belong, by their ids; a bound key sees its own user only."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.memories.users.page(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, User.of, after)
        return UserConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def user(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> User | None:
        """One user; null where nothing of theirs is kept."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.memories.users.find(workspace, id)
        return None if found is None else User.of(found)
