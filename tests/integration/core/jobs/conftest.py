"""Jobs in a separate workspace, of a kind that only these tests run."""

import asyncio

import pytest

from graph.core.database import Database
from tests.fixtures.jobs import Bench
from tests.fixtures.timeouts import scaled_timeout


@pytest.fixture
async def bench(graph_driver) -> Bench:
    workspace_id = f"ws_jobs{id(object())}{asyncio.get_running_loop().time()}".replace(".", "")
    return Bench(
        Database(graph_driver, name="neo4j", timeout_seconds=scaled_timeout(30)), graph_driver, workspace_id
    )
