"""LangGraph's items stored as memories, without loss."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from app.client.langgraph_layout import memory_id, namespace_of, tag_of
from app.client.langgraph_store.items import memory_of
from graph.memories.tags import compute_tag_prefixes, expand_tag_prefixes, normalize_tag_list

LABEL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=".\0"), min_size=1, max_size=8)
NAMESPACE = st.lists(LABEL, min_size=1, max_size=4).map(tuple)
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def put(value, **options):
    return memory_of(PutOp(("users", "ada"), "k", value, **options), "ws_1", ("$",), NOW)


@given(namespace=NAMESPACE)
def test_a_namespace_is_read_back_from_its_tag(namespace: tuple[str, ...]) -> None:
    (tag,) = normalize_tag_list([tag_of(namespace)])

    assert namespace_of(["other", tag]) == namespace


@given(one=NAMESPACE, other=NAMESPACE)
def test_a_tag_is_found_by_the_prefixes_of_its_namespace_only(one, other) -> None:
    is_prefix = other[: len(one)] == one

    assert (expand_tag_prefixes(tag_of(one))[-1] in compute_tag_prefixes([tag_of(other)])) == is_prefix


def test_plain_labels_stay_readable() -> None:
    assert tag_of(("users", "ada-1", "Notes")) == "langgraph/users/ada-1/%4eotes"
    assert tag_of(()) == "langgraph"


def test_ids_differ_by_workspace_namespace_and_key() -> None:
    named = [
        ("ws_1", ("a", "b"), "c"),
        ("ws_1", ("a",), "b"),
        ("ws_2", ("a", "b"), "c"),
        ("ws_1", ("a", "b"), "d"),
    ]

    assert len({memory_id(*name) for name in named}) == 4
    assert memory_id(*named[0]) == memory_id("ws_1", ("a", "b"), "c")


@pytest.mark.parametrize(
    ("value", "index", "content"),
    [
        ({"text": "prefers tabs"}, None, "prefers tabs"),
        ({"text": "prefers tabs", "n": 2, "in": ["a"]}, None, 'text: prefers tabs\nn: 2\nin: ["a"]'),
        ({"text": "prefers tabs", "other": "x"}, ["text"], "prefers tabs"),
        ({"notes": [{"text": "one"}, {"text": "two"}]}, ["notes[*].text"], "one\ntwo"),
        ({"text": "x" * 3000}, None, "x" * 2000),
        ({"text": "prefers tabs"}, False, "users/ada/k"),
        ({"text": "prefers tabs"}, ["missing"], "users/ada/k"),
        ({}, None, "users/ada/k"),
        ({"text": " "}, None, "users/ada/k"),
    ],
)
def test_the_index_names_the_searched_fields(value, index, content) -> None:
    memory = put(value, index=index)

    assert memory.content == content
    assert memory.metadata["langgraph"]["value"] == value
    assert memory.metadata["langgraph"]["indexed"] is (content != "users/ada/k")
    assert memory.dedup is False


def test_an_item_with_a_ttl_expires_after_that_many_minutes() -> None:
    assert put({"a": 1}, ttl=1.5).expires_at == NOW + timedelta(seconds=90)
    assert "expires_at" not in put({"a": 1}).model_fields_set
