"""The command line against the running service over real HTTP."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import Result
from typer.testing import CliRunner

from app.cli import build
from app.main import create_app
from graph.access.models import Scope
from tests.fixtures.app import ADMIN_KEY


class _Server(uvicorn.Server):
    """uvicorn that tells when it listens, and leaves signals to the test run."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


@pytest.fixture(scope="session")
async def api_url(runtime) -> AsyncIterator[str]:
    """The address of the service, listening on a free port of the loopback interface."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = _Server(uvicorn.Config(create_app(runtime.services), log_level="warning"))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await serving


@dataclass(frozen=True)
class CommandLine:
    """Runs ``recollect`` with one key; each command has an event loop in a thread of its own."""

    url: str
    key: str
    folder: Path

    async def run(self, *arguments: str, stdin: str | None = None) -> Result:
        environment = {"RECOLLECT_API_URL": self.url, "RECOLLECT_API_KEY": self.key, "COLUMNS": "200"}
        runner = CliRunner(env=environment)
        return await asyncio.to_thread(runner.invoke, build(), list(arguments), input=stdin)

    async def ok(self, *arguments: str, stdin: str | None = None) -> str:
        """Return what a command that must succeed wrote to standard output."""
        result = await self.run(*arguments, stdin=stdin)
        assert result.exit_code == 0, result.output
        return result.stdout

    async def error(self, *arguments: str) -> str:
        """Return the one line that a command that must fail wrote to standard error."""
        result = await self.run(*arguments)
        assert result.exit_code == 1, result.output
        (line,) = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        return line.removeprefix("error: ")

    def write_lines(self, *lines: dict[str, Any] | str) -> str:
        """Write a jsonl file and return its path."""
        path = self.folder / "memories.jsonl"
        texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
        path.write_text("".join(text + "\n" for text in texts))
        return str(path)


@pytest.fixture
def admin_cli(api_url, tmp_path) -> CommandLine:
    """The command line of an administrator."""
    return CommandLine(api_url, ADMIN_KEY, tmp_path)


@pytest.fixture
async def cli(api_url, services, workspace_id, tmp_path) -> CommandLine:
    """The command line of somebody who may read and write this test's workspace."""
    _, secret = await services.access.create_key(
        workspace_id, name="command line", scopes=[Scope.READ, Scope.WRITE]
    )
    return CommandLine(api_url, secret, tmp_path)
