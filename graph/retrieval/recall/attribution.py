"""Names the speaker of a memory in texts for models and people."""

from graph.core.text.language import words
from graph.core.text.normal_forms import folded
from graph.core.text.prompts import as_data
from graph.memories.saving.indexing import is_role
from graph.retrieval.recall.parsed_query import ASSISTANT, first_name


def person_before(content: str, speaker: str | None) -> str:
    """Return ``Bob: `` for a statement by Bob that does not begin with his name; empty for roles.

    >>> person_before("I moved to Oslo.", "Bob")
    'Bob: '
    >>> person_before("Bob moved to Oslo.", "Bob"), person_before("I moved.", "\U0001f642")
    ('', '\U0001f642: ')
    """
    if not speaker or is_role(speaker):
        return ""
    name_words, content_words = words(folded(first_name(speaker))), words(folded(content))
    return "" if name_words and name_words == content_words[: len(name_words)] else f"{speaker}: "


def by_assistant(speaker: str | None) -> str:
    """Return ``said by the assistant`` for statements of an assistant, else an empty text."""
    return "said by the assistant" if (speaker or "").lower() == ASSISTANT else ""


def attribution_of(speaker: str | None) -> str:
    """Return ``said by`` and the speaker for a person or an assistant; empty for other roles.

    >>> [attribution_of(speaker) for speaker in ("Bob", "assistant", "user", None)]
    ['said by Bob', 'said by the assistant', '', '']
    """
    if not speaker or is_role(speaker):
        return by_assistant(speaker)
    return f"said by {as_data(speaker)}"


def attributed(content: str, speaker: str | None) -> str:
    """Return a statement as prompt data, after the name of its speaker.

    The content is escaped first on its own: behind a name, marks at its beginning would no longer be recognised.
    """
    return as_data(f"{person_before(content, speaker)}{as_data(content)}")
