"""Word lists for comparing sentences, from ``words.toml``, which explains each list."""

import re
from collections.abc import Mapping
from typing import Any, Final

from graph.core.tables import read_table

REGULAR_PAST: Final = re.compile(r"[a-z]{2,}ed")
"""Pattern of a regular verb's past form, in lower case."""
WORDS: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "words.toml")
