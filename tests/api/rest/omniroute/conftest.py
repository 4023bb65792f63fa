"""Callers of OmniRoute's dialect, with an administrator's key of the test's own workspace."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.graphs import run


@dataclass(frozen=True)
class Manager:
    """A client that sends requests with one key."""

    http: httpx.AsyncClient
    key: str
    key_id: str

    async def send(self, method: str, path: str, **rest: Any) -> httpx.Response:
        """Return the response."""
        return await self.http.request(method, path, headers={"Authorization": f"Bearer {self.key}"}, **rest)

    async def get(self, path: str, **params: Any) -> Any:
        """Return the body of a response with status 200."""
        answer = await self.send("GET", path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def post(self, path: str, body: Mapping[str, Any] | None = None, *, status: int = 200) -> Any:
        """Return the body of a response with that status; send no body if there is none."""
        answer = await self.send("POST", path, **({} if body is None else {"json": body}))
        assert answer.status_code == status, answer.text
        return answer.json()

    async def put(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the body of a response with status 200."""
        answer = await self.send("PUT", path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def refused(self, method: str, path: str, **rest: Any) -> tuple[int, str | None]:
        """Return status and field of a refusal in the dialect's form."""
        answer = await self.send(method, path, **rest)
        body = answer.json()
        assert body.keys() == {"error", "field"}
        assert body["error"]
        return answer.status_code, body["field"]


@pytest.fixture
async def manager(http, services, workspace_id) -> Manager:
    key, secret = await services.tenancy.keys.create(workspace_id, name="manager", scopes=[Scope.ADMIN])
    return Manager(http, secret, key.id)


@pytest.fixture
async def other_manager(http, services, other_workspace_id) -> Manager:
    """Create an administrator of another tenant."""
    key, secret = await services.tenancy.keys.create(other_workspace_id, name="other", scopes=[Scope.ADMIN])
    return Manager(http, secret, key.id)


@pytest.fixture
def aged(services, workspace_id, graph_driver) -> Callable[..., Awaitable[str]]:
    """Return a function that saves a memory, ages it by some days, and returns its id."""

    async def aged(content: str, *, days: int) -> str:
        draft = MemoryDraft(content=content, dedup=False)
        memory = (await services.memories.store.save(workspace_id, draft)).memory
        await run(
            graph_driver,
            "MATCH (m:Memory {id: $id}) SET m.created_at = m.created_at - duration({days: $days})",
            id=memory.id,
            days=days,
        )
        return memory.id

    return aged
