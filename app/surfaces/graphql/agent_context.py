"""The context that an agent fetches before it acts."""

from typing import cast

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.entities import Entity
from app.surfaces.graphql.episodes import Episode
from app.surfaces.graphql.inputs import ScopeInput, build, made_of, or_default, scoped
from app.surfaces.graphql.recall import RecallHit
from app.surfaces.graphql.telemetry import Pattern
from app.surfaces.graphql.users import ProfileEntry
from graph.core.working_set import DEFAULT_TTL_SECONDS
from graph.retrieval.context import models
from graph.retrieval.context.models import DEFAULT_LAYERS, InjectionFormat, LayerName
from graph.tenancy.models import Scope

strawberry.enum(
    InjectionFormat,
    description=(
        "Place of the context for a model: a system message for each layer, one system prompt, or the end of the "
        "user's message."
    ),
)


@strawberry.input
class ContextInput:
    """Intended action of an agent."""

    query: str = strawberry.field(
        description="The message it works on, by which the rest is found; its last 8000 characters are read."
    )
    conversation_id: strawberry.ID | None = strawberry.field(
        default=None, description="The conversation it belongs to: its five latest episodes come first."
    )
    target_entity_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Entities it is about to act on, by id or key; at most 100."
    )
    target_types: list[str] | None = strawberry.field(
        default=None, description="Types of nodes it is about to act on; at most 100."
    )
    action_type: str | None = strawberry.field(
        default=None, description="Intended action, as recordActions calls it."
    )
    max_tokens: int | None = strawberry.field(
        default=models.DEFAULT_TOKENS,
        description="Token budget of the prompt, at most 8000 and the setting maxTokens; null: the maximum.",
    )
    format: InjectionFormat | None = strawberry.field(
        default=None, description="Place of the context; defaults to SYSTEM_PROMPT."
    )
    provider: str | None = strawberry.field(
        default=None,
        description="Provider of the model, such as openai or zai/glm-4.6; some have no system role.",
    )
    used_by: strawberry.ID | None = strawberry.field(
        default=None,
        description="Session whose run uses the memories, to relate them to its outcome.",
    )
    scope: ScopeInput | None = strawberry.field(
        default=None, description="Owner of the memories to read; omitted: everything that the key may read."
    )
    dry_run: bool | None = strawberry.field(
        default=False,
        description="Count no memory as used, for a preview.",
    )
    profile: bool | None = strawberry.field(
        default=False,
        description="Begin with the profile of the scope's user, of at most 1000 tokens.",
    )


@strawberry.type
class MissingPart:
    """A missing part of a context."""

    part: str = strawberry.field(
        description=(
            "A layer (profile, episodes, ontology, patterns, memories); query, of which only the end was read; or "
            "meaning: there were no vectors for it."
        )
    )
    why: str = strawberry.field(description="late, failed, off or cut.")


