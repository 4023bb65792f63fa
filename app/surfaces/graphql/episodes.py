"""Episodes: summaries that replace old messages."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import Connection, connection_parts
from graph.conversations.episodes import models
from graph.conversations.episodes.models import MOST_LISTED, episode_block
from graph.conversations.episodes.service import DEFAULT_MAX_AGE_DAYS, DEFAULT_RETAIN_LAST
from graph.memories.models import MemoryState
from graph.tenancy.models import Scope


@strawberry.type
class Episode(Node, Shown[models.Episode]):
    """A summary of old messages of a conversation."""

    conversation_id: strawberry.ID
    summary: str = strawberry.field(description="Summary, one paragraph in the third person.")
    model: str | None = strawberry.field(
        description="Language model that wrote the summary; null: the rules wrote it."
    )
    source_message_ids: list[strawberry.ID] = strawberry.field(
        description="Ids of the summarised messages, which are deleted unless the workspace keeps them."
    )
    turn_count: int
    is_deleted: bool
    state: MemoryState = strawberry.field(description="Progress of its embedding.")
    created_at: datetime


@strawberry.type
class EpisodeConnection(Connection[Episode]):
    """A page of episodes."""

    prompt: str = strawberry.field(
        description="Five latest episodes of the page as text for an agent, the most recent last; empty if there are "
        "none."
    )


@strawberry.type
class EpisodeQueries:
    """Queries of episodes."""

    @strawberry.field
    async def episodes(
        self,
        info: Info,
        conversation_id: strawberry.ID | None = None,
        workspace_id: WorkspaceId = None,
        first: int | None = MOST_LISTED,
        after: str | None = None,
    ) -> EpisodeConnection:
        """A page of episodes of one conversation or of all, the newest first; available while memory is off."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.conversations.episodes.page(
            workspace, conversation_id=conversation_id, first=or_default(first, MOST_LISTED), after=after
        )
        edges, page_info = connection_parts(page, Episode.of, after)
        return EpisodeConnection(edges=edges, page_info=page_info, prompt=episode_block(page.items))


@strawberry.type
class EpisodeMutations:
    """Mutations that create episodes."""

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

        One call summarises at most 2000 messages, or as many as the language model can read at once. It deletes them
        permanently unless the workspace keeps raw conversations. While extraction is on, messages that it has not read
        yet stay. Null if nothing changed; `extensions.notices` has the reason.
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
