"""Speaker of a memory, as models and readers see it."""

from graph.core.text.language import words
from graph.core.text.normal_forms import folded
from graph.core.text.prompts import as_data
from graph.memories.saving.indexing import is_role
from graph.retrieval.recall.parsed_query import ASSISTANT, first_name


def person_before(content: str, speaker: str | None) -> str:
    """Return ``Bob: `` where a person said it who is not its first word; empty for a role and for nobody.

    >>> person_before("I moved to Oslo.", "Bob")
    'Bob: '
    >>> person_before("Bob moved to Oslo.", "Bob"), person_before("I moved.", "\U0001f642")
    ('', '\U0001f642: ')
    """
    if not speaker or is_role(speaker):
        return ""
    named, said = words(folded(first_name(speaker))), words(folded(content))
    return "" if named and named == said[: len(named)] else f"{speaker}: "


def by_assistant(speaker: str | None) -> str:
    """Return ``said by the assistant`` where one said it, else nothing."""
    return "said by the assistant" if (speaker or "").lower() == ASSISTANT else ""


def teller_of(speaker: str | None) -> str:
    """Return in words that an assistant or which person said it; empty for any other role and for nobody.

    >>> [teller_of(speaker) for speaker in ("Bob", "assistant", "user", None)]
    ['said by Bob', 'said by the assistant', '', '']
    """
    if not speaker or is_role(speaker):
        return by_assistant(speaker)
    return f"said by {as_data(speaker)}"


def told(content: str, speaker: str | None) -> str:
    """Return a statement as prompt data, after the name of its speaker.

    The content is escaped separately, because text that must not begin a line of a prompt no longer begins one after a
    name.
    """
    return as_data(f"{person_before(content, speaker)}{as_data(content)}")
