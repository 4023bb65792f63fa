"""Changes of what earlier releases stored, each done once in the life of a store."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.ports import Clock

_P = ParamSpec("_P")


def once_in_a_store(
    name: str,
) -> Callable[
    [Callable[Concatenate[Database, _P], Awaitable[None]]],
    Callable[Concatenate[Database, Clock, _P], Awaitable[None]],
]:
    """Have a change noted under a name when it is done, and passed over from then on.

    Processes that start together may all do it, and one that is broken off is begun again, so doing it twice must be
    harmless.
    """

    def noted(
        change: Callable[Concatenate[Database, _P], Awaitable[None]],
    ) -> Callable[Concatenate[Database, Clock, _P], Awaitable[None]]:
        @wraps(change)
        async def change_once(
            database: Database, clock: Clock, /, *args: _P.args, **kwargs: _P.kwargs
        ) -> None:
            if await find_data_version(database, name=name) is None:
                await change(database, *args, **kwargs)
                await note_data_version(database, name=name, now=clock.now())

        return change_once

    return noted
