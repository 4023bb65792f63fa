"""`recollect erase` waiting for its job (issue 15, point 7)."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from app.cli.admin import users

_NOW = datetime(2026, 5, 1, tzinfo=UTC)


def job(number: int, kind: str = "EMBED", subject_id: str = "mem", state: str = "PENDING") -> SimpleNamespace:
    created_at = _NOW + timedelta(seconds=number)
    return SimpleNamespace(kind=kind, subject_id=subject_id, state=state, created_at=created_at)


def erasing(number: int, state: str = "RUNNING") -> SimpleNamespace:
    return job(number, "ERASE", "alice", state)


@dataclass
class Client:
    """A client that lists the jobs of a workspace, two a page, in their state at each look."""

    times: list[list[SimpleNamespace]]
    read: list[int] = field(default_factory=list)

    async def jobs(self, *, first: int, after: str | None, workspace_id: str | None) -> Any:
        if after is None:
            self.read.append(0)
        self.read[-1] += 1
        found = self.times[len(self.read) - 1]
        begin = int(after or 0)
        edges = [SimpleNamespace(node=node) for node in found[begin : begin + 2]]
        info = SimpleNamespace(end_cursor=str(begin + 2), has_next_page=begin + 2 < len(found))
        return SimpleNamespace(edges=edges, page_info=info)

    async def erase_user(self, user: str, *, dry_run: bool, workspace_id: str | None) -> Any:
        assert dry_run
        return SimpleNamespace(total=0)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(users, "_POLL_SECONDS", 0)


async def test_older_jobs_are_not_read_during_an_erasure() -> None:
    """Formerly each look read every page of the workspace's jobs."""
    waiting = [job(-number) for number in range(100)]
    client: Any = Client([[erasing(1), *waiting], [job(3), job(2), erasing(1), *waiting], waiting])

    assert await users._erased(client, "alice", "ws_1", total=5)
    assert client.read == [1, 2, 1]


async def test_an_erasure_that_restarted_an_old_job_is_found_behind_newer_ones() -> None:
    waiting = [job(number) for number in range(9, 0, -1)]
    client: Any = Client([[*waiting, erasing(0)], [*waiting, erasing(0, "FAILED")]])

    assert not await users._erased(client, "alice", "ws_1", total=5)
    assert client.read == [5, 5]
