"""Vocabularies of others read as types, and types written as vocabularies that read the same."""

import json
import socket
from string import ascii_letters, ascii_uppercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.rdf.vocabularies import RdflibVocabularies
from graph.knowledge.exchange.models import OntologyFormat, Vocabulary
from graph.knowledge.exchange.ports import VocabularyUnreadable
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft
from graph.knowledge.ontology.names import SYSTEM_LABELS, SYSTEM_RELATIONSHIPS
from tests.fixtures.text_work import InThread
from tests.unit.knowledge.exchange.vocabularies import OWL, SCHEMA_ORG

RDF = RdflibVocabularies(InThread())
TURTLE, JSON_LD = OntologyFormat.TURTLE, OntologyFormat.JSON_LD


@pytest.fixture(autouse=True)
def no_network(monkeypatch) -> None:
    """Nothing may be fetched: whoever opens a connection fails."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def given_fields(vocabulary: Vocabulary) -> dict[str, dict]:
    types = (*vocabulary.entity_types, *vocabulary.relation_types)
    return {type_.name: type_.model_dump(include=type_.model_fields_set - {"name"}) for type_ in types}


async def test_owl_classes_and_properties_become_types() -> None:
    """E7: names follow the registry's rules, and what cannot be taken over is told."""
    read = await RDF.read(OWL, TURTLE)

    assert given_fields(read) == {
        "System": {
            "description": "What runs.",
            "properties": {"properties": {"since": {"type": "string", "format": "date"}}},
        },
        "WebService": {
            "parent": "System",
            "properties": {"properties": {"port": {"type": "integer", "description": "Where it listens."}}},
        },
        "Team": {},
        "IndependentContinuant": {},
        "DEPENDS_ON": {
            "description": "Needs it to run.",
            "from_types": ("WebService",),
            "to_types": ("System",),
        },
        "OWNS": {"from_types": ("IndependentContinuant", "Team")},
    }
    assert read.notes == (
        "http://example.com/ops#nowhere: a property of values has no class that it belongs to, and is left out",
    )


async def test_schema_org_becomes_types() -> None:
    """E7: names of the system get a name of their own, and of two parents one is kept."""
    read = await RDF.read(SCHEMA_ORG, JSON_LD)

    text = {"type": "string"}
    assert given_fields(read) == {
        "Thing": {
            "description": "The most generic type.",
            "properties": {
                "properties": {
                    "name": {"type": "string", "description": "The name."},
                    "price": {"anyOf": [{"type": "number"}, text]},
                }
            },
        },
        "Person": {"parent": "Thing"},
        "Organization": {"parent": "Thing"},
        "MessageType": {"parent": "Thing", "properties": {"properties": {"sender": text}}},
        "N3DModel": {"parent": "MessageType"},
        "ABOUT_RELATION": {"from_types": ("MessageType", "N3DModel"), "to_types": ("Thing",)},
        "SENDER": {"from_types": ("MessageType",), "to_types": ("Organization", "Person")},
    }
    assert read.notes == (
        "https://schema.org/3DModel: a type has one parent, which is MessageType and not Thing too",
    )


async def test_classes_that_lead_back_to_each_other_are_cut_once() -> None:
    circle = """
    @prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :A rdfs:subClassOf :B . :B rdfs:subClassOf :C . :C rdfs:subClassOf :A .
    """

    read = await RDF.read(circle, TURTLE)

    assert {type_.name: type_.parent for type_ in read.entity_types} == {"A": "B", "B": "C", "C": None}
    assert read.notes == ("urn:x:C: A would lead back to it and is not its parent",)


PREFIXES = """
@prefix : <urn:x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


async def test_a_class_named_like_a_label_of_the_system_gets_a_free_name() -> None:
    """E7: PROV-O and BFO have a class of entities, and EntityType is the system's as well."""
    read = await RDF.read(f"{PREFIXES} :Entity a owl:Class . :Message a owl:Class .", TURTLE)

    assert [type_.name for type_ in read.entity_types] == ["EntityClass", "MessageType"]


async def test_a_label_names_what_an_iri_in_another_script_cannot() -> None:
    """E7."""
    text = f"""{PREFIXES}
    <urn:x:人> a owl:Class ; rdfs:label "人"@zh, "Person"@en .
    <urn:x:知> a owl:ObjectProperty ; rdfs:label "knows"@en ; rdfs:domain <urn:x:人> .
    :Place a owl:Class ; rdfs:label "A place"@en .
    """

    read = await RDF.read(text, TURTLE)

    assert [type_.name for type_ in read.entity_types] == ["Person", "Place"]
    assert [(type_.name, type_.from_types) for type_ in read.relation_types] == [("KNOWS", ("Person",))]
    with pytest.raises(VocabularyUnreadable):
        await RDF.read(f'{PREFIXES} <urn:x:人> a owl:Class ; rdfs:label "人"@zh .', TURTLE)


