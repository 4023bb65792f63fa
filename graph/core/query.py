"""Decorator for query functions, whose signatures declare the parameters and results of query files."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from typing import Any, Concatenate, ParamSpec, TypeVar, get_args, get_type_hints

from cypher import Cardinality, Statement, load
from graph.core.rows import Runner, execute, fetch_many, fetch_one, fetch_optional
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

    Its keyword parameters are the parameters of the statement; ``vector_index`` names the index to search. Its return
    annotation is the row model, or the type of the only column. The file's header determines the number of rows. If a
    statement declares ``$scope``, the function adds the read scope of the current task.
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
            raise TypeError(f"missing or unknown parameters of {declared.__name__}(): {differing}")
        statement, row = _target(declared)
        if statement.is_by_user:
            parameters[_SCOPE] = current_scope().parameters
        if _INDEX in names:
            by_user = not _is_everybodys(statement)
            statement = statement.on_index(parameters.pop(_INDEX), by_user=by_user)
        if row is None:
            return await execute(runner, statement, parameters)
        return await _FETCH[statement.returns](runner, statement, row, parameters)

    return run  # type: ignore[return-value]  # it takes what was declared, and returns what the file's rows are read as


def _is_everybodys(statement: Statement) -> bool:
    return statement.is_by_user and current_scope().users is None


@cache
def _target(declared: Callable[..., Any]) -> tuple[Statement, Any]:
    """Return the statement and its row type; reads the file at the first call."""
    statement = load(declared.__name__)
    returned = get_type_hints(declared)["return"]
    if statement.returns == "none":
        return statement, None
    return statement, returned if statement.returns == "one" else get_args(returned)[0]
