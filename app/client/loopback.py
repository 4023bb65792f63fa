"""Detects addresses of this machine, for which the proxies of the environment must not be used."""

from urllib.parse import urlsplit

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def is_here(url: str) -> bool:
    """Tell whether an address is one of this machine; false for an invalid address."""
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False
