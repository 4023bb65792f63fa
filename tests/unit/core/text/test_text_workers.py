"""Long texts in worker processes, which may be killed, fail or take too long."""

import asyncio
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.adapters.text_workers import SHORT_CHARS, TextWorkers
from graph.conversations.extraction.found_facts import found_in
from graph.conversations.handoffs.extracting import extracted
from graph.core.errors import InvalidInput, LimitExceeded, Unavailable
from graph.knowledge.linking.naming import links_of, named_in
from tests.fixtures.waiting import until

LONG = SHORT_CHARS + 1
ROOT = Path(__file__).parents[4]


def process_ids(workers: TextWorkers) -> list[int]:
    found = (worker._process for worker in (*workers._idle, *workers._busy))
    return [process.pid for process in found if process is not None]


async def is_so(holds: Callable[[], bool]) -> bool:
    return holds()


def is_there(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def refuse(field: str) -> None:
    raise InvalidInput(field, f"{field} must be something else")


def kill_itself_once(note: str) -> str:
    path = Path(note)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def imported() -> list[str]:
    return sorted(sys.modules)


class Unreadable(Exception):
    def __init__(self, one: str, other: str) -> None:
        super().__init__(one + other)


def raise_what_cannot_be_read() -> None:
    raise Unreadable("a", "b")


@pytest.fixture
async def workers():
    opened = TextWorkers(at_once=2)
    yield opened
    await opened.close()


async def test_short_texts_stay_in_this_process(workers) -> None:
    """C16: a process starts with the first long text."""
    assert await workers.run(os.getpid, chars=SHORT_CHARS) == os.getpid()
    assert process_ids(workers) == []


async def test_long_texts_are_read_in_a_reused_process(workers) -> None:
    """C16."""
    first = await workers.run(os.getpid, chars=LONG)

    assert first != os.getpid()
    assert await workers.run(os.getpid, chars=LONG) == first
    assert process_ids(workers) == [first]


async def test_no_more_processes_than_are_allowed(workers) -> None:
    """C16."""
    await asyncio.gather(*(workers.run(time.sleep, 0.01, chars=LONG) for _ in range(10)))

    assert len(process_ids(workers)) == 2


async def test_errors_of_the_work_are_raised_to_the_caller(workers) -> None:
    """C16: an error keeps its field, and the process survives."""
    with pytest.raises(InvalidInput, match="body must be something else") as refused:
        await workers.run(refuse, "body", chars=LONG)
    with pytest.raises(RuntimeError, match="Unreadable"):
        await workers.run(raise_what_cannot_be_read, chars=LONG)

    assert refused.value.field == "body"
    assert len(process_ids(workers)) == 1


async def test_work_of_a_killed_process_is_repeated(workers, tmp_path) -> None:
    """C16."""
    assert await workers.run(kill_itself_once, str(tmp_path / "note"), chars=LONG) == "done"


async def test_work_that_ends_its_process_each_time_is_skipped(workers) -> None:
    """C16: the next text is processed."""
    with pytest.raises(Unavailable, match="ended early"):
        await workers.run(kill_itself, chars=LONG)

    assert await workers.run(str.upper, "a", chars=LONG) == "A"


async def test_a_process_that_was_killed_while_it_waited_is_replaced(workers) -> None:
    """C16: also if several were killed."""
    await asyncio.gather(*(workers.run(time.sleep, 0.05, chars=LONG) for _ in range(2)))
    killed = process_ids(workers)
    for id_ in killed:
        os.kill(id_, signal.SIGKILL)

    assert await workers.run(os.getpid, chars=LONG) not in killed


async def test_work_that_takes_too_long_is_ended() -> None:
    """C16."""
    workers = TextWorkers(at_once=1, most_seconds=0.5)
    with pytest.raises(Unavailable, match="too long"):
        await workers.run(time.sleep, 60, chars=LONG)

    workers._most_seconds = 60
    assert await workers.run(str.upper, "a", chars=LONG) == "A"
    await workers.close()


async def test_abandoned_work_is_ended(workers) -> None:
    """C16: cancelling the work ends its process."""
    waiting = [asyncio.create_task(workers.run(time.sleep, 60, chars=LONG)) for _ in range(2)]
    await until(lambda: is_so(lambda: len(process_ids(workers)) == 2))
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)

    assert await workers.run(str.upper, "a", chars=LONG) == "A"


async def test_closing_ends_busy_processes() -> None:
    """C16, C20."""
    workers = TextWorkers(at_once=2)
    await workers.run(str.upper, "a", chars=LONG)
    busy = [asyncio.create_task(workers.run(time.sleep, 60, chars=LONG)) for _ in range(2)]
    await until(lambda: is_so(lambda: len(process_ids(workers)) == 2))
    ids = process_ids(workers)

    await workers.close()
    await asyncio.gather(*busy, return_exceptions=True)

    assert [id_ for id_ in ids if is_there(id_)] == []


def test_a_process_ends_when_the_service_is_killed() -> None:
    """C16, C20: no process remains."""
    program = (
        "import asyncio, os, sys\n"
        "from app.adapters.text_workers import TextWorkers\n"
        "async def main():\n"
        "    print(await TextWorkers().run(os.getpid, chars=10**6), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE) as service:
        assert service.stdout is not None
        worker = int(service.stdout.readline())
        assert is_there(worker)
        service.kill()

    for _ in range(200):
        if not is_there(worker):
            return
        time.sleep(0.05)
    raise AssertionError("the process outlived the service")


async def test_a_process_imports_no_model_driver_or_server(workers) -> None:
    """C16: its memory stays small."""
    assert await workers.run(named_in, [], chars=LONG) == []
    assert await workers.run(links_of, [], [], chars=LONG) == []
    assert await workers.run(found_in, [], 0.5, chars=LONG) == []
    with pytest.raises(AttributeError):
        await workers.run(extracted, None, "en", chars=LONG)
    found = set(await workers.run(imported, chars=LONG))

    assert found & {"torch", "onnxruntime", "neo4j", "litestar", "strawberry", "typer"} == set()


def test_every_error_of_the_domain_survives_another_process() -> None:
    """C16."""
    errors = [
        InvalidInput("a", "b"),
        Unavailable("c", "d", index="e"),
        LimitExceeded("f", retry_after_seconds=7),
    ]

    for error in errors:
        copied = pickle.loads(pickle.dumps(error))
        assert (type(copied), str(copied), vars(copied)) == (type(error), str(error), vars(error))
