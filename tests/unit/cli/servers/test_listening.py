"""The socket that the service listens on, and the host names that it accepts."""

import asyncio
import socket

import pytest
import typer
from neo4j.exceptions import ConfigurationError, Neo4jError

from app.cli.profile import address_of
from app.cli.servers.api_server import _own_hosts
from app.cli.servers.foreground import listening_socket, run_until_signal, web_address
from app.embedded.errors import CannotStart, PortTaken
from app.embedded.ports import is_free
from app.settings import Settings


async def test_responses_are_sent_immediately_on_asyncios_loop() -> None:
    """If the socket waits for the caller's acknowledgement, the body of each response is 40 ms late."""
    accepted: asyncio.Queue[bool] = asyncio.Queue()

    class Answering(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            taken = transport.get_extra_info("socket")
            accepted.put_nowait(bool(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))

    with listening_socket("127.0.0.1", 0) as listener:
        async with await asyncio.get_running_loop().create_server(Answering, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            try:
                assert await accepted.get()
            finally:
                writer.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_second_start_on_the_port_is_refused_at_once(host) -> None:
    """Formerly both bound the port, and the second start failed late with a reason nobody saw."""
    with listening_socket(host, 0) as listener:
        port = listener.getsockname()[1]
        with (
            pytest.raises(PortTaken, match="choose another with RECOLLECT_PORT"),
            listening_socket(host, port),
        ):
            pass
        assert not is_free(port, host)

    assert is_free(port, host)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("localhost", "http://localhost:8000"),
    ],
)
def test_a_printed_address_can_be_opened(host, address) -> None:
    assert web_address(host, 8000) == address


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.2", "127.0.0.2"),
        ("::1", "[::1]"),
        ("localhost", "localhost"),
        ("0.0.0.0", None),
        ("::", None),
        ("10.0.0.7", None),
    ],
)
def test_a_loopback_address_accepts_only_its_own_names(host, own) -> None:
    """Otherwise pages of other sites reach it under their own names (DNS rebinding)."""
    hosts = _own_hosts(Settings(_env_file=None, host=host))

    assert hosts is None if own is None else own in (hosts or [])


@pytest.mark.parametrize(
    "error",
    [
        ConfigurationError("URI scheme '' is not supported"),
        Neo4jError._hydrate_neo4j(code="Neo.ClientError.Statement.SyntaxError", message="no such\nclause"),
    ],
)
def test_errors_of_neo4j_are_one_line(capsys, error) -> None:
    async def work() -> None:
        raise error

    with pytest.raises(typer.Exit):
        run_until_signal(work())

    told = capsys.readouterr().err
    assert told.startswith("error: Neo4j: ")
    assert told.count("\n") == 1


def test_commands_find_a_service_that_listens_on_ipv6_only() -> None:
    assert address_of(Settings(_env_file=None, host="::1", port=8123)) == "http://[::1]:8123"
    assert address_of(Settings(_env_file=None, port=8123)) == "http://127.0.0.1:8123"


@pytest.mark.parametrize("host", ["192.0.2.7", "no-such-host.invalid"])
def test_a_refused_host_name_is_answered_with_the_setting(host) -> None:
    """Another port would not help here."""
    with (
        pytest.raises(
            CannotStart, match=f"^cannot listen on {host} .*with RECOLLECT_METRICS_HOST$"
        ) as refused,
        listening_socket(host, 0, "RECOLLECT_METRICS_PORT"),
    ):
        pass

    assert not isinstance(refused.value, PortTaken)
