"""MCP's official conformance suite, from npm (issue 16): the scenarios that need no own tools or resources.

The other scenarios call tools, resources and prompts of a test server, such as ``test_simple_text``, or
features that this server lacks: logging levels, sampling, elicitation, subscriptions and ``GET`` streams.
"""

import asyncio
import re
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.main import create_app
from graph.tenancy.models import Scope
from tests.fixtures.npm_packages import npm_folder
from tests.fixtures.websockets import serving

PACKAGE = "@modelcontextprotocol/conformance@0.1.10"  # the last version for Node 20


@pytest.fixture
async def address(services, workspace_id) -> AsyncIterator[str]:
    """Serve ``/mcp`` and add a key to each request, since the suite sends none; yield the address."""
    app = create_app(services)
    _, key = await services.tenancy.keys.create(workspace_id, name="suite", scopes=list(Scope))
    bearer = (b"authorization", f"Bearer {key}".encode())

    async def keyed(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "headers": [*scope["headers"], bearer]}
        await app(scope, receive, send)

    async with serving(keyed) as url:  # type: ignore[arg-type]
        yield url.replace("ws://", "http://").replace("/graphql", "/mcp")


@pytest.mark.parametrize(
    "scenario", ["server-initialize", "ping", "tools-list", "resources-list", "prompts-list"]
)
async def test_a_scenario_of_the_official_suite_passes(address, scenario) -> None:
    program = await npm_folder("mcp-conformance", PACKAGE) / "node_modules" / ".bin" / "conformance"
    process = await asyncio.create_subprocess_exec(
        program, "server", "--url", address, "--scenario", scenario, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()

    told = output.decode()
    passed = re.search(r"Passed: (\d+)/(\d+), (\d+) failed, (\d+) warnings", told)
    assert process.returncode == 0, told
    assert passed, told
    assert (passed[1], passed[3], passed[4]) == (passed[2], "0", "0"), told