@strawberry.type
class AgentContext:
    """Context for an agent's next step, as one prompt and in parts.

    While memory is off, it has no patterns; it still includes ontology, episodes and memories.
    """

    prompt: str = strawberry.field(
        description=(
            "Profile if requested, episodes, ontology, patterns and memories, in that order, within maxTokens; empty "
            "for nothing."
        )
    )
    messages: JSON = strawberry.field(
        description=(
            "The same as messages with role and content, to insert before the caller's own; as USER_SUFFIX the "
            "query followed by the context, which replaces the caller's message."
        )
    )
    profile: list[ProfileEntry] = strawberry.field(
        description="Entries of the profile in the prompt; empty unless requested."
    )
    memories: list[RecallHit] = strawberry.field(description="The memories in the prompt, best first.")
    entities: list[Entity] = strawberry.field(
        description="The entities in the prompt: the targets, then those the query found."
    )
    episodes: list[Episode] = strawberry.field(
        description="The summaries in the prompt: the latest of the conversation, the most recent last."
    )
    patterns: list[Pattern] = strawberry.field(
        description="Patterns that the prompt warns of: promoted and not suppressed."
    )
    skipped: list[str] = strawberry.field(
        description="Each layer that was off, late, failed or cut, and why, as in 'patterns: memory is off …'."
    )
    missing: list[MissingPart] = strawberry.field(
        description="The same as skipped, one word each, without layers that were not requested."
    )
    tokens: int = strawberry.field(description="Tokens of the prompt: a quarter of its characters.")

    @classmethod
    def of(cls, context: models.AgentContext, workspace_id: str) -> "AgentContext":
        """Return the GraphQL form of a context."""
        return made_of(
            cls,
            context,
            messages=[dict(message) for message in context.messages],
            profile=[ProfileEntry.of(entry, workspace_id=workspace_id) for entry in context.profile],
            memories=[RecallHit.of(hit) for hit in context.memories],
            entities=[Entity.of(entity) for entity in context.entities],
            episodes=[Episode.of(episode) for episode in context.episodes],
            patterns=[Pattern.of(pattern) for pattern in context.patterns],
            missing=[MissingPart(part=part, why=why) for part, why in context.missing.items()],
        )


@strawberry.type
class AgentContextQueries:
    """Composing what an agent should know."""

    @strawberry.field
    async def context(
        self, info: Info, input: ContextInput, workspace_id: WorkspaceId = None
    ) -> AgentContext:
        """Context for an agent's next step: conversation, targets, their failure patterns, relevant memories."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        with scoped(input.scope):
            composed = await info.context.services.retrieval.context.compose(workspace, _query(input))
        return AgentContext.of(composed, workspace)


def _query(input_: ContextInput) -> models.ContextQuery:
    return build(
        models.ContextQuery,
        {
            "query": input_.query,
            "conversation_id": input_.conversation_id,
            "target_ids": tuple(input_.target_entity_ids or ()),
            "target_types": tuple(input_.target_types or ()),
            "action_type": input_.action_type,
            "max_tokens": input_.max_tokens,
            "format": input_.format or InjectionFormat.SYSTEM_PROMPT,
            "provider": input_.provider,
            "used_by": input_.used_by,
            "dry_run": bool(input_.dry_run),
            "layers": DEFAULT_LAYERS | ({LayerName.PROFILE} if input_.profile else frozenset()),
        },
    )


@strawberry.type
class WorkingSetQueries:
    """Reading it."""

    @strawberry.field
    async def working_set(
        self, info: Info, conversation_id: strawberry.ID, slot: str, workspace_id: WorkspaceId = None
    ) -> JSON | None:
        """Value of a slot of a conversation; null if it has expired or Redis is unavailable.

        Reading restarts the slot's lifetime. It is never read automatically and never stored in the graph; recreate
        expired slots.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        value = await info.context.services.core.working_set.read(workspace, conversation_id, slot)
        return cast("JSON | None", value)


@strawberry.type
class WorkingSetMutations:
    """Writing it."""

    @strawberry.mutation
    async def set_working_set(
        self,
        info: Info,
        conversation_id: strawberry.ID,
        slot: str,
        value: JSON,
        ttl_seconds: int | None = None,
        workspace_id: WorkspaceId = None,
    ) -> bool:
        """Put a value of at most 256 KiB into a slot; false where Redis is unavailable.

        It stays until nobody has read it for an hour, or for ttlSeconds, 1 to 604800. Agents agree on slots, as on
        `planner_decision`, `recent_retrieval` and `intermediate_results`.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.core.working_set.write(
            workspace,
            conversation_id,
            slot,
            value,
            ttl_seconds=or_default(ttl_seconds, DEFAULT_TTL_SECONDS),
        )

    @strawberry.mutation
    async def clear_working_set(
        self, info: Info, conversation_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> int:
        """Remove all slots of a conversation, as at its end; how many there were."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.core.working_set.clear(workspace, conversation_id)
