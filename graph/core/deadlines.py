"""Transaction deadline of the current task: for requests, or for long work."""

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

_IS_LONG: ContextVar[bool] = ContextVar("is_long_work", default=False)


@contextmanager
def long_work() -> Iterator[None]:
    """Give each transaction of the block the longer deadline of background work, while the server answers others."""
    token = _IS_LONG.set(True)
    try:
        yield
    finally:
        _IS_LONG.reset(token)


def takes_long(work: Callable[P, Coroutine[Any, Any, ResultT]]) -> Callable[P, Coroutine[Any, Any, ResultT]]:
    """Run every call of a use case as ``long_work()``."""

    @wraps(work)
    async def taking_long(*args: P.args, **kwargs: P.kwargs) -> ResultT:
        with long_work():
            return await work(*args, **kwargs)

    return taking_long


def is_long_work() -> bool:
    """Tell whether the current task does long work."""
    return _IS_LONG.get()
