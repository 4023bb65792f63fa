"""Validation of entities and relations, and the search text of an entity."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from graph.core.errors import InvalidInput
from graph.core.ports import SecretDetector
from graph.core.text.checks import short_name, short_text, storable
from graph.core.text.lucene import forms_apart
from graph.core.text.normal_forms import composed
from graph.knowledge.ontology import names
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.rules import fraction

# A node describes a thing and where to read about it; a longer text is a document, which the graph does not store.
MOST_TEXT_CHARS = 500
_MOST_NAME_CHARS = 200
_MOST_ALIASES = 50
_MOST_KEY_CHARS = 512
_MOST_PROPERTIES_CHARS = 8192
_MOST_URI_CHARS = 2048
_MOST_CONNECTION_CHARS = 128
_MOST_SEARCHED_CHARS = 2000
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[^\s<>\"{}|\\^`\x00-\x1f\x7f]+")


def validated_entity(draft: EntityDraft) -> EntityDraft:
    """Return the validated draft with trimmed texts; the registry checks types elsewhere.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    checked = {
        "type": names.entity_type_name("type", draft.type),
        "name": required_text("name", draft.name, limit=_MOST_NAME_CHARS),
        "key": _key(draft.key),
        "aliases": _aliases(draft.aliases or (), draft.name),
        "description": short_name("description", draft.description, limit=MOST_TEXT_CHARS),
        "summary": short_name("summary", draft.summary, limit=MOST_TEXT_CHARS),
        "properties": None if draft.properties is None else validated_properties(draft.properties),
        "uri": validated_uri(draft.uri),
        "connection_id": connection_id(draft.connection_id),
    }
    return draft.model_copy(
        update={name: value for name, value in checked.items() if name in draft.model_fields_set}
    )


def validated_relation(draft: RelationDraft) -> RelationDraft:
    """Return the validated draft; the registry checks types elsewhere.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    return draft.model_copy(
        update={
            "type": names.relation_type_name("type", draft.type),
            "from_name": composed(storable("from", draft.from_name)),
            "to_name": composed(storable("to", draft.to_name)),
            "strength": fraction("strength", draft.strength),
            "properties": None if draft.properties is None else validated_properties(draft.properties),
            "connection_id": connection_id(draft.connection_id),
        }
    )


def required_text(field: str, text: str, *, limit: int) -> str:
    """Return a trimmed text that is not blank.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    checked = short_name(field, text, limit=limit)
    assert checked is not None  # noqa: S101 - only None gives None
    return checked


def connection_id(id_: str | None) -> str | None:
    """Return the id of a connection, which its caller chooses.

    Raises:
        InvalidInput: It is blank, too long or not storable.
    """
    return short_text("connectionId", id_, limit=_MOST_CONNECTION_CHARS)


def validated_uri(uri: str | None) -> str | None:
    """Return a location reference.

    Raises:
        InvalidInput: It is not a URI, or contains the data itself or a password.
    """
    text = short_text("uri", uri, limit=_MOST_URI_CHARS)
    if text is None:
        return None
    if not _URI.fullmatch(text):
        raise InvalidInput(
            "uri", "uri must be a URI with its scheme, like https://example.com/a or file:///a"
        )
    try:
        parts = urlsplit(text)
    except ValueError:
        raise InvalidInput("uri", "uri must be a valid URI") from None
    if parts.scheme == "data":
        raise InvalidInput("uri", "uri must be a location; a data: URI contains the data itself")
    if parts.password is not None:
        raise InvalidInput("uri", "uri must not hold a password")
    return text


