"""The system's keyring, where the package ``keyring`` is installed and finds one that can be used."""

from contextlib import suppress

_SERVICE = "recollect"


def keep(url: str, key: str) -> bool:
    """Keep the key of a service; return whether there is a keyring that did."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return False
    try:
        keyring.set_password(_SERVICE, url, key)
        found: str | None = keyring.get_password(_SERVICE, url)
    except KeyringError:
        return False
    return found == key  # a keyring that is switched off takes everything and keeps nothing


def kept(url: str) -> str | None:
    """Return the key of a service, or None where there is none any more."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(_SERVICE, url)
    except KeyringError:
        return None
    return found


def forget(url: str) -> None:
    """Remove the key of a service, where there is one."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return
    with suppress(KeyringError):
        keyring.delete_password(_SERVICE, url)
