"""Ontologies as JSON, and parts of them."""

from string import ascii_letters, ascii_uppercase, digits

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.knowledge.models import Vocabulary
from graph.knowledge.ontology.json_format import read_json, selected, write_json
from graph.knowledge.ontology.models import EntityTypeDraft, RelationTypeDraft
from graph.knowledge.ontology.names import SYSTEM_LABELS, SYSTEM_RELATIONSHIPS

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
    """Generate the types of a registry: a type's parent precedes it, and its ends exist."""
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
    """Return the fields of types, treating empty and omitted ones alike."""
    types = (*vocabulary.entity_types, *vocabulary.relation_types)
    return {
        type_.name: {
            field: value for field, value in type_.model_dump().items() if value not in (None, (), {})
        }
        for type_ in types
    }


@given(registries())
def test_json_reads_the_same_as_it_was_written(vocabulary: Vocabulary) -> None:
    """E7."""
    assert by_name(read_json(write_json(vocabulary))) == by_name(vocabulary)


def test_an_export_contains_empty_fields() -> None:
    """E7: a later import restores the types despite changes in between."""
    read = read_json(
        write_json(
            Vocabulary(
                entity_types=(EntityTypeDraft(name="A", properties={}),),
                relation_types=(RelationTypeDraft(name="R", from_types=(), to_types=(), properties={}),),
            )
        )
    )

    assert [type_.model_dump(include=type_.model_fields_set) for type_ in read.entity_types] == [
        {"name": "A", "description": None, "parent": None, "properties": {}}
    ]
    assert [type_.model_dump(include=type_.model_fields_set) for type_ in read.relation_types] == [
        {"name": "R", "description": None, "from_types": (), "to_types": (), "properties": {}}
    ]


def test_an_omitted_field_is_not_set() -> None:
    (type_,) = read_json('{"entityTypes": [{"name": "A", "parent": null}]}').entity_types

    assert type_.model_fields_set == {"name", "parent"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"entityTypes": [}', "content is not JSON: Expecting value in line 1, column 18"),
        ("[]", "content, the whole: "),
        ('{"entityTypes": [{"name": "A"}, {}]}', "content, entityTypes.1.name: Field required"),
        ('{"relationTypes": [{"name": "A", "from": []}]}', "content, relationTypes.0.from: Extra inputs"),
        ("[" * 100_000, "content is nested too deeply"),
        (
            '{"entityTypes": [{"name": "A", "properties": {"properties": {"x": {"maximum": '
            + "1" * 5000
            + "}}}}]}",
            "content contains a number with too many digits",
        ),
    ],
)
def test_json_that_does_not_fit_is_refused_with_the_place(text, message) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_json(text)

    assert refused.value.message.startswith(message)
    assert refused.value.field == "content"


VOCABULARY = Vocabulary(
    entity_types=(
        EntityTypeDraft(name="Thing"),
        EntityTypeDraft(name="Person", parent="Thing"),
        EntityTypeDraft(name="Place", parent="Thing"),
        EntityTypeDraft(name="Agent", parent="Person"),
    ),
    relation_types=(
        RelationTypeDraft(name="KNOWS", from_types=("Person",), to_types=("Person", "Place")),
        RelationTypeDraft(name="NEAR", from_types=("Place",), to_types=("Thing",)),
        RelationTypeDraft(name="LIKES"),
    ),
)


def test_a_part_includes_supertypes_and_relations() -> None:
    part = selected(VOCABULARY, ["Agent"])

    assert [type_.name for type_ in part.entity_types] == ["Thing", "Person", "Agent"]
    assert [(type_.name, type_.from_types, type_.to_types) for type_ in part.relation_types] == [
        ("KNOWS", ("Person",), ("Person",)),
        ("LIKES", None, None),
    ]
    assert selected(VOCABULARY, []) == VOCABULARY


def test_a_part_may_only_name_existing_types() -> None:
    with pytest.raises(InvalidInput, match="it has no 'Nobody'"):
        selected(VOCABULARY, ["Person", "Nobody"])
