"""The README, tutorials and how-to guides, followed exactly: every block runs as it is printed.

``tests/fixtures/pages.py`` lists the blocks that do not run, with the reason.
"""

import asyncio
import json
import os
import re
import signal
import sys
import tomllib
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from graph.tenancy.models import Scope
from tests.fixtures.app import secret_of_a_key
from tests.fixtures.document_files import pdf
from tests.fixtures.exports import ADA, OSLO
from tests.fixtures.jobs import park_jobs
from tests.fixtures.pages import Block, is_listed, printed_blocks
from tests.fixtures.timeouts import scaled_timeout

ROOT = Path(__file__).parents[2]
PAGES: Final = list(dict.fromkeys(block.page for block in printed_blocks() if not is_listed(block)))
ADDRESSES: Final = ("http://127.0.0.1:8000", "https://memory.example")
"""Address of the service in the pages."""
CHECKOUT: Final = "/opt/recollect"
ENDLESS: Final = {"docs/how-to/subscriptions.md"}
"""Pages with programs that run until stopped."""
_BLANK = re.compile(r"\b([a-z]+_)…")
_SHELL = """\
curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@"; echo; }
"""
_STOPPED = """\
.venv/bin/python {script} > {shown} &
until grep _ {shown}; do kill -0 $!; sleep 0.2; done
kill $!
"""
_PROGRAM = """\
#!/bin/sh
exec {python} {arguments} "$@"
"""

# ----- what readers have before they open the page -----

CHATS: Final = [
    {
        "title": "Moving",
        "conversation_id": "c1",
        "create_time": 1767225600,
        "current_node": "n1",
        "mapping": {
            "n1": {
                "id": "n1",
                "parent": None,
                "message": {
                    "id": "m1",
                    "author": {"role": "user"},
                    "create_time": 1767225600,
                    "content": {"content_type": "text", "parts": ["I am moving to Oslo in May."]},
                },
            }
        },
    }
]
"""An export of ChatGPT."""
BROUGHT: Final[Mapping[str, Mapping[str, Any]]] = {
    "README.md": {"chats.json": CHATS},
    "docs/tutorials/first-memory.md": {"conversations.json": CHATS},
    "docs/how-to/back-up.md": {".recollect/key": "the first key's hash"},
    "docs/how-to/documents.md": {
        "handbook/tea.md": "# Tea\n\nThe tea is brewed at four.",
        "notes.md": "# Notes\n\nThe kettle is red.",
        "leaflet.pdf": pdf("Bees fly in May"),
    },
    "docs/how-to/import.md": {
        "export.json": {"results": [{"id": "1", "memory": "Ada prefers tabs", "user_id": "ada"}]},
        "Vault/Tea.md": "The tea is brewed at four. See [[Kettle]].",
        "graph.json": {"entities": [ADA, OSLO]},
    },
    "docs/how-to/ontology.md": {
        "operations.json": {"entityTypes": [{"name": "Cluster", "description": "Runs services"}]},
        "people.json": {"entityTypes": [{"name": "Person"}, {"name": "Organization"}]},
    },
}
"""Files by name; values other than text and bytes are written as JSON."""
BEFORE: Final[Mapping[str, str]] = {
    "docs/how-to/archive.md": "recollect workspaces create acme",
    "docs/how-to/changes.md": """
        recollect save "The kettle is red"
        recollect save "The kettle is red" --tag kitchen
        recollect changes""",
    "docs/how-to/clients.md": "recollect settings set enabled true",
    "docs/how-to/command-line.md": """
        recollect save "The kettle is red" --tag kitchen
        echo "The kettle is red" > kettle.md
        recollect documents add kettle.md
        recollect documents list""",
    "docs/how-to/documents.md": "recollect documents add notes.md; recollect documents list",
    "docs/how-to/monitor.md": "recollect workspaces create mine; recollect jobs list --state parked",
    "docs/how-to/ontology.md": 'recollect save "The checkout writes to the ledger"',
    "docs/how-to/oxagen.md": "recollect keys me",
    "docs/how-to/settings.md": "recollect workspaces create research",
    "docs/how-to/subscriptions.md": """
        for second in {1..300}; do recollect save "Release $second is out"; sleep 1; done &""",
    "docs/how-to/webhooks.md": "recollect webhooks create https://example.com/other; recollect webhooks list",
}
"""Commands that readers have run; printed ids replace blanks of the page, such as ``mem_…``."""
TYPED: Final = {"docs/how-to/command-line.md": "{key}\n", "docs/how-to/erase.md": "y\n"}
"""Their input at prompts."""

