"""The command line of the MCP Inspector, from npm, which lists and calls the tools (issue 7)."""

import asyncio
import json
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest

from app.surfaces.dialects import TOOLS
from graph.tenancy.models import Scope
from tests.fixtures.npm_packages import npm_folder


@pytest.fixture(scope="module")
async def inspector() -> Path:
    """Return the path of the program."""
    folder = await npm_folder("inspector", "@modelcontextprotocol/inspector@0.17.2")
    return folder / "node_modules" / ".bin" / "mcp-inspector"


async def ask(program: Path, agent, *arguments: str) -> dict[str, Any]:
    process = await asyncio.create_subprocess_exec(
        program, "--cli", f"{agent.url}/mcp?profile=full", "--transport", "http",
        "--header", f"Authorization: Bearer {agent.key}", *arguments,
        stdout=PIPE, stderr=PIPE,
    )  # fmt: skip
    output, errors = await process.communicate()
    assert process.returncode == 0, errors.decode()
    return json.loads(output)


def given(arguments: dict[str, Any]) -> list[str]:
    return [
        part
        for name, value in arguments.items()
        for part in ("--tool-arg", f"{name}={value if isinstance(value, str) else json.dumps(value)}")
    ]


@pytest.mark.timeout(900)
async def test_it_lists_and_calls_every_tool(inspector, agent_of, workspace_id) -> None:
    """K13: over real HTTP, with the official TypeScript client, which validates results."""
    agent = await agent_of(workspace_id, list(Scope))
    action = {"session_id": "s", "action_type": "a", "node_type": "B", "outcome": "SUCCESS"}
    calls: dict[str, dict[str, Any]] = {
        "store_memory": {"content": "the tea is green"},
        "update_memory": {"memory_id": "mem_none", "content": "x"},
        "delete_memory": {"memory_id": "mem_none"},
        "remember": {"content": "the tea is green, as ever"},
        "forget": {"memory_id": "mem_none"},
        "ask": {"question": "Which colour has the tea?"},
        "recall": {"query": "tea"},
        "get": {"id": "mem_none"},
        "relate": {"from_id": "mem_a", "to_id": "mem_b", "type": "RELATES_TO"},
        "context": {"query": "pour the tea"},
        "memory.search": {"query": "pour"},
        "memory.context": {"query": "pour"},
        "memory.annotate": {"pattern_id": "pat_none", "note": "x"},
        "memory.metric_create": {"name": "poured", "definition": {"aggregate": "COUNT"}},
        "memory.benchmark_get": {"metric": "error_rate"},
        "record": {"actions": [action]},
        "omniroute_memory_search": {"apiKeyId": agent.key_id},
        "omniroute_memory_add": {"apiKeyId": agent.key_id, "type": "factual", "key": "k", "content": "a cup"},
        "omniroute_memory_clear": {"apiKeyId": agent.key_id},
        "x_save_memory": {"content": "the cup is blue"},
        "x_recall_memory": {"query": "cup"},
        "x_workspace_search": {"query": "cup"},
        "move_conversation": {"conversation_id": "c", "workspace_id": "ws_none"},
        "list_changes": {"kinds": ["MERGED"], "limit": 1},
        "undo_change": {"id": "chg_none"},
        "profile": {"max_tokens": 100},
        "workspace.enable_memory": {},
        "workspace.disable_memory": {},
    }
    finds_nothing = {"update_memory", "get", "relate", "memory.annotate", "move_conversation", "undo_change"}

    listed = await ask(inspector, agent, "--method", "tools/list")
    programs_read = {tool["name"] for tool in listed["tools"] if "outputSchema" in tool}
    failed = set()
    for name, arguments in calls.items():
        told = await ask(inspector, agent, "--method", "tools/call", "--tool-name", name, *given(arguments))
        if told.get("isError"):
            failed.add(name)
            assert told["structuredContent"]["error"]["code"] == "NOT_FOUND"
        else:
            assert "structuredContent" in told or told["content"][0]["text"]
            assert ("structuredContent" in told) is (name in programs_read)

    assert [tool["name"] for tool in listed["tools"]] == [tool.name for tool in TOOLS]
    assert calls.keys() == {tool.name for tool in TOOLS}
    assert failed == finds_nothing
