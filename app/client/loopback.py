"""Which addresses are of this machine: no proxy that the environment names must be asked for them."""

from urllib.parse import urlsplit

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def is_here(url: str) -> bool:
    """Tell whether an address is one of this machine; what is no address is none."""
    try:
        return urlsplit(url).hostname in _LOOPBACK
    except ValueError:
        return False
