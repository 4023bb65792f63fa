"""Which memories contradict each other."""

from graph.memories.deduplication.disagreement import disagree
from graph.memories.models import Memory


def contradicts(one: Memory, other: Memory) -> bool:
    """Tell whether two memories cannot both hold; what several people say of themselves contradicts nothing."""
    return owner_of(one) == owner_of(other) and disagree(one.content, other.content)


def owner_of(memory: Memory) -> tuple[str | None, ...]:
    """Return whose a memory is: who says it, and the user and the agent it belongs to."""
    return memory.speaker, memory.user_id, memory.agent_id