# ----- what readers see -----

SEEN: Final[Mapping[str, tuple[str, ...]]] = {
    "README.md": ("The kids start school in August", "Releases are cut on Thursdays"),
    "docs/tutorials/agent-with-memory.md": ("deploy on Service → E_QUOTA",),
    "docs/tutorials/first-memory.md": ("The kids start school in August", "E_QUOTA"),
    "docs/how-to/clients.md": ("We indent with tabs", "prefers tabs over spaces", "Vim, as you said in May"),
    "docs/how-to/command-line.md": ("logged in", "The kettle is blue", "logged out"),
    "docs/how-to/erase.md": ("erased alice",),
    "docs/how-to/profiles.md": ("Home: The user moved to Berlin in February 2026", '"etag":'),
    "docs/how-to/subscriptions.md": ("SAVED mem_",),
}
"""Expected output."""


@dataclass
class Reader:
    """A reader who follows a page in a separate folder with one shell."""

    page: str
    url: str
    key: str
    folder: Path
    shell: asyncio.subprocess.Process
    seen: str = ""
    _numbers: "count[int]" = field(default_factory=count)

    async def run(self, block: Block) -> None:
        """Run a block and record its output; fail if the block fails."""
        text = self.filled(block.text)
        match block.language:
            case "sh":
                shown = await self.command(text)
            case "python":
                shown = await self.python(text)
            case "graphql":
                shown = await self.graphql(text)
            case "json":
                shown = await self.agent(json.loads(text))
            case "toml":
                shown = await self.agent(tomllib.loads(text))
            case _:
                raise AssertionError(f"{block.language!r} is not run")
        self.seen += shown

    def filled(self, text: str) -> str:
        """Return a block with this service's address and folder, each blank filled with the last id shown."""
        for address in ADDRESSES:
            text = text.replace(address, self.url)
        return _BLANK.sub(self._last, text.replace(CHECKOUT, str(self.folder)))

    def _last(self, blank: re.Match[str]) -> str:
        if blank[1] == "rk_":
            return self.key
        found = re.findall(rf"\b{blank[1]}[\w-]+", self.seen)
        assert found, f"nothing has shown an id for {blank[0]}"
        return str(found[-1])

    async def command(self, text: str) -> str:
        """Run commands in the shell and return their output; the shell ends at the first failing command."""
        script, output = self._file("sh"), self._file("out")
        script.write_text(text)
        assert self.shell.stdin
        assert self.shell.stdout
        self.shell.stdin.write(f"source {script} <{self.folder}/typed >{output} 2>&1\necho ended\n".encode())
        ended = await asyncio.wait_for(self.shell.stdout.readline(), scaled_timeout(300))
        shown = output.read_text()
        assert ended == b"ended\n", f"{text}\n{shown}"
        for line in filter(lambda line: line.startswith("{"), shown.splitlines()):
            assert not {"error", "errors"} & json.loads(line).keys(), f"{text}\n{line}"
        return shown

    async def python(self, text: str) -> str:
        """Run a script in the shell; stop an endless script once it has shown an id."""
        script = self._file("py")
        script.write_text(text)
        if self.page in ENDLESS:
            return await self.command(_STOPPED.format(script=script, shown=self._file("shown")))
        return await self.command(f".venv/bin/python {script}")

    async def graphql(self, text: str) -> str:
        """Return the data of an operation, which must succeed."""
        async with httpx.AsyncClient(base_url=self.url, timeout=scaled_timeout(60)) as client:
            headers = {"Authorization": f"Bearer {self.key}"}
            answer = await client.post("/graphql", json={"query": text}, headers=headers)
        body = answer.json()
        assert "errors" not in body, f"{text}\n{body['errors']}"
        return json.dumps(body["data"], ensure_ascii=False)

    async def agent(self, config: Mapping[str, Mapping[str, Any]]) -> str:
        """Return the tools that a client finds with a configuration of an MCP server."""
        ((_, servers),) = config.items()
        server = servers["recollect"]
        async with self._streams(server) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
        assert tools
        return ", ".join(tool.name for tool in tools)

    @asynccontextmanager
    async def _streams(self, server: Mapping[str, Any]) -> AsyncIterator[tuple[Any, Any]]:
        if "command" in server:
            environment = {**server["env"], "RECOLLECT_API_URL": self.url}
            started = StdioServerParameters(command=server["command"], args=server["args"], env=environment)
            async with stdio_client(started) as streams:
                yield streams
            return
        headers = server.get("headers") or {"Authorization": f"Bearer {self.key}"}
        assert server.get("bearer_token_env_var", "RECOLLECT_API_KEY") == "RECOLLECT_API_KEY"
        async with (
            httpx.AsyncClient(headers=headers, timeout=scaled_timeout(60)) as http,
            streamable_http_client(server["url"], http_client=http) as (reading, writing, _),
        ):
            yield reading, writing

    def _file(self, kind: str) -> Path:
        return self.folder / ".steps" / f"{next(self._numbers)}.{kind}"


