"""Episodes: the summaries that rolled-up turns leave behind."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import Connection, connection_parts
from graph.conversations.episodes import models
from graph.conversations.episodes.models import MOST_TOLD, episode_block
from graph.conversations.episodes.service import DEFAULT_MAX_AGE_DAYS, DEFAULT_RETAIN_LAST
from graph.memories.models import MemoryState
from graph.tenancy.models import Scope


@strawberry.type
class Episode(Node, Shown[models.Episode]):
    """A summary of old turns of a conversation."""

    conversation_id: strawberry.ID
    summary: str = strawberry.field(description="One paragraph in the third person.")
    model: str | None = strawberry.field(
        description="The language model that wrote it; null where rules wrote it."
    )
    source_message_ids: list[strawberry.ID] = strawberry.field(
        description="The names of the turns, which were deleted."
    )
    turn_count: int
    is_deleted: bool
    state: MemoryState = strawberry.field(description="Progress of its embedding.")
    created_at: datetime


@strawberry.type
class EpisodeConnection(Connection[Episode]):
    """A page of episodes."""

    prompt: str = strawberry.field(
        description="The five latest of the page as text for an agent, the most recent last; empty without any."
    )


@strawberry.type
class EpisodeQueries:
    """Reading episodes."""

    @strawberry.field
    async def episodes(
        self,
        info: Info,
        conversation_id: strawberry.ID | None = None,
        workspace_id: WorkspaceId = None,
        first: int | None = MOST_TOLD,
        after: str | None = None,
    ) -> EpisodeConnection:
        """A page of the episodes of a conversation, or of all, the newest first; readable also where memory is off."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.conversations.episodes.page(
            workspace, conversation_id=conversation_id, first=or_default(first, MOST_TOLD), after=after
        )
        edges, page_info = connection_parts(page, Episode.of, after)
        return EpisodeConnection(edges=edges, page_info=page_info, prompt=episode_block(page.items))


@strawberry.type
class EpisodeMutations:
    """Making episodes."""

    @strawberry.mutation
    async def consolidate_conversation(
        self,
        info: Info,
        id: strawberry.ID,
        retain_last: int | None = DEFAULT_RETAIN_LAST,
        max_age_days: int | None = DEFAULT_MAX_AGE_DAYS,
        workspace_id: WorkspaceId = None,
    ) -> Episode | None:
        """Replace messages older than maxAgeDays, except the retainLast newest, with a summary.

        The messages are deleted permanently, at most 2000 in one call, and no more than the language model that writes
        the summary can read in one call. If facts are extracted, messages not yet read stay. Null if nothing changed;
        `extensions.notices` has the reason.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        made = await info.context.services.conversations.episodes.consolidate(
            workspace,
            id,
            retain_last=or_default(retain_last, DEFAULT_RETAIN_LAST),
            max_age_days=or_default(max_age_days, DEFAULT_MAX_AGE_DAYS),
        )
        info.context.notice(made.notice)
        return Episode.of(made.episode) if made.episode else None
