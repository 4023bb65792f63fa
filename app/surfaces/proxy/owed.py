"""Stores data for the caller's next request: results of Recollect's calls, and the question of the turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from pydantic import TypeAdapter, ValidationError

from app.surfaces.proxy.dialects import Dialect, Json, Round, Turn, key_of
from app.surfaces.proxy.tools import DoneCall, ToolResult
from graph.core.errors import InvalidInput
from graph.core.working_set import MOST_TTL_SECONDS, WorkingSet

_RESULTS = "x_tool_results"
_LAST_ANSWER = "x_last_answer"
_ASKED = "x_asked"
_ASKED_TTL_SECONDS = 86_400  # it outlives its conversation where that is deleted
_MOST_CALLS = 32
_DONE = TypeAdapter(list[DoneCall])


class OwedResults:
    """Keeps results until the caller sends its own; lives as long as the process.

    The working set stores them, so that any process finds them, for as long as it keeps anything: people continue a
    chat days later. If they have expired, the model does not see them, and may call again. Their name consists of the
    id of a call of the caller's, and of its turn, of the response that it continues or of the upstream's conversation,
    because some upstreams number the calls of each chat from 0. Under the caller's id of a response of several rounds
    lies the upstream's id of the last round, which the next request must continue. The user's text lies there as well,
    for a day, because a request that only brings results does not contain it.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        self._working_set = working_set

    async def keep(self, workspace_id: str, turn: Turn, said: Round, results: Sequence[ToolResult]) -> None:
        """Store the results of calls that were executed together with the caller's."""
        done = [
            DoneCall(id=call.id, name=call.name, arguments=call.arguments, text=result.text).model_dump()
            for call, result in zip(said.calls, results, strict=True)
        ]
        for origin in filter(None, (turn.key, turn.stored_in, said.answer_id)):
            name = key_of(origin, said.others[0])
            await self._working_set.write(workspace_id, name, _RESULTS, done, ttl_seconds=MOST_TTL_SECONDS)

    async def keep_id(self, workspace_id: str, renamed: tuple[str, str]) -> None:
        """Keep the id of the last answer under the one that the caller has."""
        await self._working_set.write(
            workspace_id, renamed[0], _LAST_ANSWER, renamed[1], ttl_seconds=MOST_TTL_SECONDS
        )

    async def keep_asked(self, workspace_id: str, turn: Turn, said: Round, asked: str) -> None:
        """Keep what the user asked where the next request may bring results of calls only."""
        for origin in filter(None, (turn.stored_in, said.answer_id)):
            await self._working_set.write(workspace_id, origin, _ASKED, asked, ttl_seconds=_ASKED_TTL_SECONDS)

    async def with_asked(self, dialect: Dialect, workspace_id: str, turn: Turn, body: Json) -> Turn:
        """Return a turn with the user's question, if the request only brings results of calls."""
        origin = dialect.goes_on_from(body) or turn.stored_in
        if turn.texts or origin is None or not dialect.answered_calls(body):
            return turn
        return replace(turn, asked=await self._text(workspace_id, origin, _ASKED) or "")

    async def with_owed(self, dialect: Dialect, workspace_id: str, turn: Turn, body: Json) -> Json:
        """Return a request with the stored results added to the caller's.

        Returns the same object if there are none.
        """
        before = dialect.goes_on_from(body)
        origin = before or turn.stored_in or turn.key
        if before is not None and (last := await self._text(workspace_id, before, _LAST_ANSWER)) is not None:
            body = dialect.going_on_from(body, last)
        ids = list(dict.fromkeys(dialect.answered_calls(body)))[:_MOST_CALLS]
        found = await asyncio.gather(*(self._found(workspace_id, key_of(origin, id_)) for id_ in ids))
        for id_, done in zip(ids, found, strict=True):
            if done:
                body = dialect.with_results(body, id_, done)
        return body

    async def _text(self, workspace_id: str, id_: str, slot: str) -> str | None:
        try:
            found = await self._working_set.read(workspace_id, id_, slot)
        except InvalidInput:
            return None
        return found if isinstance(found, str) else None

    async def _found(self, workspace_id: str, name: str) -> Sequence[DoneCall]:
        try:
            return _DONE.validate_python(await self._working_set.read(workspace_id, name, _RESULTS) or [])
        except ValidationError:
            return []
