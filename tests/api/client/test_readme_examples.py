"""The Python examples of the README and of the page on clients, run as they stand against the service."""

import ast
from inspect import iscoroutine
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph

from graph.tenancy.access.models import Scope
from tests.fixtures.pages import README, page, snippets

EXAMPLES = snippets(page("how-to/clients.md"), "python")
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
    _, secret = await services.tenancy.access.create_key(
        workspace_id, name="reader of the README", scopes=[Scope.READ, Scope.WRITE]
    )
    return secret


async def test_the_examples_run_one_after_the_other(url_apart, key, capsys) -> None:
    client, langgraph, langchain, llamaindex = [
        example.replace(ADDRESS, url_apart) for example in EXAMPLES if ADDRESS in example
    ]

    await run(client, key=key)
    shown = capsys.readouterr().out
    left = await run(langgraph, key=key, builder=an_empty_graph())
    documents = (await run(langchain, key=key))["documents"]
    nodes = (await run(llamaindex, key=key))["nodes"]

    assert "We indent with tabs" in shown
    assert left["store"].get(("users", "ada"), "editor").value == {"text": "prefers tabs over spaces"}
    assert {document.page_content for document in documents} == {
        "We indent with tabs",
        "prefers tabs over spaces",
    }
    assert {node.text for node in nodes} == {document.page_content for document in documents}


async def test_the_readmes_example_saves_and_recalls(url_apart, key, capsys) -> None:
    (example,) = snippets(README, "python")

    await run(example.replace(ADDRESS, url_apart), key=key)

    assert "Releases are cut on Thursdays" in capsys.readouterr().out
