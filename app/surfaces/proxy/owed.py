"""Results of calls that a model made beside some of the caller's: they are told with the caller's own."""

import asyncio
from collections.abc import Sequence

from pydantic import TypeAdapter, ValidationError

from app.surfaces.proxy.dialects import Dialect, Json, Round
from app.surfaces.proxy.tools import DoneCall, ToolResult
from graph.core.errors import InvalidInput
from graph.core.working_set.service import WorkingSet

_RESULTS = "x_tool_results"
_LAST_ANSWER = "x_last_answer"
_MOST_CALLS = 32
_DONE = TypeAdapter(list[DoneCall])


class OwedResults:
    """Keeps results until the caller sends its own; lives as long as the process.

    They lie in the working set under the id of a call of the caller's, so that any process finds them. Where they are
    gone the model is not told, and may call again. Under the id that a caller has for an answer of several rounds lies
    the upstream's for the last of them, from which the next request has to go on.
    """

    def __init__(self, working_set: WorkingSet) -> None:
        self._working_set = working_set

    async def keep(self, workspace_id: str, said: Round, results: Sequence[ToolResult]) -> None:
        """Keep what was executed beside calls of the caller's."""
        done = [
            DoneCall(id=call.id, name=call.name, arguments=call.arguments, text=result.text).model_dump()
            for call, result in zip(said.calls, results, strict=True)
        ]
        await self._working_set.write(workspace_id, said.others[0], _RESULTS, done)

    async def keep_id(self, workspace_id: str, renamed: tuple[str, str]) -> None:
        """Keep the id of the last answer under the one that the caller has."""
        await self._working_set.write(workspace_id, renamed[0], _LAST_ANSWER, renamed[1])

    async def with_owed(self, dialect: Dialect, workspace_id: str, body: Json) -> Json:
        """Return a request with what is owed to the model beside the results that the caller sends."""
        before = dialect.goes_on_from(body)
        if before is not None and (last := await self._last_answer(workspace_id, before)) is not None:
            body = dialect.going_on_from(body, last)
        ids = list(dict.fromkeys(dialect.answered_calls(body)))[:_MOST_CALLS]
        found = await asyncio.gather(*(self._found(workspace_id, id_) for id_ in ids))
        for id_, done in zip(ids, found, strict=True):
            if done:
                body = dialect.with_results(body, id_, done)
        return body

    async def _last_answer(self, workspace_id: str, id_: str) -> str | None:
        try:
            found = await self._working_set.read(workspace_id, id_, _LAST_ANSWER)
        except InvalidInput:
            return None
        return found if isinstance(found, str) else None

    async def _found(self, workspace_id: str, call_id: str) -> Sequence[DoneCall]:
        try:
            return _DONE.validate_python(await self._working_set.read(workspace_id, call_id, _RESULTS) or [])
        except (InvalidInput, ValidationError):
            return []
