"""Shapes of what is imported and exported."""

from collections.abc import Sequence
from enum import StrEnum

from graph.core.models import Frozen
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft


class OntologyFormat(StrEnum):
    """How an ontology is written down."""

    JSON = "json"
    TURTLE = "turtle"
    JSON_LD = "json-ld"

    @property
    def media_type(self) -> str:
        """Its media type."""
        return _MEDIA_TYPES[self]


_MEDIA_TYPES = {
    OntologyFormat.JSON: "application/json",
    OntologyFormat.TURTLE: "text/turtle",
    OntologyFormat.JSON_LD: "application/ld+json",
}


class Vocabulary(Frozen):
    """Types of entities and of relations.

    Attributes:
        notes: What could not be taken over as it was written, with the place.
    """

    entity_types: tuple[EntityTypeDraft, ...] = ()
    relation_types: tuple[RelationTypeDraft, ...] = ()
    notes: tuple[str, ...] = ()


class TypeChanges(Frozen):
    """The types of one kind that an import created, changed and left as they were, by name."""

    created: Sequence[str]
    updated: Sequence[str]
    unchanged: Sequence[str]


class ImportReport(Frozen):
    """What an import did, or would do."""

    dry_run: bool
    entity_types: TypeChanges
    relation_types: TypeChanges
    notes: Sequence[str]
