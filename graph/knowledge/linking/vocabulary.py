"""Words that tell a name from what only looks like one, and names that are known."""

from graph.core.tables import read_table
from graph.core.text.language import STOP_WORDS

_LISTS = read_table("graph.knowledge.linking", "vocabulary.toml")
_NAMES = read_table("graph.knowledge.linking", "names.toml")


def _words(list_: str) -> frozenset[str]:
    return frozenset(_LISTS[list_].split())


COMMON_WORDS = STOP_WORDS | _words("common")
"""Words that are a name only where they are spelled exactly like one: an entity "IT" is not meant by "it"."""
NO_NAMES = COMMON_WORDS | _words("no_names")
"""Words that are no name alone, never end one, and mostly begin none."""
NAME_BEGINNINGS = _words("name_beginnings")
"""Those of them that many names begin with: only a capital within a sentence tells that one does."""
HONORIFICS = _words("honorifics")
"""Titles before the name of a person, which are no part of it."""
CAPITAL_BEGINNINGS = _words("capital_beginnings")
"""Capitalised titles that are no honorific but begin the name of a product or a place."""
CAPITAL_ENDINGS = _words("capital_endings")
"""Words that are no names but end one in capitals."""
ABBREVIATED_BEGINNINGS = _words("abbreviated_beginnings")
"""First words of places' names whose point ends no sentence."""
ORGANISATION_ENDINGS = _words("organisation_endings")
"""Last words of organisations' names."""
PARTICLES = _words("particles")
"""Words in lower case that stand inside names."""
NAME_PARTICLES = PARTICLES - frozenset("for the and und la le les y al".split())
"""Those of them that join two capitalised words without others: "Bank of America", "Ludwig van Beethoven"."""
FILE_ENDINGS = _words("file_endings")
"""Endings by which a word is the name of a file."""
ORGANISATION_BEGINNINGS = _words("organisation_beginnings")
"""First words of organisations' names."""
EVENT_ENDINGS = _words("event_endings")
"""Last words of events' names."""
PLACE_ENDINGS = _words("place_endings")
"""Last words of places' names."""
PLACE_BEGINNINGS = _words("place_beginnings")
"""First words of places' names."""
RELATIVES = _words("relatives")
"""Words that a person's name follows."""
SINGULAR_VERBS = _words("singular_verbs")
"""Verbs by which the word before is one thing, and a name where it has no article."""
DEEDS = _words("deeds")
"""Verbs of people and organisations."""
OPENERS = _words("openers")
"""Words in capitals that begin a sentence before a name."""
BARE_NOUNS = _words("bare_nouns")
"""Nouns that have no article, and are no names where a sentence begins."""
GERMAN = _words("german")
"""Words of German that English does not have, without accents."""
SERVICE_ENDINGS = _words("service_endings")
"""Last parts of services' names that are written with hyphens."""
SERVICE_VERBS = _words("service_verbs")
"""Verbs of services only, for names with hyphens."""
SERVICE_NOUNS = _words("service_nouns")
"""Nouns that a service's name follows."""
SERVICE_NOUNS_OF = _words("service_nouns_of")
"""Nouns that belong to services: "the release of", before a name with hyphens."""
SERVICE_HANDLING = _words("service_handling")
"""Verbs of people about a service, before a name with hyphens."""
NO_SERVICES = _words("no_services")
"""First parts of words with hyphens that are no names."""

GIVEN_NAMES = frozenset(_NAMES["given_names"].split())
SURNAMES = frozenset(_NAMES["surnames"].split())
PLACES = frozenset(_NAMES["places"].split())
ORGANISATIONS = frozenset(_NAMES["organisations"].split())
PRODUCTS = frozenset(_NAMES["products"].split())
NUMBERED = frozenset(_NAMES["numbered"].split())
"""Products whose name continues with a number."""
DOUBTFUL = frozenset(_NAMES["doubtful"].split())
"""Known names that are common words too, or that several kinds of things bear."""
CHINESE = {list_: frozenset(words.split()) for list_, words in _NAMES["chinese"].items()}
"""Chinese names and the words that tell where one begins and ends, by the name of the list."""
