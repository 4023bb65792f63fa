"""The schema: the mixins of all features composed."""

import strawberry
from strawberry.extensions import MaxAliasesLimiter, MaxTokensLimiter, QueryDepthLimiter
from strawberry.schema.config import StrawberryConfig

from app.graphql.access import AccessMutations, AccessQueries
from app.graphql.associations import AssociationMutations
from app.graphql.descriptions import DescribedSchema
from app.graphql.errors import ErrorCodes
from app.graphql.jobs import JobMutations, JobQueries
from app.graphql.memories import MemoryMutations, MemoryQueries
from app.graphql.recall import RecallQueries
from app.graphql.status import StatusMutations, StatusQueries
from app.graphql.workspaces import WorkspaceMutations, WorkspaceQueries

_MOST_DEPTH = 15  # introspection needs 13
_MOST_TOKENS = 10_000
_MOST_ALIASES = 50


@strawberry.type
class Query(AccessQueries, StatusQueries, WorkspaceQueries, MemoryQueries, RecallQueries, JobQueries):
    """Reading."""


@strawberry.type
class Mutation(
    WorkspaceMutations, AccessMutations, StatusMutations, MemoryMutations, AssociationMutations, JobMutations
):
    """Writing."""


schema = DescribedSchema(
    query=Query,
    mutation=Mutation,
    config=StrawberryConfig(auto_camel_case=True),
    extensions=[
        ErrorCodes,
        lambda: QueryDepthLimiter(max_depth=_MOST_DEPTH),
        lambda: MaxTokensLimiter(max_token_count=_MOST_TOKENS),
        lambda: MaxAliasesLimiter(max_alias_count=_MOST_ALIASES),
    ],
)


def sdl() -> str:
    """Return the schema in the schema definition language, as the committed snapshot holds it."""
    return schema.as_str() + "\n"
