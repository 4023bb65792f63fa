"""Ports of workspaces' language models: opening a model, and encrypting its key."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from graph.core.ports import LanguageModel
from graph.tenancy.language_models.models import ModelEndpoint

OpenModel = Callable[[ModelEndpoint], Awaitable[LanguageModel]]
"""Opens a model, which lives as long as the process; raises ``Unavailable`` where no model can be opened at all, and
``InvalidInput`` for an address that cannot be asked."""


class Unsealable(Exception):
    """Raised when a key cannot be decrypted: it was encrypted with another key, for another purpose, or changed."""


class Sealing(Protocol):
    """Encrypts texts so that nobody can read or change them without the key."""

    def seal(self, text: str, *, purpose: str) -> str:
        """Return the text encrypted, to be unsealed for the same purpose only."""
        ...

    def unseal(self, sealed: str, *, purpose: str) -> str:
        """Return the text.

        Raises:
            Unsealable: It cannot be read.
        """
        ...
