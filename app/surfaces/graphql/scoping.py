"""Ownership filter of a field: the argument ``scope``."""

from contextlib import AbstractContextManager
from typing import Annotated

import strawberry

from app.surfaces.graphql.inputs import build
from graph.core.scope import ReadScope, narrowed, seeing
from graph.core.text.checks import short_text


@strawberry.input
class ScopeInput:
    """Owner of the memories to read; a bound key reads only its own."""

    user_id: strawberry.ID | None = strawberry.field(default=None, description="User; omitted: all users.")
    agent_id: strawberry.ID | None = strawberry.field(default=None, description="Agent; omitted: all agents.")
    include_shared: bool | None = strawberry.field(
        default=True, description="Include memories shared by the whole workspace."
    )


ScopeArgument = Annotated[
    ScopeInput | None,
    strawberry.argument(
        name="scope", description="Owner of the memories to read; omitted: everything that the key may read."
    ),
]


def scoped(scope: ScopeInput | None) -> AbstractContextManager[None]:
    """Read no more than the scope within the block.

    Raises:
        Forbidden: The key is bound to another user or agent.
        InvalidInput: An id is blank or too long.
    """
    return seeing(asked_scope(scope))


def asked_scope(scope: ScopeInput | None) -> ReadScope:
    """Return the part of the scope that the key may read; raises as :func:`scoped`."""
    if scope is None:
        return narrowed(ReadScope())
    values = {
        "user_id": short_text("userId", scope.user_id),
        "agent_id": short_text("agentId", scope.agent_id),
        "include_shared": scope.include_shared is not False,
    }
    return narrowed(build(ReadScope, values))
