"""The working set while Redis is dead or frozen."""

import os
import signal

from structlog.testing import capture_logs

from tests.faults.conftest import hold_relaunch, kill
from tests.fixtures.waiting import until

SET = 'mutation { setWorkingSet(conversationId: "c", slot: "s", value: {n: 1}) }'
GET = '{ workingSet(conversationId: "c", slot: "s") }'
CLEAR = 'mutation { clearWorkingSet(conversationId: "c") }'


async def skipped(client) -> list[str]:
    """Return the operations logged as skipped; each of them must answer as if no slot existed."""
    with capture_logs() as logs:
        assert await client.ok(GET) == {"workingSet": None}
        assert await client.ok(SET) == {"setWorkingSet": False}
        assert await client.ok(CLEAR) == {"clearWorkingSet": 0}
    found = [log for log in logs if log["event"] == "redis.working_set_skipped"]
    assert all(log["log_level"] == "warning" for log in found)
    return [log["operation"] for log in found]


async def test_without_redis_slots_are_empty_and_nothing_fails(mortal, mortal_redis, monkeypatch) -> None:
    """H7, N1: the service logs a skipped operation whether Redis is dead or frozen, and recovers with it."""
    server, _ = mortal_redis

    async def works() -> bool:
        return (await mortal.ok(SET))["setWorkingSet"] and (await mortal.ok(GET))["workingSet"] == {"n": 1}

    assert await until(works)

    os.kill(server.pid, signal.SIGSTOP)
    try:
        assert await skipped(mortal) == ["read", "write", "clear"]
    finally:
        os.kill(server.pid, signal.SIGCONT)

    relaunched = hold_relaunch(server, monkeypatch)
    kill(server)
    assert await skipped(mortal) == ["read", "write", "clear"]
    relaunched.set()
    assert await until(works)
    assert await mortal.ok(CLEAR) == {"clearWorkingSet": 1}
