"""Old memories and compactions of the test's workspace."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.memories.compaction.service import CompactionMode, CompactionReport, CompactionRequest
from graph.memories.models import MemoryDraft, MemoryFilter
from tests.fixtures.memories import MovingClock

NOW = datetime.now(UTC)
LONG = "First of {n}. Second of {n}. Third of {n}. Fourth of {n}. Fifth of {n}."
WISHES = {
    "by age": {"older_than_days": 90},
    "truncated": {"max_tokens": 1},
    "condensed": {"mode": CompactionMode.CONDENSE, "max_tokens": 200},
}


@pytest.fixture
def saved(memories_under, workspace_id):
    """Return a function that saves memories dated ``days`` ago and returns their ids."""

    async def saved(*contents: str, days: float = 100, **fields) -> list[str]:
        clock = MovingClock(NOW - timedelta(days=days))
        drafts = [MemoryDraft(content=content, dedup=False, **fields) for content in contents]
        receipts = await memories_under(clock=clock).save_all(workspace_id, drafts)
        return [receipt.memory.id for receipt in receipts]

    return saved


def wordy(text: str) -> str:
    """Return a text that is longer than its line in a summary."""
    return f"{text}: {'and so on, at length, ' * 15}".strip()


@pytest.fixture
def told(memories_under, workspace_id):
    """Return a function that saves long memories with the given summaries."""

    async def told(*summaries: str, days: float = 100, **fields) -> list[str]:
        clock = MovingClock(NOW - timedelta(days=days))
        drafts = [MemoryDraft(content=wordy(text), summary=text, dedup=False, **fields) for text in summaries]
        receipts = await memories_under(clock=clock).save_all(workspace_id, drafts)
        return [receipt.memory.id for receipt in receipts]

    return told


@pytest.fixture
def compact(services, workspace_id):
    """Return a function that compacts the test's workspace."""

    async def compact(**request):
        return await services.memories.compaction.compact(workspace_id, CompactionRequest(**request))

    return compact


@pytest.fixture
def contents(services, workspace_id):
    """Return a function that returns the contents of active memories, newest first."""

    async def contents() -> list[str]:
        page = await services.memories.store.page(workspace_id, MemoryFilter(), first=200)
        return [memory.content for memory in page.items]

    return contents


def numbers(report: CompactionReport) -> dict:
    """Return the numbers that a dry run and a run share, without the candidates' states."""
    common = report.model_dump(include={"candidate_count", "tokens_before", "tokens_after", "texts"})
    return {**common, "candidates": [each.id for each in report.candidates]}
