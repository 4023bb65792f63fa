"""Associations between memories."""

from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.made_of import made_of
from graph.memories.associations import models
from graph.memories.associations.models import AssociationType
from graph.retrieval.recall.models import Relation
from graph.tenancy.models import Scope

if TYPE_CHECKING:
    from app.surfaces.graphql.memories import Memory

strawberry.enum(AssociationType)


@strawberry.enum
class RelationDirection(Enum):
    """Direction of an association, seen from the requested memory."""

    OUT = "OUT"
    IN = "IN"


@strawberry.type
class Association:
    """An edge between two memories, seen from one of them."""

    id: strawberry.ID
    type: AssociationType
    direction: RelationDirection
    strength: float
    created_at: datetime
    from_id: strawberry.ID
    to_id: strawberry.ID
    other_id: strawberry.ID = strawberry.field(description="Id of the memory at the other end.")
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def other(
        self, info: Info
    ) -> Annotated["Memory", strawberry.lazy("app.surfaces.graphql.memories")] | None:
        """Memory at the other end; null if deleted."""
        from app.surfaces.graphql.memories import Memory  # noqa: PLC0415 - memories have associations

        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.other_id))
        return Memory.of(found) if found else None

    @classmethod
    def of(cls, association: models.Association, *, workspace_id: str, seen_from: str) -> "Association":
        """Return the GraphQL form of an association as one of its ends sees it."""
        is_own = association.from_id == seen_from
        return made_of(
            cls,
            association,
            direction=RelationDirection.OUT if is_own else RelationDirection.IN,
            other_id=strawberry.ID(association.to_id if is_own else association.from_id),
            workspace_id=workspace_id,
        )

    @classmethod
    def seen(cls, relation: Relation, *, by: str, workspace_id: str) -> "Association":
        """Return the GraphQL form of a relation of a hit."""
        from_id, to_id = (by, relation.other_id) if relation.direction == "OUT" else (relation.other_id, by)
        association = models.Association(
            **relation.model_dump(include={"id", "type", "strength", "created_at"}),
            from_id=from_id,
            to_id=to_id,
        )
        return cls.of(association, workspace_id=workspace_id, seen_from=by)


@strawberry.input
class AssociateInput:
    """An edge to draw from one memory to another; the same pair and type again changes the strength."""

    from_id: strawberry.ID
    to_id: strawberry.ID
    type: AssociationType
    strength: float | None = strawberry.field(
        default=None,
        description="Strength, 0 to 1; defaults to 0.5 for a new edge, unchanged for an existing one.",
    )


@strawberry.type
class AssociationMutations:
    """Writing associations."""

    @strawberry.mutation
    async def associate(
        self, info: Info, input: AssociateInput, workspace_id: WorkspaceId = None
    ) -> Association:
        """Draw an edge between two memories of the workspace."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drawn = await info.context.services.memories.associations.associate(
            workspace,
            from_id=input.from_id,
            to_id=input.to_id,
            type_=input.type,
            strength=input.strength,
        )
        return Association.of(drawn, workspace_id=workspace, seen_from=drawn.from_id)

    @strawberry.mutation
    async def dissociate(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Remove an edge; false where there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.memories.associations.dissociate(workspace, id)
