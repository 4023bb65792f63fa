"""Names: valid names of types, comparison of names, and keys and ids derived from them."""

import re
import unicodedata
from typing import NamedTuple

from graph.core.errors import InvalidInput
from graph.core.text.normal_forms import folded
from graph.core.text.stemming import LANGUAGES

# fmt: off
SYSTEM_LABELS = frozenset(each.label for each in LANGUAGES.values()) | {
    "AgentAction", "AgentBenchmark",
    "AgentFailure", "AgentPattern", "AgentSequence", "AgentTally", "ApiKey", "Artifact", "AuditEntry",
    "AutomaticChange", "Chunk",
    "Connection", "Conversation", "ConversationSummary", "Distillation", "Document", "Entity", "EntityMerge",
    "EntityType", "Episode", "EventWebhook", "EventWebhookDelivery", "Job", "Memory", "MemoryVersion",
    "Message", "Metric", "Passage", "PromptRun", "RelationType", "SchemaVersion", "Searchable", "Setting", "Tombstone",
    "VectorIndexMeta", "VectorTierMeta", "Workspace",
}
"""Labels of the system; an entity with such a label would appear among other nodes."""
SYSTEM_RELATIONSHIPS = frozenset({
    "ABOUT", "CITED", "CONTRADICTS", "DERIVED_FROM", "DID", "EVIDENCED_BY", "EVOLVED_INTO", "EXEMPLIFIES", "FROM",
    "INVALIDATED_BY", "KEY_OF", "LEADS_TO", "MEASURES", "MENTIONS", "MERGED_INTO", "NEXT", "OCCURRED_BEFORE", "PART_OF",
    "PREFERS_OVER", "PREVIOUS", "REINFORCES", "RELATES_TO", "SUBTYPE_OF", "SUMMARISES", "TARGETED", "TRIED", "USED",
})
"""Relationship types of the system."""
# fmt: on

ENTITY_PREFIX = "ent_"
RECOGNISED_TYPES = (
    "Thing", "Person", "Organization", "Place", "Event", "Project", "Product", "Service", "File", "CodeSymbol",
    "WebPage",
)  # fmt: skip
"""Types of entities that linking creates; the first is for unclassified names."""
_TYPE = re.compile(r"[A-Z][A-Za-z0-9]{0,63}")
_RELATION_TYPE = re.compile(r"(?=.{1,64}\Z)[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")
_RELATION_ID = re.compile(r"rel_([a-z0-9]{24})-([A-Z0-9_]+)-([a-z0-9]{24})")
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_MOST_TYPE_CHARS = 64
_WORD_IN_TYPE = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z]+|[0-9]+|[a-z]+")


class Triple(NamedTuple):
    """Identity of a relation."""

    from_id: str
    type: str
    to_id: str


def entity_type_name(field: str, name: str) -> str:
    """Return ``name`` if it is a valid name of an entity type.

    Raises:
        InvalidInput: It is not in PascalCase, or is a label of the system.
    """
    if not _TYPE.fullmatch(name):
        raise InvalidInput(
            field, f"{field} must be PascalCase, like SoftwareService (at most 64), got {name[:80]!r}"
        )
    if name in SYSTEM_LABELS:
        raise InvalidInput(field, f"{field} must not be {name}: that label is reserved; choose another")
    return name


def relation_type_name(field: str, name: str) -> str:
    """Return ``name`` if it is a valid name of a relation type.

    Raises:
        InvalidInput: It is not in UPPER_SNAKE, or is a relationship type of the system.
    """
    if not _RELATION_TYPE.fullmatch(name):
        raise InvalidInput(
            field, f"{field} must be UPPER_SNAKE, like DEPENDS_ON (at most 64), got {name[:80]!r}"
        )
    if name in SYSTEM_RELATIONSHIPS:
        raise InvalidInput(
            field, f"{field} must not be {name}: that relationship is reserved; choose another"
        )
    return name


def entity_type_name_of(text: str) -> str:
    """Return a valid entity type name for a name from another system; a valid name stays unchanged.

    >>> entity_type_name_of("software-service"), entity_type_name_of("3DModel"), entity_type_name_of("Message")
    ('SoftwareService', 'N3DModel', 'MessageType')
    >>> entity_type_name_of("entity")
    'EntityClass'

    Raises:
        InvalidInput: It has neither letters of ASCII, with or without accents, nor digits.
    """
    words = _ASCII_WORD.findall(_without_accents(text))
    name = "".join(word[0].upper() + word[1:] for word in words)
    name = (f"N{name}" if name[:1].isdigit() else name)[:_MOST_TYPE_CHARS]
    free = next(each for each in (name, f"{name}Type", f"{name}Class") if each not in SYSTEM_LABELS)
    return entity_type_name("name", free)


def relation_type_name_of(text: str) -> str:
    """Return a valid relation type name for a name from another system; a valid name stays unchanged.

    >>> relation_type_name_of("dependsOn"), relation_type_name_of("part of"), relation_type_name_of("about")
    ('DEPENDS_ON', 'PART_OF_RELATION', 'ABOUT_RELATION')

    Raises:
        InvalidInput: It has neither letters of ASCII, with or without accents, nor digits.
    """
    if _RELATION_TYPE.fullmatch(text):
        name = text
    else:
        words = [
            word
            for part in _ASCII_WORD.findall(_without_accents(text))
            for word in _WORD_IN_TYPE.findall(part)
        ]
        name = "_".join(words).upper()
        name = (f"N_{name}" if name[:1].isdigit() else name)[:_MOST_TYPE_CHARS].rstrip("_")
    return relation_type_name("name", f"{name}_RELATION" if name in SYSTEM_RELATIONSHIPS else name)


def spoken(type_name: str) -> str:
    """Return a type's name as words in lower case: ``SoftwareService`` becomes "software service"."""
    words = type_name.split("_") if type_name.isupper() else _WORD_IN_TYPE.findall(type_name)
    return " ".join(words).lower()


def normalized(name: str) -> str:
    """Return the normal form of a name for comparisons, which ignore Unicode variants, case, accents and extra spaces.

    >>> normalized("  New\u00a0YORK "), normalized("Zo\u00eb")
    ('new york', 'zoe')
    """
    if name.isascii():
        return " ".join(name.lower().split())
    form = name
    for _ in range(2):  # the result of folding may need another normalisation
        form = folded(unicodedata.normalize("NFKC", form).casefold())
    return " ".join(unicodedata.normalize("NFKC", form).split())


def _without_accents(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def entity_key(type_name: str, name: str) -> str:
    """Return the default key of an entity: ``Type:normalised name``."""
    return f"{type_name}:{normalized(name)}"


def recognised_keys(name: str) -> list[str]:
    """Return the keys that linking may have given an entity with this name."""
    return [entity_key(type_name, name) for type_name in RECOGNISED_TYPES]


def relation_id(from_id: str, type_name: str, to_id: str) -> str:
    """Return ``rel_<from>-<TYPE>-<to>``, with the ends' ids without prefix; such an id needs no index per type."""
    return f"rel_{from_id.removeprefix(ENTITY_PREFIX)}-{type_name}-{to_id.removeprefix(ENTITY_PREFIX)}"


def triple_of(id_: str) -> Triple | None:
    """Return the arguments of :func:`relation_id` from its result, or None for another id."""
    found = _RELATION_ID.fullmatch(id_)
    if found is None or not _RELATION_TYPE.fullmatch(found[2]) or found[2] in SYSTEM_RELATIONSHIPS:
        return None
    return Triple(ENTITY_PREFIX + found[1], found[2], ENTITY_PREFIX + found[3])