async def test_unions_within_unions_are_read_to_their_end() -> None:
    """E7: one that leads back to itself, too."""
    text = f"""{PREFIXES}
    :p a owl:ObjectProperty ; rdfs:domain [ owl:unionOf (:A [ owl:unionOf (:B :C) ]) ] ; rdfs:range _:u .
    _:u owl:unionOf (:D _:u) .
    """

    read = await RDF.read(text, TURTLE)

    assert [type_.name for type_ in read.entity_types] == ["A", "B", "C", "D"]
    assert [(type_.from_types, type_.to_types) for type_ in read.relation_types] == [
        (("A", "B", "C"), ("D",))
    ]


async def test_properties_are_read_by_whatever_owl_calls_them() -> None:
    """E7: a file may say no more of a property than that it is functional."""
    text = f"""{PREFIXES}
    :A a owl:Class . :B a owl:Class .
    :one a owl:FunctionalProperty ; rdfs:domain :A ; rdfs:range :B .
    :size a owl:FunctionalProperty, owl:DatatypeProperty ; rdfs:domain :A ; rdfs:range xsd:integer .
    :next_to a owl:SymmetricProperty . :above a owl:TransitiveProperty . :key a owl:InverseFunctionalProperty .
    :remark a owl:AnnotationProperty ; rdfs:domain :A ; rdfs:range xsd:string .
    """

    read = await RDF.read(text, TURTLE)

    assert {type_.name: type_.from_types for type_ in read.relation_types} == {
        "ABOVE": None, "KEY": None, "NEXT_TO": None, "ONE": ("A",),
    }  # fmt: skip
    assert read.entity_types[0].properties == {
        "properties": {"remark": {"type": "string"}, "size": {"type": "integer"}}
    }


async def test_two_classes_of_one_name_are_one_type() -> None:
    twice = """
    @prefix a: <urn:a:> . @prefix b: <urn:b:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
    a:Person a owl:Class . b:person a owl:Class .
    """

    read = await RDF.read(twice, TURTLE)

    assert [type_.name for type_ in read.entity_types] == ["Person"]
    assert read.notes == ("urn:a:Person, urn:b:person: all of them are the type Person",)


@pytest.mark.parametrize(
    "context",
    ["https://schema.org/", [{}, "context.jsonld"], {"@import": "http://127.0.0.1:1/c"},
     {"a": {"@id": "urn:a", "@context": "file:///etc/passwd"}}, "", [["http://127.0.0.1:1/c"]], [[{}, [["c"]]]],
     {"a": {"@id": "urn:a", "@context": [["file:///etc/passwd"]]}}],
)  # fmt: skip
async def test_a_context_that_lies_elsewhere_is_refused_and_not_fetched(context) -> None:
    """A service must not be made to fetch from its own network."""
    document = json.dumps({"@graph": [{"@context": context, "@id": "urn:x:A"}]})

    with pytest.raises(VocabularyUnreadable, match="lies elsewhere and is not fetched"):
        await RDF.read(document, JSON_LD)


@pytest.mark.parametrize(
    ("text", "format_", "complaint"),
    [
        ("<urn:a> <urn:b>\n\n nothing .", TURTLE, "it is not Turtle: wrong in line 3"),
        ("{\n 'a': 1}", JSON_LD, "it is not JSON: .* in line 2, column 2"),
        ("[" * 100_000, JSON_LD, "it is nested too deeply"),
        ("<urn:a> <urn:b> " + "[ <urn:c> " * 50_000, TURTLE, "it is nested too deeply"),
        ('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a/>', TURTLE, "it is not"),
        ('"text"', JSON_LD, "it is not json-ld"),
        ("@prefix r: <http://www.w3.org/2000/01/rdf-schema#> . <urn:x:日本> a r:Class .", TURTLE, "urn:x:日本: name"),
        (
            '<urn:x:A> <urn:recollect:terms:jsonSchema> "{" ; a <http://www.w3.org/2000/01/rdf-schema#Class> .',
            TURTLE,
            "urn:x:A: its JSON Schema is not JSON",
        ),
    ],
    ids=["turtle", "json", "deep json", "deep turtle", "xml", "no json-ld", "no name", "schema"],
)  # fmt: skip
async def test_what_cannot_be_read_is_refused_with_the_place(text, format_, complaint) -> None:
    with pytest.raises(VocabularyUnreadable, match=complaint):
        await RDF.read(text, format_)


