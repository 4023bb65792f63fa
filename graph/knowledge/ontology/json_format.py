"""An ontology as JSON: ``{"entityTypes": [...], "relationTypes": [...]}``, with the fields of the GraphQL inputs."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from graph.core.errors import InvalidInput
from graph.knowledge.models import Vocabulary
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft


class _Written(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class _WrittenEntityType(_Written, EntityTypeDraft):
    pass


class _WrittenRelationType(_Written, RelationTypeDraft):
    pass


class _WrittenOntology(_Written):
    entity_types: tuple[_WrittenEntityType, ...] = ()
    relation_types: tuple[_WrittenRelationType, ...] = ()


def read_json(content: str) -> Vocabulary:
    """Return the types in a JSON text; an omitted field keeps its stored value.

    Raises:
        InvalidInput: The text is not valid; the message names the place.
    """
    try:
        written = _WrittenOntology.model_validate(json.loads(content))
    except json.JSONDecodeError as error:
        raise InvalidInput(
            "content", f"content is not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InvalidInput("content", "content is nested too deeply") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise InvalidInput("content", f"content, {place[:200]}: {first['msg'][:200]}") from None
    except ValueError:
        raise InvalidInput("content", "content contains a number with too many digits") from None
    return Vocabulary(
        entity_types=tuple(EntityTypeDraft(**_written_fields(type_)) for type_ in written.entity_types),
        relation_types=tuple(RelationTypeDraft(**_written_fields(type_)) for type_ in written.relation_types),
    )


def write_json(vocabulary: Vocabulary) -> str:
    """Return types as JSON, including empty fields, so that an import clears them."""
    ontology = {
        "entityTypes": [_written(type_) for type_ in vocabulary.entity_types],
        "relationTypes": [_written(type_) for type_ in vocabulary.relation_types],
    }
    return json.dumps(ontology, ensure_ascii=False, indent=2) + "\n"


def _written_fields(type_: _Written) -> dict[str, Any]:
    return type_.model_dump(include=type_.model_fields_set)


def _written(type_: EntityTypeDraft | RelationTypeDraft) -> dict[str, Any]:
    return {to_camel(field): value for field, value in type_.model_dump().items()}


def selected(vocabulary: Vocabulary, only: Sequence[str]) -> Vocabulary:
    """Return the named entity types with their supertypes, and the relation types that may connect them.

    Raises:
        InvalidInput: The vocabulary lacks one of the names.
    """
    if not only:
        return vocabulary
    by_name = {type_.name: type_ for type_ in vocabulary.entity_types}
    for name in only:
        if name not in by_name:
            raise InvalidInput("only", f"only must name types in the content; it has no {name[:80]!r}")
    selected_names = _with_ancestors(only, by_name)
    relations = (_between(type_, selected_names) for type_ in vocabulary.relation_types)
    return vocabulary.model_copy(
        update={
            "entity_types": tuple(type_ for type_ in vocabulary.entity_types if type_.name in selected_names),
            "relation_types": tuple(type_ for type_ in relations if type_ is not None),
        }
    )


def _with_ancestors(names: Iterable[str], by_name: dict[str, EntityTypeDraft]) -> set[str]:
    selected_names: set[str] = set()
    for name in names:
        above: str | None = name
        while above in by_name and above not in selected_names:
            selected_names.add(above)
            above = by_name[above].parent
    return selected_names


def _between(type_: RelationTypeDraft, selected_names: set[str]) -> RelationTypeDraft | None:
    """Return a relation type restricted to the selected end types, or None if an end has no type left."""
    ends = {}
    for field, names in (("from_types", type_.from_types), ("to_types", type_.to_types)):
        remaining = tuple(name for name in names or () if name in selected_names)
        if names and not remaining:
            return None
        if names:
            ends[field] = remaining
    return type_.model_copy(update=ends)
