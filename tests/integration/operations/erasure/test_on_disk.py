"""Traces of an erased user in the database files (issue 15, point 7)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.bootstrap.runtime import Runtime, working
from app.settings import Neo4jSettings, RedisSettings, Settings
from graph.memories.models import MemoryDraft
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.neo4j import small_neo4j
from tests.fixtures.quick_runtime import open_quick_runtime
from tests.fixtures.timeouts import scaled_timeout

_WORD = "Xanthippe"
_LOGS = "transactions"


@asynccontextmanager
async def engine(folder: Path, redis_url: str) -> AsyncIterator[Runtime]:
    """Run an engine on a separate store, which has written all its files when it ends."""
    server = await small_neo4j(folder)
    address = server.address
    settings = Settings(
        _env_file=None,
        neo4j=Neo4jSettings(
            uri=address.uri, user=address.user, password=address.password, timeout_seconds=30
        ),
        redis=RedisSettings(url=redis_url),
    )
    try:
        async with open_quick_runtime(settings, embedder=HashingEmbedder()) as runtime, working(runtime):
            yield runtime
    finally:
        await server.stop()


def files_with(folder: Path, word: str) -> list[str]:
    """Return the files that contain a word, except the transaction logs, which are pruned by age and size.

    If a shorter record reused a freed one, the end of the old text would remain in it; so the test changes
    and deletes nothing before the erasure.
    """
    found = [file for file in folder.rglob("*") if file.is_file() and word.encode() in file.read_bytes()]
    return [file.name for file in found if _LOGS not in file.parts]


async def until_no_jobs(runtime: Runtime, workspace_id: str) -> None:
    async with asyncio.timeout(scaled_timeout(60)):
        while (await runtime.services.core.jobs.page(workspace_id, first=1)).items:
            await asyncio.sleep(0.2)


async def workspace_of(runtime: Runtime) -> str:
    return (await runtime.services.tenancy.workspaces.ensure_default()).id


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "store"


async def test_no_file_contains_texts_of_an_erased_user(folder, redis_url) -> None:
    async with engine(folder, redis_url) as runtime:
        workspace_id = await workspace_of(runtime)
        store = runtime.services.memories.store
        for number in range(40):
            draft = MemoryDraft(
                content=f"Note {number}: {_WORD} told the harbour master about the cranes, at length. " * 3,
                user_id="alice",
            )
            await store.save(workspace_id, draft)
        await store.save(
            workspace_id, MemoryDraft(content="Bartholomew has a boat with a red sail on the quay " * 4)
        )
        await until_no_jobs(runtime, workspace_id)
    assert files_with(folder, _WORD)

    async with engine(folder, redis_url) as runtime:
        await runtime.services.operations.erasure.begin(workspace_id, "alice")
        await until_no_jobs(runtime, workspace_id)

    assert files_with(folder, _WORD) == []
    assert files_with(folder, "Bartholomew")
