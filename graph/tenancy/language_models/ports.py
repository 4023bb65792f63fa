"""What the language models of workspaces need from outside: opening one, and sealing its key."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from graph.core.ports import LanguageModel
from graph.tenancy.language_models.models import ModelEndpoint

OpenModel = Callable[[ModelEndpoint], Awaitable[LanguageModel]]
"""Opens a model, which lives as long as the process; raises ``Unavailable`` where no model can be opened at all, and
``InvalidInput`` for an address that cannot be asked."""


class Unsealable(Exception):
    """Raised when what was sealed cannot be read: it was sealed with another key, for another purpose, or changed."""


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
