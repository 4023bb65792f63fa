"""Hands what turns bring to distilling, in the background: no turn waits for it or fails by it."""

import asyncio

import structlog

from graph.conversations.distillation.models import Output
from graph.conversations.distillation.service import LEAST_CHARS, Distillations
from graph.core.errors import RecollectError
from graph.core.measuring import Measurements
from graph.core.scope import ReadScope, seeing
from graph.tenancy.models import Principal, Scope

OUTPUT_CHARS = 64 * 1024
"""Kept length of an output: its end, which has the conclusions."""
_CLOSING_SECONDS = 5.0
_log = structlog.get_logger("recollect.proxy")


class OutputFeed:
    """Takes what tools and models answered; lives as long as the process. What there is no room for is counted.

    Args:
        distilling: Receiver of the texts.
        measurements: Counts dropped texts as fallbacks of distillation.
        most_waiting: Maximum number of waiting texts.
        most_chars: Kept length of a text: its end, which has the conclusions.
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
        """Start the worker that distils offered texts."""
        self._worker = asyncio.create_task(self._work_off())

    def offer(self, principal: Principal, scope: ReadScope, output: Output) -> None:
        """Offer a text of a caller's turn; returns immediately and never fails. Ignored if the key may not write.

        Args:
            principal: The caller.
            scope: Scope of the owner.
            output: The text, and where it comes from.
        """
        text = output.text[-self._most_chars :]
        if not text.strip() or not principal.may(Scope.WRITE):
            return
        kept = output.model_copy(update={"text": text, "api_key_id": principal.key_id})
        try:
            self._waiting.put_nowait((principal.workspace_id, scope, kept))
        except asyncio.QueueFull:
            self._measurements.fallback("distilling", "no_room")

    async def settled(self) -> None:
        """Return once every offered text is accepted."""
        await self._waiting.join()

    async def close(self) -> None:
        """Hand over what waits, for a few seconds, and end."""
        try:
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self.settled()
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
            except Exception as error:  # noqa: BLE001 - the next one is taken all the same
                _log.error("proxy.output_not_taken", reason=type(error).__name__, exc_info=error)
            finally:
                self._waiting.task_done()


def is_long(answer: str) -> bool:
    """Tell whether an answer may hold more than one turn needs."""
    return len(answer) >= LEAST_CHARS