type_names = st.builds(
    lambda first, rest: first + rest,
    st.sampled_from(ascii_uppercase),
    st.text(ascii_letters + digits, max_size=12),
).filter(lambda name: name not in SYSTEM_LABELS)
relation_names = st.lists(st.text(ascii_uppercase + digits, min_size=1, max_size=6), min_size=1, max_size=3).map(
    lambda words: "R" + "_".join(words)
).filter(lambda name: name not in SYSTEM_RELATIONSHIPS)  # fmt: skip
texts = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\x00"), max_size=40)
descriptions = texts.map(str.strip).map(lambda text: text or None)
schemas = st.one_of(
    st.just({}),
    st.dictionaries(
        texts.filter(bool),
        st.sampled_from([{"type": "integer"}, {"type": "string", "maxLength": 9}, {"enum": [1, "b", None]}, {}, True]),
        min_size=1, max_size=3,
    ).map(lambda properties: {"type": "object", "properties": properties, "required": sorted(properties)}),
)  # fmt: skip


@st.composite
def registries(draw: st.DrawFn) -> Vocabulary:
    """Types of a registry: each type's parent is one before it, ends are types there are."""
    names = draw(st.lists(type_names, unique=True, max_size=5))
    ends = st.lists(st.sampled_from(names), unique=True).map(sorted).map(tuple) if names else st.just(())
    entity_types = [
        EntityTypeDraft(
            name=name,
            parent=draw(st.sampled_from([None, *names[:place]])),
            description=draw(descriptions),
            properties=draw(schemas),
        )
        for place, name in enumerate(names)
    ]
    relation_types = [
        RelationTypeDraft(
            name=name,
            description=draw(descriptions),
            from_types=draw(ends),
            to_types=draw(ends),
            properties=draw(schemas),
        )
        for name in draw(st.lists(relation_names, unique=True, max_size=4))
    ]
    return Vocabulary(entity_types=tuple(entity_types), relation_types=tuple(relation_types))


def by_name(vocabulary: Vocabulary) -> dict[str, dict]:
    """Return what types say, where saying nothing and leaving out are the same."""
    types = (*vocabulary.entity_types, *vocabulary.relation_types)
    return {
        type_.name: {
            field: value for field, value in type_.model_dump().items() if value not in (None, (), {})
        }
        for type_ in types
    }


@pytest.mark.parametrize("format_", [TURTLE, JSON_LD])
@given(vocabulary=registries())
async def test_what_is_written_reads_the_same(format_: OntologyFormat, vocabulary: Vocabulary) -> None:
    """E7: export and import are each other's reverse, with every schema, description, parent and end."""
    read = await RDF.read(await RDF.write(vocabulary, format_), format_)

    assert by_name(read) == by_name(vocabulary)
    assert read.notes == ()


@pytest.mark.parametrize("format_", [TURTLE, JSON_LD])
async def test_an_export_empties_what_it_does_not_say(format_: OntologyFormat) -> None:
    """E7: imported again the types are the same, whatever was set meanwhile."""
    vocabulary = Vocabulary(
        entity_types=(EntityTypeDraft(name="A"), EntityTypeDraft(name="B", parent="A")),
        relation_types=(RelationTypeDraft(name="TO", to_types=("A",)),),
    )

    read = await RDF.read(await RDF.write(vocabulary, format_), format_)

    assert given_fields(read) == {
        "A": {"description": None, "parent": None, "properties": {}},
        "B": {"description": None, "parent": "A", "properties": {}},
        "TO": {"description": None, "from_types": (), "to_types": ("A",), "properties": {}},
    }


async def test_an_export_says_in_rdf_what_the_types_say() -> None:
    vocabulary = Vocabulary(
        entity_types=(
            EntityTypeDraft(
                name="WebService", parent="System", properties={"properties": {"port": {"type": "integer"}}}
            ),
            EntityTypeDraft(name="System"),
        ),
        relation_types=(RelationTypeDraft(name="DEPENDS_ON", from_types=("WebService",)),),
    )

    turtle = await RDF.write(vocabulary, TURTLE)

    for line in (
        "type:WebService a owl:Class ;",
        "rdfs:subClassOf type:System ;",
        "relation:DEPENDS_ON a owl:ObjectProperty ;",
        "property:port a owl:DatatypeProperty ;",
        'rdfs:label "web service" ;',
    ):
        assert line in turtle
