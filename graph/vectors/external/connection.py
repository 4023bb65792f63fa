"""Connection of this process to the configured store, with its availability."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from graph.core.ports import Clock, TierFailed, TierHealth, TierRefused, VectorTier
from graph.vectors.external.models import TierSettings

_FIRST_PAUSE_SECONDS = 1.0
_LONGEST_PAUSE_SECONDS = 60.0
_MOST_DOUBLINGS = 10


class CircuitBreaker:
    """Gate of requests to a store, open while the store answers; lives as long as the connection.

    A failure shuts it. After a pause, a successful probe opens it again. Only a successful request shortens the pauses
    again, so a server that reports readiness but fails receives few requests.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self._shut_until: datetime | None = None
        self._reason: str | None = None

    @property
    def reason(self) -> str | None:
        """Reason why it is shut; None while it is open."""
        return self._reason

    @property
    def is_open(self) -> bool:
        """True if requests to the store are allowed."""
        return self._reason is None

    @property
    def is_worth_a_probe(self) -> bool:
        """True if the gate is shut and its pause is over."""
        return self._shut_until is not None and self._clock.now() >= self._shut_until

    def failed(self, reason: str) -> None:
        """Shut the gate, for twice as long as after the previous failure, at most a minute."""
        pause = min(_FIRST_PAUSE_SECONDS * 2 ** min(self._failures, _MOST_DOUBLINGS), _LONGEST_PAUSE_SECONDS)
        self._failures += 1
        self._reason = reason
        self._shut_until = self._clock.now() + timedelta(seconds=pause)

    def probed(self) -> None:
        """Open the gate after a successful probe."""
        self._reason = self._shut_until = None

    def worked(self) -> None:
        """Record a successful request."""
        self._failures = 0
        self.probed()


T = TypeVar("T")

TierOpener = Callable[[TierSettings, str], VectorTier]
"""Opens a store for the settings and the deployment's namespace, without a request; may raise ``TierFailed``."""

_OFF = "the external tier is off"
_REQUESTS_OF_ONE_TASK = 10
REQUEST_SECONDS: Final = 3.0
"""Timeout of a worker's request; exceeding it shuts the gate."""


class StoreConnection:
    """Connection to the store, reopened when its settings change; lives as long as the process."""

    def __init__(self, settings: TierSettings, opener: TierOpener, clock: Clock) -> None:
        self._opener = opener
        self._clock = clock
        self._tier: VectorTier | None = None
        self._reason = _OFF
        self._is_opened = False
        self.settings = settings
        self.gate = CircuitBreaker(clock)

    @property
    def reason(self) -> str | None:
        """Reason why the store is unavailable now; None if it is available."""
        return self._reason if self._tier is None else self.gate.reason

    async def use(self, settings: TierSettings, namespace: str) -> None:
        """Close the current store and open the one in the settings, unless it is already open."""
        if self._is_opened and settings == self.settings:
            return
        await self.close()
        self.settings, self.gate, self._is_opened = settings, CircuitBreaker(self._clock), True
        self._tier, self._reason = None, _OFF
        if settings.enabled:
            try:
                self._tier = await asyncio.to_thread(self._opener, settings, namespace)
            except TierFailed as error:
                self._reason = str(error)

    async def try_out(self, settings: TierSettings) -> None:
        """Open a store with the given settings and close it; sends no request and keeps the current store.

        Raises:
            TierFailed: The store cannot be opened.
        """
        tier = await asyncio.to_thread(self._opener, settings, "")
        await tier.close()

    async def test(self, settings: TierSettings) -> TierHealth:
        """Return the health of a store with the given settings; keeps the current store open.

        Raises:
            TierFailed: The store cannot be opened.
        """
        tier = await asyncio.to_thread(self._opener, settings, "")
        try:
            return await tier.health()
        finally:
            await tier.close()

    async def ask(
        self,
        work: Callable[[VectorTier], Awaitable[T]],
        *,
        seconds: float | None = None,
        is_proof: bool = True,
    ) -> T:
        """Send requests to the store and return the result.

        Args:
            work: Sends the requests.
            seconds: Time limit of all requests; None: 30 seconds.
            is_proof: True if success proves that the store works, which shortens later pauses.

        Raises:
            TierRefused: The store refuses the request.
            TierFailed: The store is off, failed, or did not answer in time; this shuts the gate.
        """
        if self._tier is None:
            raise TierFailed(self._reason)
        seconds = seconds or _REQUESTS_OF_ONE_TASK * REQUEST_SECONDS
        try:
            async with asyncio.timeout(seconds):
                answer = await work(self._tier)
        except TimeoutError:
            late = f"the external tier did not answer within {seconds:g} seconds"
            self.gate.failed(late)
            raise TierFailed(late) from None
        except TierRefused:
            raise  # the store works: others' requests need not wait
        except TierFailed as error:
            self.gate.failed(str(error))
            raise
        if is_proof:
            self.gate.worked()
        return answer

    async def health(self) -> TierHealth | None:
        """Return the health of the store; None while the tier is off."""
        if self._tier is not None:
            return await self._tier.health()
        return TierHealth(ok=False, latency_ms=0.0, error=self._reason) if self.settings.enabled else None

    async def is_ready(self) -> bool:
        """Tell whether the store reports readiness; shut the gate if it does not."""
        health = await self.health()
        if health is not None and health.ok:
            return True
        self.gate.failed((health.error if health else None) or _OFF)
        return False

    async def close(self) -> None:
        """Close the connection."""
        tier, self._tier = self._tier, None
        if tier is not None:
            await tier.close()
