"""Runs the API in this process; only commands that need it import this module, with the whole application."""

import asyncio
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import uvicorn
from litestar import Litestar

from app.bootstrap.dependencies import START_SECONDS
from app.bootstrap.runtime import Runtime, cancelled, open_runtime, warmed_up, working
from app.cli.servers.foreground import listening_socket
from app.embedded.errors import ServerFailed
from app.main import create_app, create_operations_app
from app.observability.logging import configure_logging
from app.settings import Settings
from app.settings.servers import MetricsSettings
from app.surfaces.graphql.limits import GraphQLLimits
from app.surfaces.http.limits import HEADER_SECONDS, MESSAGE_BYTES, punctual_protocol
from app.surfaces.mcp.profiles import ToolProfile
from app.surfaces.pages.studio import Studio
from graph.core.background import in_background

_GRACE_SECONDS = 5
# nginx's default; longer than HTTP clients keep idle connections, so that none sends into a closing connection.
_KEEP_ALIVE_SECONDS = 75
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class _Server(uvicorn.Server):
    """uvicorn without its signal handlers; the command's own handlers cancel it and stop everything else."""

    def __init__(
        self, app: Litestar, on_ready: Callable[[], None], header_seconds: float = HEADER_SECONDS
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=punctual_protocol(header_seconds),
                ws_max_size=MESSAGE_BYTES,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            )
        )
        self._on_ready = on_ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_ready()


async def serve_api(
    settings: Settings,
    listener: socket.socket,
    on_ready: Callable[[Runtime], None],
    *,
    on_first_key: Callable[[str], None],
    studio: Studio | None = None,
    start_seconds: float = START_SECONDS,
) -> None:
    """Serve until cancelled; then finish running requests and close everything.

    Args:
        settings: Settings with ``neo4j.uri`` and ``redis.url``.
        listener: Bound socket.
        on_ready: Callback when the service accepts requests.
        on_first_key: See ``open_runtime``.
        studio: Studio at ``/studio``; None: the built one.
        start_seconds: See ``open_runtime``.

    Raises:
        ServerFailed: The application did not start.
    """
    configure_logging(settings.log_level, settings.log_format)
    async with AsyncExitStack() as stack:
        opened = open_runtime(settings, on_first_key=on_first_key, start_seconds=start_seconds)
        runtime = await stack.enter_async_context(opened)
        await stack.enter_async_context(warmed_up(runtime.services))
        await stack.enter_async_context(operations_port(settings.metrics, runtime))
        if settings.worker.inline:
            await stack.enter_async_context(working(runtime))
        fetching = in_background(runtime.page_packages.fetch_ahead(), name="fetch_page_packages")
        stack.push_async_callback(cancelled, fetching)
        origins = [origin for origin in settings.allowed_origins.split(",") if origin]
        app = create_app(
            runtime.services,
            runtime.chat_proxy,
            allowed_origins=origins,
            hosts=_own_hosts(settings),
            mcp_profile=ToolProfile(settings.mcp_profile or ToolProfile.AGENT),
            watch=runtime.watch,
            page_packages=runtime.page_packages,
            graphql_limits=GraphQLLimits(introspection=settings.graphql.introspection),
            studio=studio,
        )
        server = _Server(app, lambda: on_ready(runtime))
        await _serve_until_cancelled(server, listener)


def _own_hosts(settings: Settings) -> list[str] | None:
    """Return the host names that the service accepts; None means any, because other machines use other names."""
    named = [host for host in settings.allowed_hosts.split(",") if host]
    if not named and not _is_loopback(settings.host):
        return None
    own = f"[{settings.host}]" if ":" in settings.host else settings.host
    return [*dict.fromkeys((*_LOOPBACK, own, *named))]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _serve_until_cancelled(server: _Server, listener: socket.socket) -> None:
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        await asyncio.shield(serving)
    finally:
        server.should_exit = True
        await serving
    if not server.started:
        raise ServerFailed("the API did not start; the reason is logged above")


@asynccontextmanager
async def operations_port(settings: MetricsSettings, runtime: Runtime) -> AsyncIterator[int | None]:
    """Serve probes and Prometheus inside the block; yield the port from the settings.

    Raises:
        PortTaken: Another process listens on the port.
    """
    if settings.port is None:
        yield None
        return
    with listening_socket(settings.host, settings.port, "RECOLLECT_METRICS_PORT") as listener:
        server = _Server(create_operations_app(runtime.services, runtime.watch), lambda: None)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            await serving
