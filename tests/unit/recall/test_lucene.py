import re

from hypothesis import given
from hypothesis import strategies as st

from graph.recall.language import content_words
from graph.recall.lucene import text_queries, was_cut

METACHARACTERS = r'+-&|!(){}[]^"~*?:\/'


def _unescaped(query: str) -> str:
    return re.sub(r"\\.", "", query)


def test_the_workspace_is_a_required_clause_without_weight():
    """C27: the limit is spent inside the workspace."""
    (query,) = text_queries(["tabs"], "ws_1")

    assert query.index == "memory_text"
    assert query.query == '+workspace_id:"ws_1"^0 +(search_text:(tabs) search_keys:(tabs)^0.5)'


def test_chinese_words_go_to_the_index_that_splits_them():
    """C26."""
    spelled, grams = text_queries(content_words("Python 编程语言"), "ws_1")

    assert (spelled.index, grams.index) == ("memory_text", "memory_text_cjk")
    assert "search_text_cjk:(编程 程语 语言)" in grams.query


def test_a_query_without_words_searches_for_none():
    assert text_queries(content_words("?! …"), "ws_1") == []


@given(st.text())
def test_no_text_of_a_user_becomes_syntax(text):
    """C28: Lucene's operators and metacharacters are data."""
    for query in text_queries(content_words(text), "ws_1"):
        inside = _unescaped(query.query.split("(", 2)[2].split(")")[0])
        assert not set(inside) & set(METACHARACTERS)
        assert not re.search(r"\b(AND|OR|NOT|TO)\b", inside)


def test_a_long_query_says_that_it_was_cut():
    words = [f"w{n}" for n in range(300)]

    assert was_cut(words)
    assert not was_cut(words[:200])
    assert text_queries(words, "ws_1")[0].query.count(" w") <= 2 * 256
