"""Connections of the composition root: to the graph, and to Redis."""

from neo4j import AsyncGraphDatabase
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from app.settings import Neo4jSettings, RedisSettings
from graph.core.database import Database
from graph.core.measuring import UNMEASURED, Measurements

_CONNECT_SECONDS = 3.0
_RETRY_SECONDS = 4.0  # a request waits this long for the graph to come back before it is told to try again
_ACQUIRE_SECONDS = 5.0
_REDIS_SECONDS = 2.0  # for an answer; whoever listens says otherwise at each wait


def open_database(settings: Neo4jSettings, measurements: Measurements = UNMEASURED) -> Database:
    """Return the graph, which connects when it is first asked; ``settings.uri`` is set."""
    assert settings.uri is not None  # noqa: S101 - callers start or name a server first
    auth = (settings.user, settings.password.get_secret_value()) if settings.password else None
    driver = AsyncGraphDatabase.driver(
        settings.uri,
        auth=auth,
        connection_timeout=_CONNECT_SECONDS,
        connection_acquisition_timeout=_ACQUIRE_SECONDS,
        max_transaction_retry_time=_RETRY_SECONDS,
        notifications_min_severity="OFF",
        user_agent="recollect",
    )
    return Database(
        driver,
        name=settings.database,
        timeout_seconds=settings.timeout_seconds,
        measurements=measurements,
    )


def open_redis(settings: RedisSettings, *, reconnects: bool = True) -> Redis:
    """Return a client, which connects when it is first asked; ``settings.url`` is set."""
    assert settings.url is not None  # noqa: S101 - callers start or name a server first
    client = Redis.from_url(
        settings.url, socket_connect_timeout=1.0, socket_timeout=_REDIS_SECONDS, decode_responses=True
    )
    if not reconnects:
        client.set_retry(Retry(NoBackoff(), 0))
    return client
