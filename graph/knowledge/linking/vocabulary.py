"""Words that tell a name from what only looks like one. English, as the rules are; other languages get fewer names."""

from graph.core.tables import read_table
from graph.core.text.language import STOP_WORDS

_LISTS = read_table("graph.knowledge.linking", "vocabulary.toml")


def _words(list_: str) -> frozenset[str]:
    return frozenset(_LISTS[list_].split())


COMMON_WORDS = STOP_WORDS | _words("common")
"""Words that are a name only where they are spelled exactly like one: an entity "IT" is not meant by "it"."""
NO_NAMES = COMMON_WORDS | _words("no_names")
"""Words that are no name by themselves, no end of one, and most of them no beginning."""
NAME_BEGINNINGS = _words("name_beginnings")
"""Those of them that many names begin with: only a capital within a sentence tells that one does."""
HONORIFICS = _words("honorifics")
"""What stands before the name of a person and is no part of it."""
CAPITAL_BEGINNINGS = _words("capital_beginnings")
"""What is no honorific in capitals but begins the name of a product or a place."""
CAPITAL_ENDINGS = _words("capital_endings")
"""Words that are no names but end one in capitals."""
ABBREVIATED_BEGINNINGS = _words("abbreviated_beginnings")
"""First words of places' names whose point ends no sentence."""
ORGANISATION_ENDINGS = _words("organisation_endings")
"""Last words of organisations' names."""
PARTICLES = _words("particles")
"""Words in lower case that stand inside names."""
NAME_PARTICLES = PARTICLES - frozenset("for the and la le les y al".split())
"""Those of them that join two capitalised words by themselves: "Bank of America", "Ludwig van Beethoven"."""
FILE_ENDINGS = _words("file_endings")
"""Endings by which a word is the name of a file."""
