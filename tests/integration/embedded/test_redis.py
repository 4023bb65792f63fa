"""The embedded Redis, and the supervision of every embedded server: restarted, and never left running."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE

import psutil
import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError
from structlog.testing import capture_logs
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from app.embedded.errors import ServerFailed
from app.embedded.process import ServerProcess
from app.embedded.redis import EmbeddedRedis, read_url
from tests.fixtures.timeouts import scaled_timeout

PARENT = """
import asyncio, sys
from pathlib import Path
from app.embedded.redis import EmbeddedRedis

async def main():
    server = EmbeddedRedis(Path(sys.argv[1]))
    await server.start()
    print(server.pid, flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


async def ping(url: str) -> bool:
    async with Redis.from_url(url) as client:
        return await client.ping()


@retry(
    retry=retry_if_exception_type((RedisError, AssertionError)),
    wait=wait_fixed(0.05),
    stop=stop_after_delay(30),
)
async def until_back(server: EmbeddedRedis, url: str, killed: int) -> None:
    assert server.pid not in (None, killed)
    assert await ping(url) is True


async def test_redis_of_the_test_run_answers(redis_url):
    assert await ping(redis_url) is True


async def test_data_in_redis_survive_a_restart(tmp_path):
    server = EmbeddedRedis(tmp_path)
    async with Redis.from_url(await server.start()) as client:
        await client.set("turn", "kept")
    await server.stop()

    async with Redis.from_url(await server.start()) as client:
        found = await client.get("turn")
    await server.stop()

    assert found == b"kept"


async def test_stop_leaves_no_process_and_no_pid_file(tmp_path):
    server = EmbeddedRedis(tmp_path)
    await server.start()
    pid = server.pid

    await server.stop()

    assert not psutil.pid_exists(pid)
    assert not (tmp_path / "redis.pid").exists()
    assert server.pid is None


async def test_a_folder_too_deep_for_a_socket_path_works(tmp_path):
    server = EmbeddedRedis(tmp_path / ("deep" * 30))
    try:
        assert await ping(await server.start()) is True
    finally:
        await server.stop()


async def test_a_folder_may_have_any_name(tmp_path):
    """Some characters of a path end it in a URL."""
    server = EmbeddedRedis(tmp_path / "a #1?x=%20 é")
    try:
        assert await ping(await server.start()) is True
        assert await ping(read_url(tmp_path / "a #1?x=%20 é")) is True
    finally:
        await server.stop()


async def test_a_killed_redis_comes_back_at_the_same_address(tmp_path):
    server = EmbeddedRedis(tmp_path)
    url = await server.start()
    killed = server.pid
    try:
        os.kill(killed, signal.SIGKILL)

        await until_back(server, url, killed)
    finally:
        await server.stop()


async def test_a_server_stopped_at_the_moment_it_is_back_stays_stopped(tmp_path):
    """Python 3.11's ``asyncio.wait_for`` can lose that cancellation, and the stop would never end."""
    launched, stops = [], []

    async def ready() -> bool:
        launched.append(process.pid)
        if len(launched) == 2:
            stops.append(asyncio.create_task(process.stop()))
        return True

    process = ServerProcess("brief", command=lambda: ["sleep", "600"], is_ready=ready, folder=tmp_path)
    await process.start()
    os.kill(process.pid, signal.SIGKILL)

    async with asyncio.timeout(scaled_timeout(30)):
        while not stops:
            await asyncio.sleep(0.01)
    done, _ = await asyncio.wait(stops, timeout=30)

    assert len(done) == 1
    assert not any(psutil.pid_exists(pid) for pid in launched)


async def test_a_restart_that_fails_is_logged_with_its_reason_and_tried_again(tmp_path):
    """After any failure: only this supervising task restarts the server."""
    answers = iter([True, RuntimeError("no room left"), ServerFailed("another password"), True])

    async def ready() -> bool:
        answer = next(answers)
        if isinstance(answer, Exception):
            raise answer
        return answer

    process = ServerProcess("brief", command=lambda: ["sleep", "600"], is_ready=ready, folder=tmp_path)
    with capture_logs() as logs:
        await process.start()
        killed = process.pid
        os.kill(killed, signal.SIGKILL)
        async with asyncio.timeout(scaled_timeout(30)):
            while not any(entry["event"] == "embedded.is_back" for entry in logs):
                await asyncio.sleep(0.02)
    try:
        assert process.pid not in (None, killed)
        failed = [entry["reason"] for entry in logs if entry["event"] == "embedded.not_started"]
        assert failed == ["no room left", "another password"]
    finally:
        await process.stop()


async def test_redis_dies_with_a_killed_parent(tmp_path):
    parent = await asyncio.create_subprocess_exec(sys.executable, "-c", PARENT, tmp_path, stdout=PIPE)
    server = psutil.Process(int(await parent.stdout.readline()))
    assert server.name() == "redis-server"

    parent.kill()
    await parent.wait()

    await asyncio.to_thread(server.wait, 30)


async def test_start_ends_a_server_that_an_earlier_run_left(tmp_path):
    left = await asyncio.create_subprocess_exec("sleep", "600", cwd=tmp_path)
    (tmp_path / "redis.pid").write_text(str(left.pid))
    server = EmbeddedRedis(tmp_path)

    await server.start()
    await server.stop()

    assert not psutil.pid_exists(left.pid)


async def test_start_spares_another_process_with_the_old_process_id(tmp_path):
    stranger = await asyncio.create_subprocess_exec("sleep", "600", cwd="/")
    (tmp_path / "redis.pid").write_text(str(stranger.pid))
    server = EmbeddedRedis(tmp_path)
    try:
        await server.start()
        await server.stop()

        assert psutil.Process(stranger.pid).status() != psutil.STATUS_ZOMBIE
    finally:
        stranger.kill()
        await stranger.wait()


async def test_a_server_that_ends_while_starting_is_reported_with_its_last_words(tmp_path):
    async def never() -> bool:
        return False

    process = ServerProcess(
        "failing", command=lambda: ["sh", "-c", "echo no disk left; exit 3"], is_ready=never, folder=tmp_path
    )

    with pytest.raises(ServerFailed, match="failing ended while starting") as raised:
        await process.start()

    assert raised.value.last_words == "no disk left"
    assert "ended while starting (no disk left); its log is " in str(raised.value)
    assert not (tmp_path / "failing.pid").exists()


async def test_a_server_that_stays_silent_is_killed_and_reported(tmp_path):
    async def never() -> bool:
        return False

    process = ServerProcess(
        "silent",
        command=lambda: ["sh", "-c", "trap '' TERM; while true; do sleep 0.1; done"],
        is_ready=never,
        folder=tmp_path,
        ready_seconds=0.5,
        stop_seconds=0.5,
    )

    with pytest.raises(ServerFailed, match=r"silent did not answer within 0\.5 s"):
        await process.start()

    assert process.pid is None


STOPPED_BUT_BUSY = """
trap 'echo "INFO  Stopped." >> own.log' TERM
touch ready
while true; do sleep 0.1; done
"""


async def stop_of(folder, *, stopped_line: str | None) -> tuple[bool, list[str]]:
    """Stop a server that reports its stop but keeps working; return whether it ended, and the log events."""

    async def ready() -> bool:
        return (folder / "ready").exists()

    process = ServerProcess(
        "busy",
        command=lambda: ["sh", "-c", STOPPED_BUT_BUSY],
        is_ready=ready,
        folder=folder,
        own_log=folder / "own.log",
        stopped_line=stopped_line,
        stop_seconds=0.5,
    )
    await process.start()
    with capture_logs() as logs:
        by_itself = await process.stop()
    assert process.pid is None
    return by_itself, [entry["event"] for entry in logs if entry["event"].startswith("embedded.")]


async def test_a_server_whose_data_are_closed_is_ended_in_time_without_a_warning(tmp_path):
    """Java may write its class archive for half a minute after Neo4j has closed its data."""
    assert await stop_of(tmp_path, stopped_line="INFO  Stopped.") == (False, [])


async def test_killing_a_server_with_open_data_logs_a_warning(tmp_path):
    assert await stop_of(tmp_path, stopped_line="INFO  Closed.") == (False, ["embedded.killed"])


async def test_log_lines_of_an_earlier_run_are_ignored(tmp_path):
    (tmp_path / "own.log").write_text("INFO  Closed.\n")

    assert await stop_of(tmp_path, stopped_line="INFO  Closed.") == (False, ["embedded.killed"])


async def test_a_long_folder_name_moves_the_socket_elsewhere(tmp_path):
    """The kernel counts bytes; a Chinese character has three."""
    folder = tmp_path / ("记" * (100 - len(f"{tmp_path}//redis.sock")))
    server = EmbeddedRedis(folder)
    try:
        url = await server.start()
        assert await ping(url) is True
    finally:
        await server.stop()

    assert len(str(folder / "redis.sock")) == 100
    assert str(folder) not in url
