"""Turns the classes and properties of an RDF graph into types of entities and of relations."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rdflib import OWL, RDF, RDFS, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from app.adapters.rdf.terms import (
    JSON_SCHEMA,
    OWN_IRI,
    PROPERTY_IRI,
    RELATION_IRI,
    TYPE_IRI,
    in_schema_org,
    is_built_in,
    local_name,
    schema_of_datatype,
)
from graph.core.errors import InvalidInput
from graph.knowledge.exchange.models import Vocabulary
from graph.knowledge.exchange.ports import VocabularyUnreadable
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft
from graph.knowledge.ontology.names import entity_type_name_of, normalized, relation_type_name_of, spoken
from graph.knowledge.ontology.rules import MOST_TEXT_CHARS
from graph.knowledge.ontology.schemas import MOST_SCHEMA_CHARS

_DOMAINS = (RDFS.domain, *in_schema_org("domainIncludes"))
_RANGES = (RDFS.range, *in_schema_org("rangeIncludes"))
_CLASSES = (RDFS.Class, OWL.Class)
_BETWEEN_OBJECTS = (
    OWL.ObjectProperty,
    OWL.AsymmetricProperty,
    OWL.InverseFunctionalProperty,
    OWL.IrreflexiveProperty,
    OWL.ReflexiveProperty,
    OWL.SymmetricProperty,
    OWL.TransitiveProperty,
)
_PROPERTIES = (
    RDF.Property,
    OWL.AnnotationProperty,
    OWL.DatatypeProperty,
    OWL.FunctionalProperty,
    *_BETWEEN_OBJECTS,
)
_OPAQUE = re.compile(r"\d{4}")  # like BFO_0000015, whose label is its name
_ANY_ENDS = 100  # more types than a relation type can name; it then admits any
_HINT_CHARS = 120
# What our own exports leave out is empty; what others leave out stays as it is stored.
_EMPTY_ENTITY_TYPE: Mapping[str, Any] = {"description": None, "parent": None, "properties": {}}
_EMPTY_RELATION_TYPE: Mapping[str, Any] = {
    "description": None,
    "from_types": (),
    "to_types": (),
    "properties": {},
}
_NO_PROPERTY_CHARS = re.compile(r"[^\w.\-]+")


def vocabulary_in(graph: Graph) -> Vocabulary:
    """Return the types that a graph describes.

    Raises:
        VocabularyUnreadable: A name or a JSON Schema cannot be taken; the text says whose.
    """
    return _Reading(graph).vocabulary()


class _Reading:
    """One graph while it is read."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._notes: dict[str, None] = {}
        declared = {node for class_ in _CLASSES for node in graph.subjects(RDF.type, class_)}
        self._exported = {iri for iri in _iris(declared) if str(iri).startswith(TYPE_IRI)}
        implied = set(graph.objects(None, RDFS.subClassOf)) | self._ends(*_DOMAINS, *_RANGES)
        self._names = {
            iri: self._name(iri, entity_type_name_of)
            for iri in sorted(_iris(declared | implied))
            if not is_built_in(iri) and not self._is_datatype(iri)
        }

    def vocabulary(self) -> Vocabulary:
        """Return all of it."""
        properties = {node for kind in _PROPERTIES for node in self._graph.subjects(RDF.type, kind)}
        relation_types: dict[str, RelationTypeDraft] = {}
        schemas: dict[str, dict[str, Any]] = {}
        for iri in sorted(_iris(properties)):
            if is_built_in(iri):
                continue
            if self._is_relation(iri):
                draft = self._relation_type(iri)
                relation_types[draft.name] = self._merged(relation_types.get(draft.name), draft, iri)
            self._add_data_property(iri, schemas)
        return Vocabulary(
            entity_types=tuple(self._entity_types(schemas)),
            relation_types=tuple(relation_types.values()),
            notes=tuple(self._notes),
        )

    def _entity_types(self, schemas: dict[str, dict[str, Any]]) -> Iterator[EntityTypeDraft]:
        parents = self._parents()
        of_names: dict[str, list[URIRef]] = {}
        for iri, name in self._names.items():
            of_names.setdefault(name, []).append(iri)
        for name, iris in sorted(of_names.items()):
            if len(iris) > 1:
                self._note(f"{', '.join(iris)}: all of them are the type {name}")
            is_exported = not self._exported.isdisjoint(iris)
            fields: dict[str, Any] = {"name": name, **(_EMPTY_ENTITY_TYPE if is_exported else {})}
            if description := next(filter(None, (self._description(iri, name) for iri in iris)), None):
                fields["description"] = description
            if name in parents:
                fields["parent"] = parents[name]
            schema = next(filter(None, map(self._own_schema, iris)), None)
            if schema or name in schemas:
                fields["properties"] = schema or _fitting(schemas[name])
            yield EntityTypeDraft(**fields)

    def _parents(self) -> dict[str, str]:
        """Return the one type above each; of several the first by IRI, and none that leads back."""
        parents: dict[str, str] = {}
        for iri, name in self._names.items():
            for above in sorted(_iris(self._graph.objects(iri, RDFS.subClassOf))):
                parent = self._names.get(above)
                if parent is None or parent in {name, parents.get(name)}:
                    continue
                if name in parents:
                    self._note(f"{iri}: a type has one parent, which is {parents[name]} and not {parent} too")
                elif name in _lineage(parent, parents):
                    self._note(f"{iri}: {parent} would lead back to it and is not its parent")
                else:
                    parents[name] = parent
        return parents

    def _is_relation(self, iri: URIRef) -> bool:
        if any((iri, RDF.type, kind) in self._graph for kind in _BETWEEN_OBJECTS):
            return True
        is_data = (iri, RDF.type, OWL.DatatypeProperty) in self._graph
        return not is_data and bool(self._types(iri, _RANGES))

    def _relation_type(self, iri: URIRef) -> RelationTypeDraft:
        name = self._name(iri, relation_type_name_of)
        is_exported = str(iri).startswith(RELATION_IRI)
        fields: dict[str, Any] = {"name": name, **(_EMPTY_RELATION_TYPE if is_exported else {})}
        if description := self._description(iri, name):
            fields["description"] = description
        for field, predicates in (("from_types", _DOMAINS), ("to_types", _RANGES)):
            types = self._types(iri, predicates)
            if len(types) > _ANY_ENDS:
                self._note(f"{iri}: names {len(types)} types for an end, and so admits any")
            elif types:
                fields[field] = types
        if schema := self._own_schema(iri):
            fields["properties"] = schema
        return RelationTypeDraft(**fields)

    def _merged(
        self, before: RelationTypeDraft | None, draft: RelationTypeDraft, iri: URIRef
    ) -> RelationTypeDraft:
        """Return a relation type that two properties amount to, which admits what either does."""
        if before is None:
            return draft
        self._note(f"{iri}: another property is the relation type {draft.name} too; they are one")
        ends = {}
        for field in ("from_types", "to_types"):
            first, second = getattr(before, field), getattr(draft, field)
            ends[field] = tuple(sorted({*first, *second})) if first and second else ()
        return before.model_copy(update=ends)

    def _add_data_property(self, iri: URIRef, schemas: dict[str, dict[str, Any]]) -> None:
        known = (schema_of_datatype(str(each)) for each in _iris(self._ends_of(iri, _RANGES)))
        schemas_of_values = {json.dumps(each, sort_keys=True): dict(each) for each in known if each}
        values = [schemas_of_values[text] for text in sorted(schemas_of_values)]  # a graph has no order
        is_data = (iri, RDF.type, OWL.DatatypeProperty) in self._graph
        if not values and not is_data:
            if not self._is_relation(iri):
                self._note(f"{iri}: has no range, and is left out")
            return
        if str(iri).startswith(PROPERTY_IRI):
            return  # our own export, where the JSON Schema says it all
        owners = self._types(iri, _DOMAINS)
        if not owners:
            self._note(f"{iri}: a property of values has no class that it belongs to, and is left out")
        schema = {} if not values else values[0] if len(values) == 1 else {"anyOf": values}
        if hint := self._comment(iri, _HINT_CHARS):
            schema = {**schema, "description": hint}
        key = _NO_PROPERTY_CHARS.sub("_", local_name(iri))[:64]
        for owner in owners:
            schemas.setdefault(owner, {})[key] = schema

    def _types(self, iri: URIRef, predicates: Sequence[URIRef]) -> tuple[str, ...]:
        ends = _iris(self._ends_of(iri, predicates))
        return tuple(sorted({self._names[each] for each in ends if each in self._names}))

    def _ends(self, *predicates: URIRef) -> set[Node]:
        ends = (node for predicate in predicates for node in self._graph.objects(None, predicate))
        return {member for node in ends for member in self._members(node)}

    def _ends_of(self, iri: URIRef, predicates: Sequence[URIRef]) -> set[Node]:
        ends = (node for predicate in predicates for node in self._graph.objects(iri, predicate))
        return {member for node in ends for member in self._members(node)}

    def _members(self, node: Node) -> set[Node]:
        """Return the classes of a union and of those within it, or the one class there is."""
        found: set[Node] = set()
        unions: set[Node] = set()
        waiting = [node]
        while waiting:
            each = waiting.pop()
            union = self._graph.value(each, OWL.unionOf)
            if union is None:
                found.add(each)
            elif each not in unions:
                unions.add(each)
                waiting += Collection(self._graph, union)
        return found

    def _is_datatype(self, iri: URIRef) -> bool:
        if schema_of_datatype(str(iri)) is not None:
            return True
        data_types = (RDFS.Datatype, *in_schema_org("DataType"))
        return any((iri, RDF.type, each) in self._graph for each in data_types)

    def _name(self, iri: URIRef, name_of: Any) -> str:
        local = local_name(iri)
        label = self._text(iri, RDFS.label)
        is_opaque = not local or (_OPAQUE.search(local) and not str(iri).startswith(OWN_IRI))
        if label and not is_opaque:
            with suppress(InvalidInput):
                return str(name_of(local))
        try:
            return str(name_of(label or local))
        except InvalidInput as error:
            raise VocabularyUnreadable(f"{iri}: {error.message}") from None

    def _description(self, iri: URIRef, name: str) -> str | None:
        """Return the comment, or a label that says more than the name."""
        if comment := self._comment(iri, MOST_TEXT_CHARS):
            return comment
        label = self._text(iri, RDFS.label)
        says_more = label is not None and normalized(label) not in {spoken(name), normalized(local_name(iri))}
        return _cut(label, MOST_TEXT_CHARS) if label and says_more else None

    def _comment(self, iri: URIRef, most: int) -> str | None:
        text = self._text(iri, RDFS.comment)
        if text is not None and len(text) > most == MOST_TEXT_CHARS:
            self._note(f"{iri}: its comment is cut to {most} characters")
        return _cut(text, most) if text else None

    def _text(self, iri: URIRef, predicate: URIRef) -> str | None:
        """Return the text in English, or else in no language, or else in the first one."""
        texts = [node for node in self._graph.objects(iri, predicate) if isinstance(node, Literal)]
        ranks = {"en": 0, None: 1}
        ordered = sorted(
            texts, key=lambda each: (ranks.get(each.language, 2), each.language or "", str(each))
        )
        return str(ordered[0]).strip() or None if ordered else None

    def _own_schema(self, iri: URIRef) -> dict[str, Any] | None:
        text = self._graph.value(iri, JSON_SCHEMA)
        if text is None:
            return None
        try:
            schema = json.loads(str(text))
        except (ValueError, RecursionError):
            raise VocabularyUnreadable(f"{iri}: its JSON Schema is not JSON") from None
        if not isinstance(schema, dict):
            raise VocabularyUnreadable(f"{iri}: its JSON Schema is no object")
        return schema

    def _note(self, text: str) -> None:
        self._notes[text] = None


def _iris(nodes: Iterable[Node]) -> list[URIRef]:
    return [node for node in nodes if isinstance(node, URIRef)]


def _lineage(name: str, parents: dict[str, str]) -> list[str]:
    found = [name]
    while found[-1] in parents:
        found.append(parents[found[-1]])
    return found


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _fitting(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of properties, without their descriptions where it would be too large."""
    schema = {"properties": properties}
    if len(json.dumps(schema)) <= MOST_SCHEMA_CHARS:
        return schema
    bare = {
        key: {name: value for name, value in each.items() if name != "description"}
        for key, each in properties.items()
    }
    return {"properties": bare}
