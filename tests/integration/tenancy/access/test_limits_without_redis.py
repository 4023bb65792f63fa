"""Rate limits while Redis is unavailable: no request is limited, because limits must not stop the service."""

from structlog.testing import capture_logs

from app.adapters.redis_stores import RedisCounters
from app.bootstrap.dependencies import open_redis
from app.settings import RedisSettings
from graph.tenancy.access import RequestLimits
from graph.tenancy.models import Principal, Scope

CALLER = Principal(
    key_id="key_x", name="x", workspace_id="ws_x", scopes=frozenset({Scope.READ}), requests_per_minute=1
)


async def test_without_redis_requests_pass_and_a_warning_is_logged() -> None:
    """N1: and the service does not try Redis again for every request."""
    counters = RedisCounters(open_redis(RedisSettings(url="redis://127.0.0.1:1"), reconnects=False))
    limits = RequestLimits(counters, per_minute=1)

    with capture_logs() as logs:
        allowances = [await limits.admit(CALLER) for _ in range(5)]

    assert allowances == [None] * 5
    (told,) = [log for log in logs if log["event"] == "access.not_limited"]
    assert told["log_level"] == "warning"
