"""The service as a separate process, and a client that never retries."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psutil

from app.embedded.ports import free_port
from app.settings import Settings
from graph.retrieval.recall.models import RecallStrategy
from tests.bench.engine import ADMIN_KEY

ROOT = Path(__file__).parents[2]
_START = "from app.cli import main; main()"
_START_SECONDS = 120.0
_STOP_SECONDS = 20.0
_POLL_SECONDS = 0.5
_TIMEOUT_SECONDS = 120.0

_RECALL = """
query Recall($workspaceId: ID!, $input: RecallInput!) {
  recall(workspaceId: $workspaceId, input: $input) {
    hits { score vectorScore memory { id content } }
    resolution { tier embedder degraded stagesMs }
  }
}
"""
_SAVE = """
mutation Save($workspaceId: ID!, $inputs: [SaveMemoryInput!]!) {
  saveMemories(workspaceId: $workspaceId, inputs: $inputs) { memory { id } }
}
"""
_COUNTS = """
query Counts($workspaceIds: [ID!]!) {
  engine(workspaceIds: $workspaceIds) { workspaces { memories embedded pendingJobs failedJobs } }
}
"""


class RequestFailed(Exception):
    """Raised if the service responds with errors, or not at all."""


@dataclass(frozen=True)
class Timings:
    """Latencies of one kind of request, in seconds."""

    seconds: Sequence[float]

    def ms(self, percentile: float) -> float:
        """Return a percentile in milliseconds."""
        return float(np.percentile(self.seconds, percentile)) * 1000


class ServiceClient:
    """GraphQL client over one persistent connection."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def own_workspace(self) -> str:
        """Return the id of the API key's workspace."""
        answer = await self._post("{ me { workspaceId } }", {})
        workspace_id: str = answer["me"]["workspaceId"]
        return workspace_id

    async def recall(
        self, workspace_id: str, query: str, *, limit: int = 10, strategy: RecallStrategy | None = None
    ) -> Mapping[str, Any]:
        """Return hits and resolution."""
        input_ = {"query": query, "limit": limit, "strategy": strategy and strategy.name}
        answer = await self._post(_RECALL, {"workspaceId": workspace_id, "input": input_})
        return answer["recall"]

    async def save(self, workspace_id: str, texts: Sequence[str]) -> Sequence[str]:
        """Save notes together and return their ids."""
        inputs = [{"content": text, "dedup": False} for text in texts]
        answer = await self._post(_SAVE, {"workspaceId": workspace_id, "inputs": inputs})
        return [saved["memory"]["id"] for saved in answer["saveMemories"]]

    async def counts(self, workspace_id: str) -> Mapping[str, int]:
        """Return memories, embedded, pendingJobs and failedJobs of a workspace."""
        answer = await self._post(_COUNTS, {"workspaceIds": [workspace_id]})
        counts: Mapping[str, int] = answer["engine"]["workspaces"][0]
        return counts

    async def until_embedded(self, workspace_id: str) -> None:
        """Wait until every memory of the workspace has its vector.

        Raises:
            RequestFailed: A job failed permanently.
        """
        while (counts := await self._sound(workspace_id))["embedded"] < counts["memories"]:
            await asyncio.sleep(_POLL_SECONDS)

    async def until_idle(self, workspace_id: str) -> None:
        """Wait until no job of the workspace is left.

        Raises:
            RequestFailed: A job failed permanently.
        """
        while (await self._sound(workspace_id))["pendingJobs"]:
            await asyncio.sleep(_POLL_SECONDS)

    async def _sound(self, workspace_id: str) -> Mapping[str, int]:
        counts = await self.counts(workspace_id)
        if counts["failedJobs"]:
            raise RequestFailed(f"{counts['failedJobs']} jobs failed")
        return counts

    async def _post(self, document: str, variables: Mapping[str, Any]) -> Any:
        try:
            response = await self._http.post("/graphql", json={"query": document, "variables": variables})
            body = response.json()
        except (httpx.HTTPError, ValueError) as error:
            raise RequestFailed(type(error).__name__) from error
        if "errors" in body or "data" not in body:
            raise RequestFailed(str(body.get("errors") or body))
        return body["data"]


@dataclass(frozen=True)
class Service:
    """A running service process and a client of it."""

    process: psutil.Process
    client: ServiceClient
    url: str


@asynccontextmanager
async def service(settings: Settings) -> AsyncIterator[Service]:
    """Run ``recollect serve`` against the servers of ``settings`` during the block, with its model loaded.

    Raises:
        RuntimeError: The service did not become ready.
    """
    port = free_port()
    process = await _start(_environment(settings, port))
    try:
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {ADMIN_KEY}"},
            timeout=_TIMEOUT_SECONDS,
        ) as http:
            await _until_ready(http, process)
            yield Service(psutil.Process(process.pid), ServiceClient(http), url)
    finally:
        await stop(process)


async def stop(process: asyncio.subprocess.Process) -> None:
    """Terminate a process; kill it if it does not exit in time."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


async def timed(work: Any) -> tuple[float, Any]:
    """Await ``work`` and return its duration in seconds and its result."""
    start = time.perf_counter()
    result = await work
    return time.perf_counter() - start, result


def _environment(settings: Settings, port: int) -> dict[str, str]:
    assert settings.neo4j.uri is not None
    assert settings.neo4j.password is not None
    assert settings.redis.url is not None
    return psutil.Process().environ() | {
        "RECOLLECT_HOST": "127.0.0.1",
        "RECOLLECT_PORT": str(port),
        "RECOLLECT_ADMIN_KEY": ADMIN_KEY,
        "RECOLLECT_NEO4J_URI": settings.neo4j.uri,
        "RECOLLECT_NEO4J_USER": settings.neo4j.user,
        "RECOLLECT_NEO4J_PASSWORD": settings.neo4j.password.get_secret_value(),
        "RECOLLECT_REDIS_URL": settings.redis.url,
    }


async def _until_ready(http: httpx.AsyncClient, process: asyncio.subprocess.Process) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if process.returncode is not None:
            raise RuntimeError(f"the service ended with {process.returncode}")
        try:
            health = (await http.get("/health")).json()
        except (httpx.HTTPError, ValueError):
            health = {}
        if health.get("embedder", {}).get("ready"):
            return
        await asyncio.sleep(_POLL_SECONDS)
    raise RuntimeError(f"the service was not ready within {_START_SECONDS:g} seconds")


async def _start(environment: Mapping[str, str]) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", _START, "serve", cwd=ROOT, env=dict(environment)
    )
