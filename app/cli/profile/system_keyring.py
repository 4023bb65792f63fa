"""The system's keyring, where the package ``keyring`` is installed and finds one that can be used."""

from contextlib import suppress
from typing import Any

_SERVICE = "recollect"


def keep(url: str, key: str) -> bool:
    """Keep the key of a service; return whether there is a keyring that did."""
    keyring = _keyring()
    if keyring is None:
        return False
    with suppress(keyring.errors.KeyringError):
        keyring.set_password(_SERVICE, url, key)
    return kept(url) == key  # a keyring that is switched off takes everything and keeps nothing


def kept(url: str) -> str | None:
    """Return the key of a service, or None where there is none any more."""
    keyring = _keyring()
    if keyring is None:
        return None
    try:
        found: str | None = keyring.get_password(_SERVICE, url)
    except keyring.errors.KeyringError:
        return None
    return found


def forget(url: str) -> None:
    """Remove the key of a service, where there is one."""
    keyring = _keyring()
    if keyring is not None:
        with suppress(keyring.errors.KeyringError):
            keyring.delete_password(_SERVICE, url)


def _keyring() -> Any:
    """Return the package, or None where it is not installed."""
    try:
        import keyring
        import keyring.errors
    except ImportError:
        return None
    return keyring
