"""Choice of loopback ports for the embedded servers."""

import socket

import psutil

from app.embedded.errors import PortTaken

LOOPBACK = "127.0.0.1"


def family_of(host: str) -> socket.AddressFamily:
    """Return the address family of an address or host name; a name counts as IPv4."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Tell whether a server could listen on the port now."""
    with socket.socket(family_of(host)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def listening_ports(pid: int | None) -> set[int]:
    """Return the TCP ports on which a process of this machine listens; none if it has ended."""
    if pid is None:
        return set()
    try:
        sockets = psutil.Process(pid).net_connections(kind="tcp")
    except psutil.Error:
        return set()
    return {found.laddr.port for found in sockets if found.status == psutil.CONN_LISTEN}


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


def choose_port(requested: int, usual: int, setting: str) -> int:
    """Return the requested port; for 0, return the usual port if it is free, else any free port.

    Raises:
        PortTaken: The configured port is in use; the message names the setting.
    """
    if requested:
        if not is_free(requested):
            raise PortTaken(f"port {requested} is in use; choose another with {setting}")
        return requested
    return usual if is_free(usual) else free_port()
