"""``recollect up``: starts everything with one command; its servers are child processes."""

import asyncio
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table

from app.cli.remote import read_settings
from app.cli.servers.foreground import plain_console, shown_progress
from app.cli.servers.serve import print_first_key
from app.settings import MachineSettings, Neo4jSettings, Settings

if TYPE_CHECKING:
    from app.bootstrap.runtime import Runtime
    from app.cli.servers.studio_build import StudioBuild
    from app.embedded.jars import OnProgress


_START_SECONDS = 600.0
"""Maximum duration of a start on a busy machine; this process notices earlier if the server dies."""


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("up")(up)


def up() -> None:
    """Start Neo4j, Redis and the API, print their addresses, and stop them at Ctrl-C.

    Servers in RECOLLECT_NEO4J_URI or RECOLLECT_REDIS_URL replace the embedded ones.
    """
    from app.cli.servers.foreground import run_until_signal

    run_until_signal(_up(read_settings()))


@dataclass(frozen=True)
class _Servers:
    """Servers that the API uses.

    Attributes:
        settings: Settings, completed with the addresses of the started servers.
        browser: Message about Neo4j Browser.
    """

    settings: Settings
    browser: str


async def _up(settings: Settings) -> None:
    from app.cli.servers.foreground import listening_socket, web_address
    from app.embedded.data_folder import hold
    from app.observability.logging import configure_logging

    configure_logging(settings.log_level, settings.log_format)
    console = plain_console()
    folder = settings.data_dir.resolve()
    with hold(folder) as held, listening_socket(settings.host, settings.port) as listener:
        port: int = listener.getsockname()[1]
        held.announce(port)
        async with _started(settings, folder, console) as servers, AsyncExitStack() as stack:
            from app.bootstrap.runtime import cancelled
            from app.cli.servers.api_server import serve_api
            from app.cli.servers.studio_build import StudioBuild
            from app.surfaces.pages.studio import Studio
            from graph.core.background import in_background

            build = StudioBuild(Studio(), folder / "studio" / "build.log")
            is_to_build = build.announce()

            def show(runtime: "Runtime") -> None:
                url = web_address(settings.host, port)
                key_line = _key_line(settings, is_new=runtime.first_key is not None)
                memory = memory_line(is_on=runtime.default_workspace.memory_enabled)
                console.print(_panel(url, servers.browser, key_line, memory))
                if is_to_build:
                    building = in_background(_built(build, url, console), name="build_studio")
                    stack.push_async_callback(cancelled, building)

            await serve_api(
                servers.settings,
                listener,
                show,
                on_first_key=lambda key: print_first_key(console, key),
                studio=build.studio,
                start_seconds=_START_SECONDS,
            )


async def _built(build: "StudioBuild", url: str, console: Console) -> None:
    """Build the Studio; print its address, or the reason of a failure."""
    await build.run()
    notice = build.studio.notice
    message = f"The Studio is built: {url}/studio" if notice is None else notice.text
    console.print(message, highlight=False, markup=False, soft_wrap=True)


@asynccontextmanager
async def _started(settings: Settings, folder: Path, console: Console) -> AsyncIterator[_Servers]:
    """Start the servers that the settings do not name; stop them afterwards."""
    from app.bootstrap.dependencies import fetch_models

    async with AsyncExitStack() as stack:
        with shown_progress(console) as on_progress:
            # importing the API takes seconds of processor time: done while Neo4j boots
            importing = asyncio.create_task(asyncio.to_thread(import_module, "app.cli.servers.api_server"))
            await fetch_models(settings.embedding, partial(on_progress, "Downloading the embedding model"))
            redis = settings.redis
            if redis.url is None:
                redis = redis.model_copy(update={"url": await _start_redis(folder, stack, console)})
            neo4j, browser = settings.neo4j, f"of the server {settings.neo4j.uri}"
            if neo4j.uri is None:
                neo4j, browser = await _start_neo4j(neo4j, folder, stack, on_progress)
            await importing
        yield _Servers(settings.model_copy(update={"neo4j": neo4j, "redis": redis}), browser)


async def _start_redis(folder: Path, stack: AsyncExitStack, console: Console) -> str:
    """Start Redis and return its URL; if it cannot start, return a URL without a server."""
    from app.embedded.errors import RedisNotFound, ServerFailed
    from app.embedded.redis import EmbeddedRedis

    server = EmbeddedRedis(folder / "redis")
    stack.push_async_callback(server.stop)
    try:
        return await server.start()
    except (RedisNotFound, ServerFailed) as error:
        console.print(
            f"[yellow]without Redis[/]: {escape(str(error))}. Background work is polled for meanwhile.",
            highlight=False,
        )
        return server.url


async def _start_neo4j(
    settings: Neo4jSettings, folder: Path, stack: AsyncExitStack, on_progress: "OnProgress"
) -> tuple[Neo4jSettings, str]:
    from app.embedded.neo4j import EmbeddedNeo4j

    server = EmbeddedNeo4j(
        folder / "neo4j",
        bolt_port=settings.bolt_port,
        http_port=settings.http_port,
        heap_mb=settings.heap_mb,
        pagecache_mb=settings.pagecache_mb,
        java_home=MachineSettings().java_home,
        class_archive=folder / "neo4j" / "classes.jsa",
        on_progress=on_progress,
    )
    stack.push_async_callback(server.stop)
    address = await server.start()
    browser = f"{address.browser_url}\nuser {address.user}, password in {server.password_file}"
    completed = settings.model_validate(
        {**settings.model_dump(), "uri": address.uri, "user": address.user, "password": address.password}
    )
    return completed, browser


def _panel(url: str, browser: str, key: str, memory: str) -> Panel:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    table.add_row("Studio", f"{url}/studio")
    table.add_row("GraphQL", f"{url}/graphql  (GraphiQL in a browser)")
    table.add_row("Neo4j Browser", browser)
    table.add_row("API key", key)
    table.add_row("Memory", memory)
    table.add_row("", "Ctrl-C stops all of it")
    return Panel.fit(table, title="Recollect", padding=(1, 2))


def memory_line(*, is_on: bool) -> str:
    """Return the state of the default workspace's memory, with the command that turns it on."""
    if is_on:
        return "on: conversations are captured, and chats are given what is relevant"
    return f"off; to capture conversations and give chats what is relevant:\n{_own_command()} settings set enabled true"


def _own_command() -> str:
    """Return the command of this program for a shell: its name, or else its path."""
    found, own = shutil.which("recollect"), Path(sys.argv[0])
    is_on_path = found is not None and Path(found).resolve() == own.resolve()
    if is_on_path or own.name != "recollect":
        return "recollect"
    resolved = own.resolve()
    return str(resolved.relative_to(Path.cwd()) if resolved.is_relative_to(Path.cwd()) else resolved)


def _key_line(settings: Settings, *, is_new: bool) -> str:
    if settings.admin_key is not None:
        return "the one in RECOLLECT_ADMIN_KEY"
    if is_new:
        return "shown above, only now: keep it"
    return "shown at the first start; to set another one: RECOLLECT_ADMIN_KEY"
