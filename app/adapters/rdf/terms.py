"""The terms of RDF vocabularies: which ones mean classes and datatypes, and the ones that our exports add."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from rdflib import RDF, RDFS, XSD, Namespace, URIRef

OWN_IRI: Final = "urn:recollect:"
TYPE_IRI: Final = "urn:recollect:type:"
RELATION_IRI: Final = "urn:recollect:relation:"
PROPERTY_IRI: Final = "urn:recollect:property:"
JSON_SCHEMA: Final = URIRef("urn:recollect:terms:jsonSchema")
"""Holds a type's whole JSON Schema as text, since datatype properties say only a part of it."""

SCHEMA: Final = Namespace("https://schema.org/")
_SCHEMA_SPELLINGS: Final = ("https://schema.org/", "http://schema.org/")
_XSD_IRI: Final = "http://www.w3.org/2001/XMLSchema#"
_BUILT_IN: Final = (
    "http://www.w3.org/2002/07/owl#",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "http://www.w3.org/2000/01/rdf-schema#",
    _XSD_IRI,
)
_TEXT: Final = {"type": "string"}
_NUMBER: Final = {"type": "number"}
_INTEGER: Final = {"type": "integer"}
_BOOLEAN: Final = {"type": "boolean"}

_XSD_SCHEMAS: Final[Mapping[str, Mapping[str, Any]]] = {
    **dict.fromkeys(("decimal", "double", "float"), _NUMBER),
    **dict.fromkeys(
        ("integer", "int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger", "unsignedInt"),
        _INTEGER,
    ),
    "boolean": _BOOLEAN,
    "date": {"type": "string", "format": "date"},
    "dateTime": {"type": "string", "format": "date-time"},
    "dateTimeStamp": {"type": "string", "format": "date-time"},
    "anyURI": {"type": "string", "format": "uri"},
}
_SCHEMA_ORG_SCHEMAS: Final[Mapping[str, Mapping[str, Any]]] = {
    **dict.fromkeys(("Text", "CssSelectorType", "PronounceableText", "XPathType", "Time", "DataType"), _TEXT),
    **dict.fromkeys(("Number", "Float"), _NUMBER),
    "Integer": _INTEGER,
    "Boolean": _BOOLEAN,
    "Date": {"type": "string", "format": "date"},
    "DateTime": {"type": "string", "format": "date-time"},
    "URL": {"type": "string", "format": "uri"},
}


def is_built_in(iri: str) -> bool:
    """Tell whether a term is RDF's, RDFS's, OWL's or XSD's own."""
    return str(iri).startswith(_BUILT_IN)  # rdflib's own startswith takes no tuple


def schema_of_datatype(iri: str) -> Mapping[str, Any] | None:
    """Return the JSON Schema of a datatype's values, or None for what is no datatype."""
    if iri.startswith(_XSD_IRI):
        return _XSD_SCHEMAS.get(iri.removeprefix(_XSD_IRI), _TEXT)
    if iri in {str(RDFS.Literal), str(RDF.langString), str(RDF.PlainLiteral)}:
        return _TEXT
    for spelling in _SCHEMA_SPELLINGS:
        if iri.startswith(spelling):
            return _SCHEMA_ORG_SCHEMAS.get(iri.removeprefix(spelling))
    return None


def datatype_of_schema(schema: object) -> URIRef:
    """Return the datatype nearest to a property's JSON Schema."""
    if isinstance(schema, Mapping):
        known = {key: schema[key] for key in ("type", "format") if key in schema}
        for name, each in _XSD_SCHEMAS.items():
            if each == known:
                return URIRef(_XSD_IRI + name)
        if known.get("type") == "string":
            return XSD.string
    return RDFS.Literal


def in_schema_org(name: str) -> tuple[URIRef, ...]:
    """Return a term of schema.org in both of its spellings."""
    return tuple(URIRef(spelling + name) for spelling in _SCHEMA_SPELLINGS)


def local_name(iri: str) -> str:
    """Return the last part of an IRI, which says what it names."""
    rest = iri.rstrip("/#")
    for separator in "#/:":
        rest = rest.rpartition(separator)[2]
    return unquote(rest)
