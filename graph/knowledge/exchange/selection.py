"""Selects a part of a vocabulary: some types, their supertypes, and the relations between them."""

from collections.abc import Iterable, Sequence

from graph.core.errors import InvalidInput
from graph.knowledge.exchange.models import Vocabulary
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft


def selected(vocabulary: Vocabulary, only: Sequence[str]) -> Vocabulary:
    """Return the types of entities named with those above them, and the relations that may join them.

    Raises:
        InvalidInput: A name is no type of the vocabulary.
    """
    if not only:
        return vocabulary
    by_name = {type_.name: type_ for type_ in vocabulary.entity_types}
    for name in only:
        if name not in by_name:
            raise InvalidInput("only", f"only must name types of the content, which has no {name[:80]!r}")
    kept = _with_ancestors(only, by_name)
    relations = (_between(type_, kept) for type_ in vocabulary.relation_types)
    return vocabulary.model_copy(
        update={
            "entity_types": tuple(type_ for type_ in vocabulary.entity_types if type_.name in kept),
            "relation_types": tuple(type_ for type_ in relations if type_ is not None),
        }
    )


def _with_ancestors(names: Iterable[str], by_name: dict[str, EntityTypeDraft]) -> set[str]:
    kept: set[str] = set()
    for name in names:
        above: str | None = name
        while above in by_name and above not in kept:
            kept.add(above)
            above = by_name[above].parent
    return kept


def _between(type_: RelationTypeDraft, kept: set[str]) -> RelationTypeDraft | None:
    """Return a type of relations with the ends that are kept, or None where that leaves one end without a type."""
    ends = {}
    for field, names in (("from_types", type_.from_types), ("to_types", type_.to_types)):
        remaining = tuple(name for name in names or () if name in kept)
        if names and not remaining:
            return None
        if names:
            ends[field] = remaining
    return type_.model_copy(update=ends)
