"""The words by which two sentences are compared, out of ``words.toml``, which says what each list is for."""

from collections.abc import Mapping
from typing import Any, Final

from graph.core.tables import read_table

WORDS: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "words.toml")
