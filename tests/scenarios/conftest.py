"""A person who talks to the service, and the text that models receive, with the default embedder."""

from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from app.settings import ContextSettings
from graph.memories.models import MemoryFilter
from graph.tenancy.models import Scope
from tests.fixtures.chat_proxy import opened_proxy, served_for
from tests.fixtures.interfaces import INTERFACES, Caller
from tests.fixtures.own_store import engine, make_empty
from tests.fixtures.served import CommandLine, serving
from tests.fixtures.upstream import Says
from tests.fixtures.waiting import until

RECALLING = [name for name in INTERFACES if name not in {"Xerotier", "programs"}]  # these two only list
APPEND = """mutation($messages: [MessageInput!]!) {
  appendMessages(input: {conversationId: "chat-1", messages: $messages}) { id }
}"""
MEMORIES = "{ memories(first: 100) { edges { node { id content } } } }"
CONTEXT = """query($query: String!, $format: InjectionFormat) {
  context(input: {query: $query, format: $format}) { messages }
}"""
EXTRACT = 'mutation { extractMemories(conversationId: "chat-1") { id } }'


class Person(Caller):
    """A caller that talks to the service and reads the text that models receive."""

    async def graphql(self, query: str, /, **variables: Any) -> Any:
        answer = await self.send(
            "POST", "/graphql", json={"query": query, "variables": variables}, headers=self.bearer
        )
        assert "errors" not in answer, answer["errors"]
        return answer["data"]

    async def says(self, *texts: str, at: datetime | None = None) -> None:
        said_at = {"saidAt": at.isoformat()} if at else {}
        messages = [{"role": "USER", "content": text, **said_at} for text in texts]
        await self.graphql(APPEND, messages=messages)

    async def contents(self) -> dict[str, str]:
        """Return the ids of the memories by their text."""
        edges = (await self.graphql(MEMORIES))["memories"]["edges"]
        return {edge["node"]["content"]: edge["node"]["id"] for edge in edges}

    async def injected(self, question: str) -> dict[str, str]:
        """Return the text that a model receives before it answers a question, by surface and format."""
        told: dict[str, str] = {}
        for name in ("SYSTEM_PROMPT", "SYSTEM_MESSAGE", "USER_SUFFIX"):
            context = (await self.graphql(CONTEXT, query=question, format=name))["context"]
            told[name] = "\n".join(message["content"] for message in context["messages"])
        answer = await self.http.post(
            f"{self.proxy.url}/v1/inject", json={"text": question}, headers=self.bearer
        )
        told["inject"] = answer.raise_for_status().json()["text"]
        self.upstream.requests.clear()
        self.upstream.answers = [Says("Thank you.")]
        await self.proxy.client(api_key=self.key).chat.completions.create(
            model="gpt-test", messages=[{"role": "user", "content": question}]
        )
        told["chat proxy"] = "\n".join(
            message["content"] for message in self.upstream.requests[0].body["messages"]
        )
        return told


@pytest.fixture(scope="module")
async def served(own_settings, own_driver, minilm) -> AsyncIterator[tuple[Any, Any, str]]:
    unhurried = own_settings.model_copy(update={"context": ContextSettings(deadline_ms=30_000)})
    await make_empty(
        own_driver
    )  # queries would not find vectors of another embedder, which would stay in use
    async with engine(unhurried, minilm) as runtime, serving(runtime) as url:
        yield unhurried, runtime.services, url


@pytest.fixture
async def person(served, upstream, tmp_path) -> AsyncIterator[Person]:
    settings, services, url = served
    workspace_id = (await services.tenancy.workspaces.create("a person's", memory_enabled=True)).id
    _, key = await services.tenancy.keys.create(workspace_id, name="person", scopes=[Scope.ADMIN])
    async with (
        opened_proxy(services, settings, upstream) as (proxy, proxy_url),
        httpx.AsyncClient(base_url=url, timeout=60) as http,
    ):
        yield Person(
            url=url,
            key=key,
            cookie="",
            workspace_id=workspace_id,
            http=http,
            proxy=await served_for(services, workspace_id, proxy, proxy_url),
            upstream=upstream,
            command_line=CommandLine(url, key, tmp_path),
        )


@pytest.fixture
def settled(served, person):
    """Return a function that waits until all memories are linked and returns their ids by text."""
    _, services, _ = served

    async def wait(least: int) -> dict[str, str]:
        async def is_linked() -> bool:
            page = await services.memories.store.page(person.workspace_id, MemoryFilter(), first=100)
            states = {str(memory.state).upper() for memory in page.items}
            return len(page.items) >= least and states <= {"LINKED"}

        assert await until(is_linked)
        return await person.contents()

    return wait
