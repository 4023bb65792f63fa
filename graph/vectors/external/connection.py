"""Connection of this process to the configured store, with its availability."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final, TypeVar

from graph.core.ports import Clock, TierFailed, TierHealth, TierRefused, VectorTier
from graph.vectors.external.models import TierSettings

T = TypeVar("T")

TierOpener = Callable[[TierSettings, str], VectorTier]
"""Opens a store for the settings and the deployment's namespace, without a request; may raise ``TierFailed``."""

_OFF = "the external tier is off"
_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSE = timedelta(seconds=60)
_REQUESTS_OF_ONE_TASK = 10
REQUEST_SECONDS: Final = 3.0
"""Time limit of one request."""


class StoreConnection:
    """Connection to the store, reopened when its settings change; lives as long as the process.

    After a failure the store counts as unavailable until a probe. Each failure doubles the pause before the next probe,
    and only work that succeeds shortens it, so a server that reports readiness but fails receives few requests.

    Attributes:
        settings: Settings of the store that was opened last.
        reason: Reason why the store is unavailable now; None if it is available.
    """

    def __init__(self, settings: TierSettings, opener: TierOpener, clock: Clock) -> None:
        self._opener = opener
        self._clock = clock
        self._tier: VectorTier | None = None
        self._is_opened = False
        self._pause = _FIRST_PAUSE
        self._probe_at: datetime | None = None
        self.settings = settings
        self.reason: str | None = _OFF

    @property
    def is_worth_a_probe(self) -> bool:
        """True if the store failed and the pause is over."""
        return self._probe_at is not None and self._clock.now() >= self._probe_at

    async def use(self, settings: TierSettings, namespace: str) -> None:
        """Close the current store and open the one in the settings, unless it is already open."""
        if self._is_opened and settings == self.settings:
            return
        await self.close()
        self.settings, self._is_opened = settings, True
        self._pause, self._probe_at = _FIRST_PAUSE, None
        if settings.enabled:
            try:
                self._tier = await asyncio.to_thread(self._opener, settings, namespace)
                self.reason = None
            except TierFailed as error:
                self.reason = str(error)

    @asynccontextmanager
    async def trying(self, settings: TierSettings) -> AsyncIterator[VectorTier]:
        """Open another store for the block, without a request; keeps the current one.

        Raises:
            TierFailed: The store cannot be opened.
        """
        tier = await asyncio.to_thread(self._opener, settings, "")
        try:
            yield tier
        finally:
            await tier.close()

    async def ask(
        self,
        work: Callable[[VectorTier], Awaitable[T]],
        *,
        seconds: float = _REQUESTS_OF_ONE_TASK * REQUEST_SECONDS,
        is_proof: bool = True,
    ) -> T:
        """Send requests to the store and return the result.

        Args:
            work: Sends the requests.
            seconds: Time limit of all requests.
            is_proof: True if success proves that the store works.

        Raises:
            TierRefused: The store refuses the request.
            TierFailed: The store is off, failed, or did not answer in time; it is unavailable from now on.
        """
        if self._tier is None:
            raise TierFailed(self.reason)
        try:
            async with asyncio.timeout(seconds):
                answer = await work(self._tier)
        except TimeoutError:
            late = f"the external tier did not answer within {seconds:g} seconds"
            self._failed(late)
            raise TierFailed(late) from None
        except TierRefused:
            raise  # the store works: others' requests need not wait
        except TierFailed as error:
            self._failed(str(error))
            raise
        if is_proof:
            self._pause = _FIRST_PAUSE
            self.reason = self._probe_at = None
        return answer

    async def health(self) -> TierHealth | None:
        """Return the health of the store; None while the tier is off."""
        if self._tier is not None:
            return await self._tier.health()
        return TierHealth(ok=False, latency_ms=0.0, error=self.reason) if self.settings.enabled else None

    async def is_ready(self) -> bool:
        """Tell whether the store reports readiness; it is unavailable if it does not."""
        try:
            await self.ask(_require_ready, seconds=REQUEST_SECONDS, is_proof=False)
        except TierFailed:
            return False
        return True

    def probed(self) -> None:
        """Make the store available after a successful probe, unless it failed again meanwhile."""
        if self.is_worth_a_probe:
            self.reason = self._probe_at = None

    async def close(self) -> None:
        """Close the connection."""
        tier, self._tier, self.reason = self._tier, None, _OFF
        if tier is not None:
            await tier.close()

    def _failed(self, reason: str) -> None:
        self.reason, self._probe_at = reason, self._clock.now() + self._pause
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)


async def _require_ready(tier: VectorTier) -> None:
    health = await tier.health()
    if not health.ok:
        raise TierFailed(health.error)
