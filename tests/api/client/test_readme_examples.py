"""The Python examples of the README and of the pages of docs, run as they stand against the service."""

import ast
import asyncio
import sys
from inspect import iscoroutine
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph

from app.client.generated import MemoryState, RecollectClient, SaveMemoryInput
from graph.memories.models import MemoryFilter
from graph.tenancy.access.models import Scope
from tests.fixtures.clean_environment import command
from tests.fixtures.pages import README, page, pages, snippets
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

EXAMPLES = snippets(page("how-to/clients.md"), "python")
ROOT = Path(__file__).parents[3]
ADDRESS = "http://127.0.0.1:8000"


async def run(example: str, **given: Any) -> dict[str, Any]:
    """Run an example, which may await at its top level, and return the names it leaves behind."""
    compiled = compile(example, "README.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names = dict(given)
    result = eval(compiled, names)
    if iscoroutine(result):
        await result
    return names


def an_empty_graph() -> StateGraph:
    """A graph of LangGraph that does nothing."""
    builder = StateGraph(dict)
    builder.add_node("nothing", lambda state: state)
    builder.add_edge(START, "nothing")
    builder.add_edge("nothing", END)
    return builder


@pytest.fixture
async def key(services, workspace_id) -> str:
    """A key of a workspace of this test's own."""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="reader of the README", scopes=[Scope.READ, Scope.WRITE]
    )
    return secret


async def test_the_examples_run_one_after_the_other(url_apart, key, capsys, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    client, langgraph, langchain, llamaindex, history, memory = [
        example.replace(ADDRESS, url_apart) for example in EXAMPLES if ADDRESS in example
    ]

    await run(client, key=key)
    shown = capsys.readouterr().out
    left = await run(langgraph, key=key, builder=an_empty_graph())

    async def are_embedded() -> bool:
        kept = await services.memories.store.page(workspace_id, MemoryFilter(), first=10)
        return all(memory.state != "STORED" for memory in kept.items)

    await until(are_embedded)
    documents = (await run(langchain, key=key))["documents"]
    nodes = (await run(llamaindex, key=key))["nodes"]
    said = (await run(history, key=key))["said"]
    messages = (await run(memory, key=key))["messages"]

    assert "We indent with tabs" in shown
    assert left["store"].get(("users", "ada"), "editor").value == {"text": "prefers tabs over spaces"}
    assert {document.page_content for document in documents} == {
        "We indent with tabs",
        "prefers tabs over spaces",
    }
    assert {node.text for node in nodes} == {document.page_content for document in documents}
    assert [message.content for message in said] == ["Which editor do I use?", "Vim, as you said in May"]
    assert [message.role.value for message in messages] == ["system", "user", "assistant", "user"]
    assert "We indent with tabs" in messages[0].content


async def test_the_readmes_example_runs_as_a_script_as_it_stands(url_apart, key, tmp_path) -> None:
    """Issue "Nothing lost, nothing misleading"."""
    (example,) = snippets(README, "python")
    script = tmp_path / "script.py"
    script.write_text(example.replace(ADDRESS, url_apart))

    printed = await command(
        sys.executable, str(script), folder=tmp_path, RECOLLECT_API_KEY=key, PYTHONPATH=str(ROOT)
    )

    assert "Releases are cut on Thursdays" in printed


async def test_the_agents_tutorial_ends_with_a_pattern_that_warns(agents_graphql) -> None:
    """Issue "Nothing lost, nothing misleading": its blocks, one after the other."""
    blocks = snippets(page("tutorials/agent-with-memory.md"), "graphql")

    told = [await agents_graphql.ok(block) for block in blocks]

    assert told[0]["context"]["prompt"] == ""
    (pattern,) = told[-1]["context"]["patterns"]
    assert "deploy on Service → E_QUOTA" in pattern["text"]
    assert "deploy on Service → E_QUOTA" in told[-1]["context"]["prompt"]


async def test_the_tutorials_example_recalls(url_apart, key, capsys, monkeypatch) -> None:
    monkeypatch.setenv("RECOLLECT_API_KEY", key)
    (example,) = snippets(page("tutorials/first-memory.md"), "python")
    async with RecollectClient(url_apart, key) as client:
        await client.save_memory(
            SaveMemoryInput(content="Our indentation style is tabs"), wait_for=MemoryState.EMBEDDED
        )

    await run(example.replace(ADDRESS, url_apart))

    assert "Our indentation style is tabs" in capsys.readouterr().out


async def test_the_chat_proxys_example_points_a_client_at_the_service(key, monkeypatch) -> None:
    (example,) = snippets(page("how-to/chat-proxy.md"), "python")
    monkeypatch.setenv("RECOLLECT_API_KEY", key)

    chat = (await run(example))["chat"]

    assert str(chat.base_url).startswith(f"{ADDRESS}/v1")


async def test_the_example_of_a_subscription_prints_events(url_apart, key, capsys) -> None:
    (example,) = snippets(page("how-to/subscriptions.md"), "python")
    reading = asyncio.ensure_future(run(example.replace(ADDRESS, url_apart), key=key))
    shown, numbers = "", count()
    async with asyncio.timeout(scaled_timeout(90)), RecollectClient(url_apart, key) as client:
        while "mem" not in shown:
            await client.save_memory(SaveMemoryInput(content=f"Release {next(numbers)} is out"))
            await asyncio.wait({reading}, timeout=0.2)
            assert not reading.done(), reading.result()
            shown += capsys.readouterr().out
    reading.cancel()
    await asyncio.wait({reading})

    assert "mem" in shown


def test_every_python_example_is_run_here() -> None:
    """A page that gets an example gets a test, or another kind of fence."""
    assert {path for path, text in pages().items() if snippets(text, "python")} == {
        "README.md",
        "docs/how-to/chat-proxy.md",
        "docs/how-to/clients.md",
        "docs/how-to/subscriptions.md",
        "docs/tutorials/first-memory.md",
    }
