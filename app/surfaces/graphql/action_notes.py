"""Records each mutation for telemetry, with its outcome and duration."""

import time
from collections.abc import Callable, Mapping
from functools import wraps
from inspect import isawaitable
from typing import Any

from graphql import GraphQLError, GraphQLResolveInfo, GraphQLSchema

from app.observability.action_notes import is_left_out, outcome_of, place_of, session_of, target_of
from app.surfaces.graphql.context import Context
from app.surfaces.graphql.errors import INTERNAL
from graph.core.acting import CurrentCall, answering
from graph.core.errors import InvalidInput, RecollectError


def note_mutations(schema: GraphQLSchema) -> None:
    """Have every mutation of a schema noted whenever it is executed."""
    mutations = schema.mutation_type
    for name, field in mutations.fields.items() if mutations is not None else ():
        if field.resolve is not None and not is_left_out(name):
            field.resolve = _noted(name, field.resolve)


def _noted(name: str, resolve: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(resolve)
    async def noted(source: Any, info: GraphQLResolveInfo[Any], **arguments: Any) -> Any:
        start = time.perf_counter()
        with answering() as call:
            try:
                made = resolve(source, info, **arguments)
                answer = await made if isawaitable(made) else made
            except Exception as error:
                _note(info.context, name, call, _named(name, arguments), _code(error), start)
                raise
            _note(info.context, name, call, _named(name, arguments), None, start)
            return answer

    return noted


def _note(
    context: Context, name: str, call: CurrentCall, named: str | None, code: str | None, start: float
) -> None:
    if context.caller is None:
        return
    workspace_id = place_of(call, context.caller, named)
    if workspace_id is None:
        return
    request = context.request
    headers = {key.lower(): value for key, value in request.headers.items()} if request else {}
    context.services.telemetry.notes.note(
        workspace_id,
        session_id=session_of("graphql", headers, context.caller),
        action_type=name,
        node_type=target_of(name),
        outcome=outcome_of(name, call, code),
        error_code=code,
        seconds=time.perf_counter() - start,
        touched=call.touched,
    )


def _named(name: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the workspace that a mutation's arguments name, beside its input or within."""
    if name == "updateWorkspace":
        return arguments.get("id")
    given = arguments.get("input")
    within = given.get("workspaceId") if isinstance(given, Mapping) else None
    return arguments.get("workspaceId") or within


def _code(error: Exception) -> str:
    if isinstance(error, RecollectError):
        return error.code
    return InvalidInput.code if isinstance(error, GraphQLError) else INTERNAL
