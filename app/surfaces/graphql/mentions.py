"""Mentions of entities in memories, as fields of both."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.loaders import Key
from graph.knowledge.linking import models
from graph.knowledge.linking.models import How

if TYPE_CHECKING:
    from app.surfaces.graphql.entities import Entity
    from app.surfaces.graphql.memories import Memory

DEFAULT_ROWS = 20

strawberry.enum(How, name="MentionHow", description="Origin of a mention.")


@strawberry.type
class Mention(Shown[models.MentionEdge]):
    """A mention of an entity in a memory."""

    memory_id: strawberry.ID
    entity_id: strawberry.ID
    how: How | None = strawberry.field(
        description="Origin of the mention; null if automatic linking did not create it."
    )
    surface: str | None = strawberry.field(description="Name in the memory's text.")
    created_at: datetime | None
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def memory(
        self, info: Info
    ) -> Annotated["Memory", strawberry.lazy("app.surfaces.graphql.memories")] | None:
        """Memory; null if deleted."""
        from app.surfaces.graphql.memories import Memory  # noqa: PLC0415 - memories have mentions

        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.memory_id))
        return Memory.of(found) if found else None

    @strawberry.field
    async def entity(
        self, info: Info
    ) -> Annotated["Entity", strawberry.lazy("app.surfaces.graphql.entities")] | None:
        """Entity; null if deleted."""
        from app.surfaces.graphql.entities import Entity  # noqa: PLC0415 - entities have mentions

        found = await info.context.loaders.entities.load(Key(self.workspace_id, self.entity_id))
        return Entity.of(found) if found else None


@strawberry.type
class MentionsOfMemory:
    """Entities that a memory mentions; a part of ``Memory``."""

    @strawberry.field
    async def mentions(self, info: Info, first: int | None = DEFAULT_ROWS) -> list[Mention]:
        """Mentioned entities by name, each with the origin of the mention; at most 100."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))  # type: ignore[attr-defined]  # a mixin
        found = await info.context.loaders.mentioned.load(key) or ()
        return [Mention.of(edge, workspace_id=key.workspace_id) for edge in found]


@strawberry.type
class MentionsOfEntity:
    """Memories that mention an entity; a part of ``Entity``."""

    @strawberry.field
    async def mentions(self, info: Info, first: int | None = DEFAULT_ROWS) -> list[Mention]:
        """Memories that mention the entity, the latest first; at most 100."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))  # type: ignore[attr-defined]  # a mixin
        found = await info.context.loaders.mentioning.load(key) or ()
        return [Mention.of(edge, workspace_id=key.workspace_id) for edge in found]
