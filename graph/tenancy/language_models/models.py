"""Shapes of the language models of workspaces."""

from pydantic import Field

from graph.core.models import Frozen


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
