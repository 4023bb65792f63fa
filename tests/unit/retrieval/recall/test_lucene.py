import re

import pytest

from graph.core.text.lucene import text_queries, was_cut, window_queries
from graph.retrieval.recall.parsed_query import ParsedQuery


def test_the_workspace_is_a_required_clause_without_weight():
    """C27: the limit applies inside the workspace."""
    (own,) = text_queries([("tabs", 2.0)], "ws_1")
    (around,) = window_queries([("tabs", 2.0)], "ws_1")

    assert own.index == around.index == "memory_text"
    assert own.query == '+workspace_id:"ws_1"^0 +(search_text:(tabs^2.000) search_keys:(tabs^2.000)^0.5)'
    assert around.query == '+workspace_id:"ws_1"^0 +(search_window:(tabs^2.000))'


def test_chinese_words_go_to_the_index_that_splits_them():
    """C26."""
    spelled, grams = text_queries(ParsedQuery("Python 编程语言").weighted_words, "ws_1")

    assert (spelled.index, grams.index) == ("memory_text", "memory_text_cjk")
    assert "search_text_cjk:(编程^2.000 程语^2.000 语言^2.000)" in grams.query


def test_a_query_without_words_searches_for_none():
    assert text_queries(ParsedQuery("?! …").weighted_words, "ws_1") == []


def test_a_long_query_is_reported_as_truncated():
    words = [(f"w{n}", 1.0) for n in range(300)]

    assert was_cut(words)
    assert not was_cut(words[:200])
    assert len(re.findall(r"w\d+\^", text_queries(words, "ws_1")[0].query)) == 2 * 256


@pytest.mark.parametrize("divider", [" ", "\n"])
def test_a_long_query_searches_its_last_words(divider):
    """C8: a long query ends with its actual question."""
    log = divider.join(f"w{n}" for n in range(300))
    query = ParsedQuery(f"{log}\nWhich port has the gateway?")

    (own,) = text_queries(query.weighted_words, "ws_1")

    assert was_cut(query.weighted_words)
    assert "port^2.000" in own.query
    assert "gateway^2.000" in own.query
