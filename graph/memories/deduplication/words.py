"""The words by which two sentences are compared, out of ``words.toml``, which says what each list is for."""

import re
from collections.abc import Mapping
from typing import Any, Final

from graph.core.tables import read_table

REGULAR_PAST: Final = re.compile(r"[a-z]{2,}ed")
"""What the past of a regular verb looks like, in lower case."""
WORDS: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "words.toml")
