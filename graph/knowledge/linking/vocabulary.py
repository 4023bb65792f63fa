"""Words that tell a name from what only looks like one. English, as the rules are; other languages get fewer names."""

from graph.core.tables import read_table
from graph.core.text.language import STOP_WORDS

_LISTS = read_table("graph.knowledge.linking", "vocabulary.toml")


def _words(list_: str) -> frozenset[str]:
    return frozenset(_LISTS[list_].split())


COMMON_WORDS = STOP_WORDS | _words("common")
"""Words that are a name only where they are spelled exactly like one: an entity "IT" is not meant by "it"."""
NO_NAMES = COMMON_WORDS | _words("no_names")
"""Words that are no name by themselves, and no beginning or end of one."""
HONORIFICS = _words("honorifics")
"""What stands before the name of a person and is no part of it."""
ORGANISATION_ENDINGS = _words("organisation_endings")
"""Last words of organisations' names."""
PARTICLES = _words("particles")
"""Words in lower case that stand inside names."""
NAME_PARTICLES = PARTICLES - frozenset("for the and la le les y al".split())
"""Those of them that join two capitalised words by themselves: "Bank of America", "Ludwig van Beethoven"."""
FILE_ENDINGS = _words("file_endings")
"""Endings by which a word is the name of a file."""
