"""Limits the requests of each key in a minute (RECOLLECT_LIMITS_REQUESTS_PER_MINUTE)."""

from typing import Any

from litestar.datastructures import MutableScopeHeaders
from litestar.middleware.rate_limit import RateLimitConfig, RateLimitMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from graph.operations.services import Services
from graph.tenancy.access.limits import WINDOW_SECONDS, Allowance
from graph.tenancy.access.models import Principal


class KeyRateLimit(RateLimitMiddleware):
    """Litestar's middleware, with a limit for each key and counts that Redis adds up.

    Litestar's own keeps the times of all requests of a minute in one value, which it reads and writes back under a lock
    of the process: a limit of thousands would make every request wait for that, and processes would overwrite each
    other's counts.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, RateLimitConfig(rate_limit=("minute", 1)))  # each key has its own number

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it.

        Raises:
            LimitExceeded: Its key has had all of its minute.
        """
        principal = scope.get("auth")
        if isinstance(principal, Principal):
            services: Services = scope["litestar_app"].state.services
            allowance = await services.tenancy.request_limits.admit(principal)
            if allowance is not None:
                send = self._with_headers(send, allowance)
        await self.app(scope, receive, send)

    def _with_headers(self, send: Send, allowance: Allowance) -> Send:
        headers = {
            self.config.rate_limit_policy_header_key: f"{allowance.limit}; w={WINDOW_SECONDS}",
            self.config.rate_limit_limit_header_key: str(allowance.limit),
            self.config.rate_limit_remaining_header_key: str(allowance.remaining),
            self.config.rate_limit_reset_header_key: str(allowance.reset_seconds),
        }

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields: Any = MutableScopeHeaders.from_message(message)
                for name, value in headers.items():
                    fields[name] = value
            await send(message)

        return send_with_headers
