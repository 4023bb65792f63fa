"""The shapes of contradictions."""

from graph.core.models import Frozen
from graph.memories.models import Memory


class Contradiction(Frozen):
    """Two memories of one owner that cannot both hold; ``newer`` was saved later."""

    newer: Memory
    older: Memory
