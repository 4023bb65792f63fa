"""The client package of Recollect: needs httpx, pydantic and tenacity, and none of the server's packages.

``transport`` sends documents, ``generated`` has a typed method for each of ``operations``, and the other modules
integrate with LangGraph, LangChain and LlamaIndex. It is also the package ``recollect`` of the distribution
recollect-client, so its modules import each other relatively. Generated code is imported on first use, so that a
program loads only the parts that it uses.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .generated import *  # noqa: F403 - has its own list of names
    from .transport import ApiError as ApiError


def __getattr__(name: str) -> object:
    """Return ``ApiError``, a client or a model of ``generated``."""
    if name == "ApiError":
        return import_module(".transport", __name__).ApiError
    if name[:1].isupper() and name in (generated := import_module(".generated", __name__)).__all__:
        return getattr(generated, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
