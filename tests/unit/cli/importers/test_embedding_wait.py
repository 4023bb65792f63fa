"""Waiting for embeddings, with a fake service at the HTTP boundary."""

import httpx
import pytest

from app.cli.importers import upload
from app.cli.importers.upload import EmbeddingCounts, WaitOutcome, wait_until_embedded
from app.client.generated import RecollectClient


class Service:
    """A fake service that answers with the given counts in order and repeats the last."""

    def __init__(self, *counts: EmbeddingCounts) -> None:
        self.counts = list(counts)

    def __call__(self, request: httpx.Request) -> httpx.Response:
        assert b'"workspaceIds":["ws_1","ws_2"]' in request.content
        now = self.counts.pop(0) if len(self.counts) > 1 else self.counts[0]
        row = {
            "memories": now.memories,
            "embedded": now.embedded,
            "pendingJobs": now.pending,
            "failedJobs": now.failed,
        }
        nothing = dict.fromkeys(row, 0)
        embedder = {"ready": now.obstacle is None, "reason": now.obstacle}
        return httpx.Response(
            200, json={"data": {"engine": {"embedder": embedder, "workspaces": [row, nothing]}}}
        )


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch) -> None:
    monkeypatch.setattr(upload, "POLL_SECONDS", 0)


async def run(service: Service) -> tuple[WaitOutcome, list[int]]:
    seen: list[int] = []
    async with RecollectClient(
        "http://recollect.test", "k", transport=httpx.MockTransport(service)
    ) as client:
        outcome = await wait_until_embedded(
            client, ["ws_1", "ws_2"], on_progress=lambda counts: seen.append(counts.embedded)
        )
    return outcome, seen


async def test_waiting_ends_when_nothing_is_pending() -> None:
    done = EmbeddingCounts(3, 3, 0, 0)

    outcome, seen = await run(Service(EmbeddingCounts(3, 0, 3, 0), EmbeddingCounts(3, 2, 1, 0), done))

    assert (outcome, seen) == (WaitOutcome(done, is_complete=True), [0, 2, 3])


async def test_memories_that_failed_are_not_waited_for() -> None:
    outcome, _ = await run(Service(EmbeddingCounts(3, 2, 0, 1)))

    assert outcome == WaitOutcome(EmbeddingCounts(3, 2, 0, 1), is_complete=True)


async def test_waiting_ends_without_progress(monkeypatch) -> None:
    monkeypatch.setattr(upload, "STALL_SECONDS", 0)
    stuck = EmbeddingCounts(3, 1, 2, 0)

    outcome, seen = await run(Service(EmbeddingCounts(3, 0, 3, 0), stuck))

    assert (outcome, seen) == (WaitOutcome(stuck, is_complete=False), [0, 1, 1])


async def test_an_unavailable_embedder_shortens_the_wait(monkeypatch) -> None:
    monkeypatch.setattr(upload, "OBSTACLE_SECONDS", 0)
    stuck = EmbeddingCounts(3, 0, 3, 0, obstacle="no embedding model is configured")

    outcome, _ = await run(Service(stuck))

    assert outcome == WaitOutcome(stuck, is_complete=False)
