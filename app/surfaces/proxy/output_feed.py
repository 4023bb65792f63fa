"""Submits texts of turns for distillation in the background, so that no turn waits for it or fails because of it."""

import asyncio

import structlog

from graph.conversations.distillation.models import Output
from graph.conversations.distillation.service import LEAST_CHARS, Distillations
from graph.core.errors import RecollectError
from graph.core.measuring import Measurements
from graph.core.scope import ReadScope, seeing
from graph.tenancy.models import Principal, Scope

OUTPUT_CHARS = 64 * 1024
"""Maximum length of a submitted text; only the end of a longer one, with its conclusions, is kept."""
_CLOSING_SECONDS = 5.0
_log = structlog.get_logger("recollect.proxy")


class OutputFeed:
    """Queue of tool results and answers for distillation; lives as long as the process.

    Drops and counts texts that exceed the queue's capacity.

    Args:
        distilling: Receiver of the texts.
        measurements: Counts dropped texts as fallbacks of distillation.
        most_waiting: Maximum number of queued texts.
        most_chars: Maximum length of a text; only the end of a longer one is kept.
    """

    def __init__(
        self, distilling: Distillations, measurements: Measurements, *, most_waiting: int, most_chars: int
    ) -> None:
        self._distilling = distilling
        self._measurements = measurements
        self._most_chars = most_chars
        self._waiting: asyncio.Queue[tuple[str, ReadScope, Output]] = asyncio.Queue(most_waiting)
        self._worker: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the worker that submits queued texts."""
        self._worker = asyncio.create_task(self._work_off())

    def offer(self, principal: Principal, scope: ReadScope, output: Output) -> None:
        """Queue a text of a caller's turn; return immediately and never fail.

        Ignores blank texts, and callers whose key may not write.

        Args:
            principal: The caller.
            scope: Scope of the turn, which determines the owner of the memories.
            output: The text with its source.
        """
        text = output.text[-self._most_chars :]
        if not text.strip() or not principal.may(Scope.WRITE):
            return
        stored = output.model_copy(update={"text": text, "api_key_id": principal.key_id})
        try:
            self._waiting.put_nowait((principal.workspace_id, scope, stored))
        except asyncio.QueueFull:
            self._measurements.fallback("distilling", "no_room")

    async def drain(self) -> None:
        """Return once every queued text is submitted."""
        await self._waiting.join()

    async def close(self) -> None:
        """Submit queued texts for a few seconds, then stop the worker."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self.drain()
        except TimeoutError:
            _log.warning("proxy.outputs_dropped", waiting=self._waiting.qsize())
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _work_off(self) -> None:
        while True:
            workspace_id, scope, output = await self._waiting.get()
            try:
                with seeing(scope):
                    await self._distilling.enqueue(workspace_id, output)
            except RecollectError as error:
                _log.warning("proxy.output_not_taken", reason=error.code, field=error.field)
            except Exception as error:  # noqa: BLE001 - one failure must not stop the other texts
                _log.error("proxy.output_not_taken", reason=type(error).__name__, exc_info=error)
            finally:
                self._waiting.task_done()


def is_long(answer: str) -> bool:
    """Tell whether an answer has the minimum length for distillation."""
    return len(answer) >= LEAST_CHARS
