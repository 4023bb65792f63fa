"""The context that an agent fetches before it acts, and the working set of a conversation."""

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
        description="The agent's current message, as the search query; the service reads its last 8000 characters."
    )
    conversation_id: strawberry.ID | None = strawberry.field(
        default=None, description="Conversation of the message; its five latest episodes come first."
    )
    target_entity_ids: list[strawberry.ID] | None = strawberry.field(
        default=None, description="Entities that the agent is about to act on, by id or key; at most 100."
    )
    target_types: list[str] | None = strawberry.field(
        default=None, description="Types of nodes that the agent is about to act on; at most 100."
    )
    action_type: str | None = strawberry.field(
        default=None, description="Type of the intended action, as in recordActions."
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
        description="Preview: no memory counts as used.",
    )
    profile: bool | None = strawberry.field(
        default=False,
        description="Begin with the profile of the scope's user, at most 1000 tokens.",
    )


@strawberry.type
class MissingPart:
    """A missing part of a context."""

    part: str = strawberry.field(
        description=(
            "Missing layer (profile, episodes, ontology, patterns, memories); `query` if only its end was read; "
            "`meaning` if there were no vectors."
        )
    )
    why: str = strawberry.field(description="Reason: late, failed, off or cut.")


@strawberry.type
class AgentContext:
    """Context for an agent's next step, as one prompt and in parts.

    While memory is off, it has no patterns; it still includes ontology, episodes and memories.
    """

    prompt: str = strawberry.field(
        description=(
            "Profile if requested, episodes, ontology, patterns and memories, in that order, within maxTokens; empty "
            "if there are none."
        )
    )
    messages: JSON = strawberry.field(
        description=(
            "The prompt as messages with role and content, to insert before the caller's own. With USER_SUFFIX, one "
            "message with the query and the context, which replaces the caller's message."
        )
    )
    profile: list[ProfileEntry] = strawberry.field(
        description="Entries of the profile in the prompt; empty unless requested."
    )
    memories: list[RecallHit] = strawberry.field(description="The memories in the prompt, best first.")
    entities: list[Entity] = strawberry.field(
        description="Entities in the prompt: the targets, then the hits of the query."
    )
    episodes: list[Episode] = strawberry.field(
        description="Latest episodes of the conversation in the prompt, the most recent last."
    )
    patterns: list[Pattern] = strawberry.field(
        description="Failure patterns in the prompt: promoted and not suppressed."
    )
    skipped: list[str] = strawberry.field(
        description="Layers that were off, late, failed or cut, each with the reason: 'patterns: memory is off …'."
    )
    missing: list[MissingPart] = strawberry.field(
        description="Skipped layers with one-word reasons; omits layers that the query has no input for."
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
    """Queries of an agent's context."""

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
    """Queries of working sets."""

    @strawberry.field
    async def working_set(
        self, info: Info, conversation_id: strawberry.ID, slot: str, workspace_id: WorkspaceId = None
    ) -> JSON | None:
        """Value of a slot of a conversation; null if it has expired or Redis is unavailable.

        A read restarts the slot's lifetime. Only callers read or write slots, and the graph never stores them, so a
        caller must be able to compute an expired value again.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        value = await info.context.services.core.working_set.read(workspace, conversation_id, slot)
        return cast("JSON | None", value)


@strawberry.type
class WorkingSetMutations:
    """Mutations of working sets."""

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
        """Put a value of at most 256 KiB into a slot; false if Redis is unavailable.

        The slot expires after ttlSeconds without a read, 1 to 604800, by default an hour. Slot names are a convention
        of the agents, such as `planner_decision`, `recent_retrieval` and `intermediate_results`.
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
        """Remove all slots of a conversation, for example at its end; returns their number."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.core.working_set.clear(workspace, conversation_id)
