"""Strict reading of bodies, which refuses malformed ones before any other work."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.surfaces.http.strict_json import MOST_LEVELS, read_json
from graph.core.errors import InvalidInput

ORDINARY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(ORDINARY, st.booleans())
def test_any_json_value_is_read_unchanged(value, ascii_only) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only)

    assert read_json(text.encode()) == read_json(text) == value


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b"\xff\xfe{", "must be valid UTF-8"),
        (b'{"a": "\xc3"}', "must be valid UTF-8"),
        (b"{", "must be valid JSON"),
        (b"{} {}", "must be valid JSON"),
        (b'{"a": "', "must be valid JSON"),
        (b'"\\', "must be valid JSON"),
        (b"\xef\xbb\xbf{}", "must be valid JSON"),
        (b"1" * 5000, "finite numbers only, not 11"),
        (b'{"a": NaN}', "finite numbers only, not NaN"),
        (b'{"a": [-Infinity]}', "finite numbers only, not -Infinity"),
        (b'{"a": 1e400}', "finite numbers only, not 1e400"),
        (b'{"a": -1E+0999}', "finite numbers only, not -1E+0999"),
        (b"[" + b"9" * 400 + b".0]", "finite numbers only, not 99"),
        (b"[" + b"9" * 309 + b"]", "finite numbers only, not 99"),
        (b'{"a": -' + b"9" * 4000 + b"}", "finite numbers only, not -99"),
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "contains the key 'c' twice"),
        (b'{"a": 1, "\\u0061": 2}', "contains the key 'a' twice"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_lenient_json_is_refused(body, says) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_json(body)

    assert refused.value.field == "body"
    assert says in refused.value.message


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (rb'{"content": "\ud800"}', "content"),
        (rb'{"\uDFff": 1}', "body"),
        (rb'"\udc00"', "body"),
        (rb'["fine", "\ud800x"]', "[1]"),
        (rb'{"tags": ["a", "\udfffb"]}', "tags[1]"),
        (
            rb'{"query": "{me{name}}", "variables": {"input": {"content": "a\ud83d"}}}',
            "variables.input.content",
        ),
        (rb'{"messages": [{"content": "x"}, {"content": "\udc00\ud800"}]}', "messages[1].content"),
        (rb'{"metadata": {"deep": {"\ud800": 1}}}', "metadata.deep"),
        (rb'{"metadata": {"deep": [[{"x": "\uDBFF"}]]}}', "metadata.deep[0][0].x"),
        (rb'{"key": "\ud83d\ude00", "session_id": "s\ud83d "}', "session_id"),
        (rb'{"' + b"k" * 300 + rb'": "\ud800"}', "k" * 200),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_a_lone_surrogate_is_refused_with_its_field(body, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_json(body)

    assert refused.value.field == field
    assert refused.value.message == f"{field}: must be valid Unicode, without lone surrogates"


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'"\\ud83d\\ude00"', "\U0001f600"),
        (rb'"\\ud800"', r"\ud800"),
        (b'"1e400"', "1e400"),
        (b"1.7e308", 1.7e308),
        (b"17" + b"0" * 307, 17 * 10**307),
        (b"1e-999", 0.0),
    ],
    ids=repr,
)
def test_json_that_resembles_an_error_is_accepted(body, value) -> None:
    assert read_json(body) == value


def test_half_characters_are_mended_where_a_reader_asks_for_it() -> None:
    body = rb'{"messages": ["\ud83d cut", "\ud83d\ude00"], "\udc00": 1}'

    assert read_json(body, mends_halves=True) == {
        "messages": ["\ufffd cut", "\U0001f600"],
        "\ufffd": 1,
    }


def test_a_lone_surrogate_is_not_valid_utf8() -> None:
    with pytest.raises(InvalidInput, match="must be valid UTF-8"):
        read_json('"\ud800"')


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")], ids=["arrays", "objects"])
def test_levels_are_counted(brackets) -> None:
    opening, closing = brackets
    inner = "1"

    read_json((opening * MOST_LEVELS + inner + closing * MOST_LEVELS).encode())
    with pytest.raises(InvalidInput, match="must not be nested deeper than 64 levels"):
        read_json((opening * (MOST_LEVELS + 1) + inner + closing * (MOST_LEVELS + 1)).encode())


@pytest.mark.parametrize("bomb", [b"[" * 1_000_000, b'{"a":' * 100_000, b'"' + b"\\" * 999_999], ids=repr)
def test_deeply_nested_json_is_refused_before_parsing(bomb) -> None:
    """Without recursion, and in a single pass."""
    with pytest.raises(InvalidInput):
        read_json(bomb)


@given(st.text())
def test_brackets_within_texts_do_not_count_as_levels(text) -> None:
    read_json(json.dumps(["[" * 100 + text + "{" * 100]).encode())


def test_consecutive_brackets_do_not_count_as_levels() -> None:
    read_json(json.dumps([[] for _ in range(1000)]).encode())
