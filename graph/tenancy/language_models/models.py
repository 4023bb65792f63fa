"""Shapes of the language models of workspaces."""

from collections.abc import Awaitable, Callable
from typing import Protocol

from pydantic import Field

from graph.core.models import Frozen
from graph.core.ports import LanguageModel


class ModelEndpoint(Frozen):
    """Address of a model, with its key.

    Attributes:
        url: Base address without the path of the operation.
        model: Its name there.
        key: None where the server wants none.
    """

    url: str
    model: str
    key: str | None = Field(None, repr=False)


class StoredModel(Frozen):
    """A workspace's own model as it is stored; ``sealed_key`` can be read with the deployment's sealing key only."""

    url: str
    model: str
    sealed_key: str | None = None


class OwnModel(Frozen):
    """A workspace's own model for display: whether it has a key, but never the key itself."""

    url: str
    model: str
    has_key: bool


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
