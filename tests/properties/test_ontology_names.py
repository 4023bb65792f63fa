"""Names and ids of the ontology, with any characters."""

import string

from hypothesis import given
from hypothesis import strategies as st

from graph.knowledge.ontology.names import Triple, entity_key, normalized, relation_id, spoken, triple_of
from graph.knowledge.ontology.rules import distinct_names

ids = st.text(alphabet=string.ascii_lowercase + string.digits, min_size=24, max_size=24).map("ent_".__add__)
words = st.text(alphabet=string.ascii_uppercase + string.digits, min_size=1, max_size=10)
relation_types = st.lists(words, min_size=1, max_size=4).map(lambda parts: "_".join(["X", *parts]))


@given(st.text())
def test_normalising_is_idempotent(name: str) -> None:
    assert normalized(normalized(name)) == normalized(name)


@given(st.text(), st.sampled_from([" ", "\t", "\u00a0", "\u3000", "\n"]))
def test_surrounding_white_space_is_ignored(name: str, space: str) -> None:
    assert normalized(f"{space}{name}{space}") == normalized(name)


@given(st.text(alphabet=string.ascii_letters + " -'.0123456789"))
def test_case_is_ignored(name: str) -> None:
    assert normalized(name.upper()) == normalized(name.lower()) == normalized(name)


@given(st.text(min_size=1), st.text(min_size=1))
def test_keys_of_two_types_are_always_distinct(one: str, two: str) -> None:
    assert entity_key("Person", one) != entity_key("Place", two)
    assert (entity_key("Person", one) == entity_key("Person", two)) is (normalized(one) == normalized(two))


@given(ids, relation_types, ids)
def test_the_id_of_a_relation_names_its_parts(source: str, type_: str, target: str) -> None:
    id_ = relation_id(source, type_, target)

    assert triple_of(id_) == Triple(source, type_, target)
    assert set(id_) <= set(string.ascii_letters + string.digits + "-_")


@given(st.text())
def test_other_texts_are_not_relation_ids(text: str) -> None:
    assert triple_of(text) is None


@given(st.text(min_size=1), st.lists(st.text(min_size=1)))
def test_aliases_differ_from_the_name_and_from_each_other(name: str, aliases: list[str]) -> None:
    kept = distinct_names(name, aliases)

    forms = [normalized(text) for text in (name, *kept)]
    assert len(set(forms)) == len(forms)
    assert set(forms) == {normalized(text) for text in (name, *aliases)}
    assert distinct_names(name, kept) == kept


def test_type_names_become_words() -> None:
    assert [
        spoken(name) for name in ("SoftwareService", "DEPENDS_ON", "HTTPServer", "Person", "S3Bucket")
    ] == [
        "software service",
        "depends on",
        "http server",
        "person",
        "s 3 bucket",
    ]
