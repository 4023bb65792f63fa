"""RDF vocabularies as Turtle and JSON-LD, through rdflib (the extra ``rdf``). Nothing is ever fetched."""

import json
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from rdflib import OWL, RDF, RDFS, Graph, Literal, URIRef
from rdflib.plugins.parsers.notation3 import BadSyntax

from app.adapters.rdf.reading import vocabulary_in
from app.adapters.rdf.terms import (
    JSON_SCHEMA,
    PROPERTY_IRI,
    RELATION_IRI,
    SCHEMA,
    TYPE_IRI,
    datatype_of_schema,
)
from graph.core.text.work import TextWork
from graph.knowledge.exchange.models import OntologyFormat, Vocabulary
from graph.knowledge.exchange.ports import VocabularyUnreadable
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft
from graph.knowledge.ontology.names import spoken

_TYPE_CHARS: Final = 500  # a name, a sentence and three properties
_BASE: Final = "urn:recollect:file:"
_PREFIXES: Final = {
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": str(SCHEMA),
    "type": TYPE_IRI,
    "relation": RELATION_IRI,
    "property": PROPERTY_IRI,
}


class RdflibVocabularies:
    """Fulfils ``graph.core.ports.RdfVocabularies``."""

    def __init__(self, text_work: TextWork) -> None:
        self._text_work = text_work

    async def read(self, content: str, format_: OntologyFormat) -> Vocabulary:
        """Return the types that classes and properties amount to.

        Raises:
            VocabularyUnreadable: It is not in that format, or refers to what would have to be fetched.
        """
        return await self._text_work.run(_read, content, format_, chars=len(content))

    async def write(self, vocabulary: Vocabulary, format_: OntologyFormat) -> str:
        """Return the types as classes and properties, which read again are the same types."""
        return await self._text_work.run(_write, vocabulary, format_, chars=_chars(vocabulary))


def _chars(vocabulary: Vocabulary) -> int:
    """Return roughly how long a vocabulary is, written down."""
    return _TYPE_CHARS * (len(vocabulary.entity_types) + len(vocabulary.relation_types))


def _read(content: str, format_: OntologyFormat) -> Vocabulary:
    graph = Graph(bind_namespaces="none")
    try:
        if format_ is OntologyFormat.JSON_LD:
            _refuse_remote_contexts(json.loads(content))
        graph.parse(data=content, format=format_.value, publicID=_BASE)
        return vocabulary_in(graph)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise VocabularyUnreadable(f"it is not JSON: {error.msg} in {place}") from None
    except BadSyntax as error:
        rest = content[error._i :].lstrip()  # noqa: SLF001 - its own count of lines is wrong
        line = content.count("\n", 0, len(content) - len(rest)) + 1
        raise VocabularyUnreadable(f"it is not Turtle: wrong in line {line}") from None
    except RecursionError:
        raise VocabularyUnreadable("it is nested too deeply") from None
    except VocabularyUnreadable:
        raise
    except Exception as error:
        # rdflib raises whatever its parsers stumble over, and lets plain assertions and lookups out.
        raise VocabularyUnreadable(f"it is not {format_.value}: {type(error).__name__}") from error


def _refuse_remote_contexts(document: object) -> None:
    """Return if no context lies elsewhere: rdflib would fetch it, from the service's own network.

    Raises:
        VocabularyUnreadable: One does.
    """
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
            named = [*_flat(each.get("@context")), each.get("@import")]
            remote = next((name for name in named if isinstance(name, str)), None)
            if remote is not None:
                raise VocabularyUnreadable(
                    f"@context {remote[:200]!r} lies elsewhere and is not fetched; write it out in its place"
                )


def _flat(contexts: object) -> Iterator[object]:
    """Yield each context of lists in lists, which rdflib reads as one list."""
    waiting = [contexts]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting += each
        else:
            yield each


def _write(vocabulary: Vocabulary, format_: OntologyFormat) -> str:
    graph = Graph(bind_namespaces="none")
    for prefix, iri in _PREFIXES.items():
        graph.bind(prefix, iri)
    for type_ in vocabulary.entity_types:
        _add_entity_type(graph, type_)
    for relation_type in vocabulary.relation_types:
        _add_relation_type(graph, relation_type)
    if format_ is OntologyFormat.JSON_LD:
        return graph.serialize(format="json-ld", context=_PREFIXES, sort_keys=True) + "\n"
    return graph.serialize(format="turtle")


def _add_entity_type(graph: Graph, type_: EntityTypeDraft) -> None:
    iri = URIRef(TYPE_IRI + type_.name)
    graph.add((iri, RDF.type, OWL.Class))
    _describe(graph, iri, type_)
    if type_.parent is not None:
        graph.add((iri, RDFS.subClassOf, URIRef(TYPE_IRI + type_.parent)))
    for name, schema in _properties(type_):
        property_iri = URIRef(PROPERTY_IRI + quote(name, safe=""))
        graph.add((property_iri, RDF.type, OWL.DatatypeProperty))
        graph.add((property_iri, RDFS.label, Literal(name)))
        graph.add((property_iri, SCHEMA.domainIncludes, iri))
        graph.add((property_iri, SCHEMA.rangeIncludes, datatype_of_schema(schema)))


def _add_relation_type(graph: Graph, type_: RelationTypeDraft) -> None:
    iri = URIRef(RELATION_IRI + type_.name)
    graph.add((iri, RDF.type, OWL.ObjectProperty))
    _describe(graph, iri, type_)
    for predicate, names in (
        (SCHEMA.domainIncludes, type_.from_types),
        (SCHEMA.rangeIncludes, type_.to_types),
    ):
        for name in names or ():
            graph.add((iri, predicate, URIRef(TYPE_IRI + name)))


def _describe(graph: Graph, iri: URIRef, type_: EntityTypeDraft | RelationTypeDraft) -> None:
    graph.add((iri, RDFS.label, Literal(spoken(type_.name))))
    if type_.description:
        graph.add((iri, RDFS.comment, Literal(type_.description)))
    if type_.properties:
        text = json.dumps(dict(type_.properties), ensure_ascii=False, sort_keys=True)
        graph.add((iri, JSON_SCHEMA, Literal(text)))


def _properties(type_: EntityTypeDraft) -> Iterator[tuple[str, object]]:
    properties = (type_.properties or {}).get("properties")
    if isinstance(properties, dict):
        yield from properties.items()