def validated_properties(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return properties that are small enough for a node.

    Raises:
        InvalidInput: They are not a JSON object, are too large, or contain a text as long as a document.
    """
    if not isinstance(properties, Mapping):
        raise InvalidInput("properties", "properties must be a JSON object")
    size = len(as_json(properties))
    if size > _MOST_PROPERTIES_CHARS:
        raise InvalidInput(
            "properties",
            f"properties must have at most {_MOST_PROPERTIES_CHARS} characters as JSON, got {size}",
        )
    for name, value in properties.items():
        if any(len(text) > MOST_TEXT_CHARS for text in _texts_in(value)):
            raise InvalidInput(
                "properties",
                f"properties.{name[:40]} must hold no text of more than {MOST_TEXT_CHARS} characters; documents are "
                "not kept, put their location into uri",
            )
    return properties


def refuse_secrets(detector: SecretDetector | None, draft: EntityDraft | RelationDraft) -> None:
    """Check that no field of a draft contains a credential.

    Raises:
        InvalidInput: A field does; the message does not repeat its text.
    """
    if detector is None:
        return
    for field, value in draft.model_dump(exclude_none=True).items():
        if kinds := detector.kinds_in(value if isinstance(value, str) else as_json(value)):
            raise InvalidInput(
                field, f"{field} seems to hold a credential ({', '.join(kinds)}): credentials are not stored"
            )


def merged_properties(stored: Mapping[str, Any], change: Mapping[str, Any]) -> Mapping[str, Any]:
    """Merge properties shallowly; null removes a property.

    Raises:
        InvalidInput: The result is too large.
    """
    merged = {**stored, **change}
    return validated_properties(
        {name: value for name, value in merged.items() if not (name in change and value is None)}
    )


def as_json(value: object) -> str:
    """Return the JSON text for storing a map.

    Raises:
        InvalidInput: It contains values that JSON or the database cannot represent.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(
            "properties", "properties must hold JSON values only, finite numbers included"
        ) from None
    return storable("properties", text)


def searched_text(fields: Mapping[str, Any]) -> str:
    """Return the text of an entity for embedding and search.

    Args:
        fields: name, type, aliases, description, summary, and properties as a map.
    """
    parts = [f"{fields['name']} ({names.spoken(fields['type'])})"]
    if aliases := fields.get("aliases"):
        parts.append(f"also known as {', '.join(aliases)}")
    parts += [text for field in ("description", "summary") if (text := fields.get(field))]
    parts += [f"{name}: {shown}" for name, value in fields["properties"].items() if (shown := _shown(value))]
    return ". ".join(parts)[:_MOST_SEARCHED_CHARS]


def searched_keys(name: str, aliases: Sequence[str], text: str) -> str:
    """Return the words that weigh more in a search: names, and other spellings of words in the text."""
    return " ".join(filter(None, [name, *aliases, forms_apart(f"{text} {' '.join(aliases)}")]))


def name_keys(name: str, aliases: Sequence[str]) -> list[str]:
    """Return the distinct normalised names of an entity."""
    return list(dict.fromkeys(names.normalized(text) for text in (name, *aliases)))


def distinct_names(name: str, aliases: Iterable[str]) -> tuple[str, ...]:
    """Return the aliases that differ from the name and from each other, in their order."""
    distinct = {names.normalized(name): ""}
    for alias in aliases:
        distinct.setdefault(names.normalized(alias), alias)
    return tuple(alias for alias in distinct.values() if alias)


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield key
            yield from _texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)


def _shown(value: object) -> str | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return None


def _key(key: str | None) -> str | None:
    checked = short_name("key", key, limit=_MOST_KEY_CHARS)
    if checked is not None and checked.startswith(names.ENTITY_PREFIX):
        raise InvalidInput("key", f"key must not begin with {names.ENTITY_PREFIX}, the prefix of ids")
    return checked


def _aliases(aliases: Sequence[str], name: str) -> tuple[str, ...]:
    if len(aliases) > _MOST_ALIASES:
        raise InvalidInput("aliases", f"aliases must hold at most {_MOST_ALIASES} names, got {len(aliases)}")
    checked = [required_text("aliases", alias, limit=_MOST_NAME_CHARS) for alias in aliases]
    return distinct_names(name, checked)
