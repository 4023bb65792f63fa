"""Errors in a dialect's own words: the engine names fields as GraphQL writes them."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from graph.core.errors import RecollectError


@contextmanager
def named_as(names: Mapping[str, str]) -> Iterator[None]:
    """Rename the field of an error that leaves the block, in its message too.

    Args:
        names: The dialect's name of a field, by the engine's name; others stay unchanged.
    """
    try:
        yield
    except RecollectError as error:
        spoken = names.get(error.field or "")
        if error.field and spoken:
            error.message = re.sub(rf"(?<!\w){re.escape(error.field)}(?!\w)", spoken, error.message)
            error.field = spoken
        raise
