"""``recollect mcp`` as agents start it: a separate process, called by the SDK's client."""

import sys
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent

from app.surfaces.dialects import TOOLS
from graph.tenancy.models import Scope

ROOT = Path(__file__).parents[3]


def parameters(url: str, key: str, folder: Path, **environment: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-c", "from app.cli import main; main()", "mcp"],
        env={"RECOLLECT_API_URL": url, "RECOLLECT_API_KEY": key, "PYTHONPATH": str(ROOT), **environment},
        cwd=folder,
    )


async def test_all_operations_work_over_stdio(agent_of, workspace_id, services, tmp_path) -> None:
    """K13: the same tools, resources and prompt as over HTTP."""
    agent = await agent_of(workspace_id, list(Scope))
    async with (
        stdio_client(parameters(agent.url, agent.key, tmp_path, RECOLLECT_MCP_PROFILE="full")) as streams,
        ClientSession(*streams) as session,
    ):
        told = await session.initialize()
        listed = await session.list_tools()
        stored = await session.call_tool("store_memory", {"content": "The tea is green"})
        failed = await session.call_tool("store_memory", {"content": ""})
        assert stored.structuredContent is not None
        id_ = stored.structuredContent["memory_id"]
        resource = await session.read_resource(f"recollect://memory/{id_}")  # type: ignore[arg-type]
        prompt = await session.get_prompt("before_acting", {"query": "Pour the tea"})

    assert told.serverInfo.name == "recollect"
    assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
    assert (await services.memories.store.get(workspace_id, id_)).content == "The tea is green"
    assert failed.isError
    assert failed.structuredContent["error"]["field"] == "content"
    assert "The tea is green" in resource.contents[0].text
    assert isinstance(prompt.messages[0].content, TextContent)


async def test_without_a_valid_key_the_error_names_the_remedy(api_url, tmp_path) -> None:
    """K13, M10."""
    async with (
        stdio_client(parameters(api_url, "rk_nobody", tmp_path)) as streams,
        ClientSession(*streams) as session,
    ):
        try:
            await session.initialize()
        except Exception as error:  # noqa: BLE001 - the SDK's own, whose text is what agents show
            message = str(error)
        else:
            message = "it was let in"

    assert message == (
        "this API key is unknown, revoked or expired; set RECOLLECT_API_KEY to a key of the service"
    )