@pytest.fixture
async def reader(request, url_apart, services, workspace_id, graph_driver, tmp_path) -> AsyncIterator[Reader]:
    """Yield a reader of a page with a workspace's first key, as `make up` prints it."""
    page: str = request.param
    key = await secret_of_a_key(services, workspace_id, *Scope)
    _write_files(tmp_path, {**BROUGHT.get(page, {}), "typed": TYPED.get(page, "").format(key=key)})
    (tmp_path / ".steps").mkdir()
    shell = await asyncio.create_subprocess_exec(
        "bash", "-eu", "-o", "pipefail",
        cwd=tmp_path, env=_environment(tmp_path, url_apart, key), stdin=PIPE, stdout=PIPE,
        start_new_session=True,  # no terminal, so no program can prompt for input
    )  # fmt: skip
    try:
        if page == "docs/how-to/monitor.md":
            await park_jobs(graph_driver, workspace_id, "one", error="the endpoint answers 503")
        reader = Reader(page, url_apart, key, tmp_path, shell)
        reader.seen += await reader.command(_SHELL + BEFORE.get(page, ""))
        yield reader
    finally:
        with suppress(ProcessLookupError):  # the shell has ended if a command failed
            os.killpg(shell.pid, signal.SIGKILL)
        await shell.wait()


def _write_files(folder: Path, files: Mapping[str, Any]) -> None:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content))


def _environment(folder: Path, url: str, key: str) -> dict[str, str]:
    """Return the variables of a shell that has a checkout's programs on its path."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, arguments in (("python", ""), ("recollect", "-m app.cli")):
        (programs / name).write_text(_PROGRAM.format(python=sys.executable, arguments=arguments))
        (programs / name).chmod(0o755)
    return {
        "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(folder),
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "COLUMNS": "200",
        "LC_ALL": "C.UTF-8",
        "RECOLLECT_API_URL": url,
        "RECOLLECT_API_KEY": key,
        "RECOLLECT_DATA_DIR": str(folder / ".recollect"),  # never a developer's own folder
    }


@pytest.mark.parametrize("reader", PAGES, ids=PAGES, indirect=True)
async def test_a_page_runs_as_it_is_printed(reader) -> None:
    """Issue 35; K6, K10, K11, K21: blocks run in order, and each uses the results of earlier ones."""
    for block in printed_blocks():
        if block.page == reader.page and not is_listed(block):
            await reader.run(block)

    assert [text for text in SEEN.get(reader.page, ()) if text not in reader.seen] == []
