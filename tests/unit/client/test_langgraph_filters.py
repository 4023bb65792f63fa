"""Accepted values and namespaces, the same as in LangGraph's in-memory store."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from app.client.langgraph_store.filters import admits, fixed_prefix, matches, validated

SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", ""])
VALUES = st.dictionaries(
    st.sampled_from("xyz"),
    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.sampled_from("pq"), SCALARS, max_size=2),
    max_size=3,
)
WANTED = VALUES | st.dictionaries(
    st.sampled_from("xyz"), st.dictionaries(st.sampled_from(["$eq", "$ne"]), SCALARS, min_size=1), max_size=2
)
LABELS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple)
CONDITIONS = st.lists(
    st.builds(
        MatchCondition,
        match_type=st.sampled_from(["prefix", "suffix"]),
        path=st.lists(st.sampled_from("abc*"), min_size=1, max_size=3).map(tuple),
    ),
    max_size=2,
).map(tuple)


@given(value=VALUES, wanted=WANTED)
def test_a_filter_admits_what_langgraphs_store_admits(value: dict[str, Any], wanted: dict[str, Any]) -> None:
    reference = InMemoryStore()
    reference.batch([PutOp(("n",), "k", value)])

    (found,) = reference.batch([SearchOp(("n",), filter=wanted)])

    assert admits(validated(wanted), value) == bool(found)


@given(
    value=st.integers(-3, 3) | st.floats(-3, 3),
    name=st.sampled_from(["$gt", "$gte", "$lt", "$lte"]),
    operand=st.integers(-3, 3) | st.floats(-3, 3),
)
def test_numbers_are_ordered_as_langgraphs_store_orders_them(value: float, name: str, operand: float) -> None:
    reference = InMemoryStore()
    reference.batch([PutOp(("n",), "k", {"x": value})])

    (found,) = reference.batch([SearchOp(("n",), filter={"x": {name: operand}})])

    assert admits({"x": {name: operand}}, {"x": value}) == bool(found)


@pytest.mark.parametrize("value", [{}, {"x": None}, {"x": "10"}, {"x": [1]}])
def test_values_that_cannot_be_ordered_with_a_number_do_not_match(value: dict[str, Any]) -> None:
    assert not admits({"x": {"$gt": 1}}, value)
    assert not admits({"x": {"$lte": 1}}, value)


def test_texts_are_ordered_among_themselves() -> None:
    assert admits({"day": {"$gte": "2026-05-01", "$lt": "2026-06-01"}}, {"day": "2026-05-20"})


@pytest.mark.parametrize("wanted", [{"x": {"$in": [1]}}, {"x": {"p": {"$like": "a"}}}])
def test_an_unknown_operator_is_refused(wanted: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="unsupported operators"):
        validated(wanted)


@given(namespaces=st.lists(LABELS, max_size=6, unique=True), conditions=CONDITIONS)
def test_namespaces_match_as_in_langgraphs_store(namespaces, conditions) -> None:
    reference = InMemoryStore()
    reference.batch([PutOp(namespace, "k", {}) for namespace in namespaces])

    (found,) = reference.batch([ListNamespacesOp(match_conditions=conditions)])

    assert sorted(namespace for namespace in namespaces if matches(conditions, namespace)) == found
    assert all(namespace[: len(fixed_prefix(conditions))] == fixed_prefix(conditions) for namespace in found)
