"""``recollect up`` if Redis cannot start: the API still answers."""

import io
from contextlib import AsyncExitStack

from rich.console import Console

from app.cli.servers.up import _start_redis


async def test_a_redis_that_ends_at_once_is_reported_and_replaced(tmp_path, monkeypatch) -> None:
    """The same happens if Redis is not installed."""
    monkeypatch.setattr("app.embedded.redis.redis_program", lambda: "/bin/false")
    printed = io.StringIO()

    async with AsyncExitStack() as stack:
        url = await _start_redis(tmp_path, stack, Console(file=printed, width=400))

    assert url == f"unix://{tmp_path / 'redis' / 'redis.sock'}"
    assert printed.getvalue().startswith("without Redis: the embedded redis ")
    assert printed.getvalue().endswith(". Background work is polled for meanwhile.\n")
