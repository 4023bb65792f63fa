"""Declares a query function: its signature says what a query file takes and returns, and the file does the rest."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from types import NoneType
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args, get_type_hints

from cypher import Cardinality, Statement, load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.core.scope import current_scope

ParametersT = ParamSpec("ParametersT")
ReturnedT = TypeVar("ReturnedT")
Declared = Callable[Concatenate[Runner, ParametersT], Coroutine[Any, Any, ReturnedT]]

_INDEX = "vector_index"
_SCOPE = "scope"
_FETCH: Mapping[Cardinality, Callable[..., Awaitable[Any]]] = {
    "one": fetch_one,
    "optional": fetch_optional,
    "many": fetch_many,
}


def query(declared: Declared[ParametersT, ReturnedT]) -> Declared[ParametersT, ReturnedT]:
    """Return a function that runs the query file of the declared function's name.

    Its keyword parameters are the statement's, ``vector_index`` is the index that the statement searches, and its
    return annotation names the row model. How many rows come back is what the file's header says. A statement that
    declares ``$scope`` is handed what the present task may see.

    >>> @query
    ... async def count_memories(runner: Runner, *, workspace_id: str) -> CountMemoriesRow: ...
    """
    names = frozenset(
        name
        for name, parameter in signature(declared).parameters.items()
        if parameter.kind is Parameter.KEYWORD_ONLY
    )

    @wraps(declared)
    async def run(runner: Runner, **parameters: Any) -> Any:
        if parameters.keys() != names:
            differing = ", ".join(sorted(parameters.keys() ^ names))
            raise TypeError(f"{declared.__name__}() takes other parameters: {differing}")
        statement, row = _target(declared)
        if statement.is_by_user:
            parameters[_SCOPE] = current_scope().parameters
        if _INDEX in names:
            statement = statement.on_index(parameters.pop(_INDEX))
        if row is None:
            return await execute(runner, statement, parameters)
        return await _FETCH[statement.returns](runner, statement, row, parameters)

    return run  # type: ignore[return-value]  # it takes what was declared, and returns what the file's rows are read as


@cache
def _target(declared: Callable[..., Any]) -> tuple[Statement, type[Row] | None]:
    """Return the statement and its row model, found at the first call: files are read once, when they are needed."""
    return load(declared.__name__), _row(get_type_hints(declared)["return"])


def _row(returned: Any) -> type[Row] | None:
    for found in (returned, *get_args(returned)):
        if isinstance(found, type) and issubclass(found, Row):
            return found
    assert returned is NoneType  # noqa: S101 - held by the contract tests
    return None
