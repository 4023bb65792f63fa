"""Compaction: replaces many memories by a summary, when a person asks for it."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, given
from app.surfaces.graphql.made_of import made_of
from app.surfaces.graphql.memories import Memory
from graph.memories.compaction import service
from graph.memories.compaction.service import DEFAULT_MAX_TOKENS, CompactionMode
from graph.tenancy.models import Scope

strawberry.enum(CompactionMode)


@strawberry.input
class CompactInput:
    """Memories to compact, with the mode; compaction skips turns of conversations and summaries."""

    older_than_days: int | None = strawberry.field(
        default=None,
        description="Replace memories older than this with a summary of one line each, or with several summaries of at "
        "most 4000 characters; the originals can be restored.",
    )
    mode: CompactionMode | None = strawberry.field(
        default=None,
        description="Mode without olderThanDays. TRUNCATE (default) keeps the newest within maxTokens and shortens "
        "all others to three sentences. CONDENSE replaces all with one summary of at most maxTokens.",
    )
    max_tokens: int | None = strawberry.field(default=DEFAULT_MAX_TOKENS, description="1 to 8000.")
    api_key_id: strawberry.ID | None = strawberry.field(
        default=None, description="Owner of the memories; omitted: all."
    )
    session_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only this session; omitted: all."
    )
    dry_run: bool | None = strawberry.field(
        default=False, description="Report the changes without making them."
    )


@strawberry.type
class CompactionReport:
    """Effect of a compaction, or its expected effect."""

    dry_run: bool
    candidate_count: int = strawberry.field(description="Number of compacted memories.")
    candidates: list[Memory] = strawberry.field(description="The first 100 of them, as they were before.")
    tokens_before: int = strawberry.field(description="Approximate tokens of the candidates.")
    tokens_after: int = strawberry.field(description="Approximate tokens of the replacement.")
    tokens_saved: int = strawberry.field(
        description="tokensBefore less tokensAfter; never negative: memories that would not shrink are left alone."
    )
    texts: list[str] = strawberry.field(description="Texts of the summaries.")
    summaries: list[Memory] = strawberry.field(description="The memories made; none in a dry run.")

    @classmethod
    def of(cls, report: service.CompactionReport) -> "CompactionReport":
        """Return the GraphQL form of a report."""
        return made_of(
            cls,
            report,
            candidates=[Memory.of(memory) for memory in report.candidates],
            summaries=[Memory.of(memory) for memory in report.summaries],
        )


@strawberry.type
class CompactionMutations:
    """Compacting memories."""

    @strawberry.mutation
    async def compact_memories(
        self, info: Info, input: CompactInput, workspace_id: WorkspaceId = None
    ) -> CompactionReport:
        """Compact memories; the originals can be restored. Compaction never runs automatically."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        wanted = {name: value for name, value in given(input).items() if value is not None}
        wish = build(service.CompactionWish, wanted)
        return CompactionReport.of(await info.context.services.memories.compaction.compact(workspace, wish))
