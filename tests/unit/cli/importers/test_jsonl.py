"""The jsonl reader: accepted lines, the report, and stable keys on a second reading."""

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cli.importers.jsonl import MAX_LINE_BYTES, read_jsonl
from app.cli.importers.models import ImportedMemory, ImportItem, Record, Remark, UnreadableFileError
from graph.core.text.normal_forms import is_blank


def write_lines(path: Path, *lines: bytes | str | dict[str, Any]) -> Path:
    encoded = [
        line if isinstance(line, bytes) else (line if isinstance(line, str) else json.dumps(line)).encode()
        for line in lines
    ]
    path.write_bytes(b"".join(line + b"\n" for line in encoded))
    return path


def read(path: Path, max_chars: int = 32_000) -> list[Record]:
    contents = read_jsonl(path, max_chars)
    return list(contents.records)


def items(path: Path, max_chars: int = 32_000) -> list[ImportItem]:
    return [record for record in read(path, max_chars) if isinstance(record, ImportItem)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.jsonl"


def test_a_line_may_name_the_source_of_its_memory(path) -> None:
    """A9: an exported source is restored; any other line counts as imported."""
    records = items(write_lines(path, {"content": "a", "source_type": "user"}, {"content": "b"}))

    assert [item.memory.source_type for item in records] == ["user", "imported"]


def test_a_line_becomes_the_graphql_input_of_the_contract(path: Path) -> None:
    """M11: each field of SaveMemoryInput gets its GraphQL name."""
    line = {
        "content": "Ada prefers tabs",
        "category": "preference",
        "type": "Preference",
        "kind": "factual",
        "key": "ada/tabs",
        "id": "mem_abc",
        "tags": ["code", "style:tabs"],
        "importance": 0.7,
        "confidence": 1,
        "metadata": {"source": {"page": 3}},
        "timestamp": "2024-05-01T10:00:00+02:00",
        "t_valid": "2024-05-01",
        "t_invalid": "2025-05-01T00:00:00Z",
        "expires_at": "2030-01-01T00:00:00",
        "embedding": [0.5, 0.25],
        "speaker": "Ada",
        "source_conversation_id": "talk",
        "source_message_id": "m1",
        "session_id": "s1",
        "dedup": True,
    }

    (item,) = items(write_lines(path, line))

    assert item.where == "line 1"
    assert item.memory.to_input() == {
        "content": "Ada prefers tabs",
        "category": "preference",
        "type": "PREFERENCE",
        "kind": "FACTUAL",
        "key": "ada/tabs",
        "id": "mem_abc",
        "tags": ["code", "style:tabs"],
        "importance": 0.7,
        "confidence": 1.0,
        "metadata": {"source": {"page": 3}},
        "timestamp": "2024-05-01T08:00:00Z",
        "tValid": "2024-05-01T00:00:00Z",
        "tInvalid": "2025-05-01T00:00:00Z",
        "expiresAt": "2030-01-01T00:00:00Z",
        "embedding": [0.5, 0.25],
        "speaker": "Ada",
        "sourceType": "imported",
        "sourceConversationId": "talk",
        "sourceMessageId": "m1",
        "sessionId": "s1",
        "dedup": True,
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON: Expecting property name enclosed in double quotes"),
        (b'"text"', "not a JSON object"),
        (b"{}", "content: is missing"),
        (b'{"content": "  "}', "no text"),
        (b'{"content": "a", "importance": NaN}', "not JSON: NaN is no JSON number"),
        (b'{"content": "a", "importance": 1e999}', "not JSON: a number is too large"),
        (b'{"content": "\xff"}', "not UTF-8"),
        (b'{"content": "a", "importance": "high"}', "importance: Input should be a valid number"),
        (b'{"content": null}', "content: Input should be a valid string"),
        (b'{"content": "a", "metadata": ' + b'{"a":' * 70 + b"1" + b"}" * 71, "nests deeper than 64 levels"),
        (b"[" * 100_000, "nests too deep"),
        (
            b'{"content": "a", "timestamp": 2025}',
            "timestamp: must be a time in ISO 8601, such as 2026-03-07T12:00:00Z",
        ),
        (
            b'{"content": "a", "timestamp": "0001-01-01T00:00:00+10:00"}',
            "timestamp: the time must lie in the years 1 to 9999 of UTC",
        ),
    ],
)
def test_a_bad_line_is_skipped_with_its_number_and_reason(path: Path, line: bytes, reason: str) -> None:
    records = read(write_lines(path, {"content": "before"}, line, {"content": "after"}))

    assert [r.memory.content for r in records if isinstance(r, ImportItem)] == ["before", "after"]
    (remark,) = [r for r in records if isinstance(r, Remark)]
    assert (remark.where, remark.effect) == ("line 2", "skipped")
    assert remark.reason.startswith(reason)


def test_an_overlong_line_is_skipped_and_the_next_is_read(path: Path) -> None:
    records = read(write_lines(path, b"x" * (2 * MAX_LINE_BYTES + 5), {"content": "after"}))

    assert records[0] == Remark("line 1", "longer than 16 MB")
    assert isinstance(records[1], ImportItem)
    assert records[1].where == "line 2"


def test_blank_lines_are_counted_but_not_reported(path: Path) -> None:
    (item,) = read(write_lines(path, "", "   ", {"content": "a"}))

    assert isinstance(item, ImportItem)
    assert item.where == "line 3"


def test_unknown_fields_are_reported_and_the_rest_is_kept(path: Path) -> None:
    remark, item = read(write_lines(path, {"content": "a", "colour": "red"}))

    assert remark == Remark("line 1", "unknown field 'colour' left out", "changed")
    assert isinstance(item, ImportItem)


def test_nul_bytes_surrogates_and_long_texts_are_repaired(path: Path) -> None:
    line = b'{"content": "a\\u0000b\\ud800c", "metadata": {"k\\u0000": ["\\udfff"]}}'

    *remarks, item = read(write_lines(path, line), max_chars=3)

    assert isinstance(item, ImportItem)
    assert item.memory.content == "ab\ufffd"
    assert item.memory.metadata == {"k": ["\ufffd"]}
    assert [(r.reason, r.effect) for r in remarks if isinstance(r, Remark)] == [
        ("NUL bytes removed", "changed"),
        ("lone surrogates replaced", "changed"),
        ("content cut to 3 characters", "changed"),
    ]


def test_raw_nul_bytes_in_a_line_are_removed(path: Path) -> None:
    remark, item = read(write_lines(path, b'{"content": "a\0b"}'))

    assert remark == Remark("line 1", "NUL bytes removed", "changed")
    assert isinstance(item, ImportItem)
    assert item.memory.content == "ab"


def test_a_byte_order_mark_is_no_error(path: Path) -> None:
    (item,) = items(write_lines(path, b'\xef\xbb\xbf{"content": "a"}'))

    assert item.memory.content == "a"


def test_a_utf16_file_is_refused_as_a_whole(path: Path) -> None:
    path.write_text('{"content": "a"}', encoding="utf-16")

    with pytest.raises(UnreadableFileError, match="UTF-8"):
        read_jsonl(path, 32_000)


def test_the_expected_number_of_records_is_the_number_of_lines(path: Path) -> None:
    contents = read_jsonl(write_lines(path, {"content": "a"}, {"content": "b"}), 32_000)

    assert contents.total == 2


def test_tags_may_be_a_comma_separated_string(path: Path) -> None:
    """A15."""
    (item,) = items(write_lines(path, {"content": "a", "tags": "x, y,,"}))

    assert item.memory.tags == ["x", "y"]


def test_equal_facts_share_a_key_and_equal_turns_do_not(path: Path) -> None:
    fact = {"content": "Water boils at 100 degrees"}
    turn = {"content": "Thanks!", "speaker": "Ada", "source_conversation_id": "t", "session_id": "s"}

    first, second, third, fourth, fifth = items(write_lines(path, fact, fact, turn, turn, turn))

    assert first.memory.key == second.memory.key
    assert len({third.memory.key, fourth.memory.key, fifth.memory.key}) == 3


def test_a_given_key_or_id_is_kept_and_turns_are_not_deduplicated(path: Path) -> None:
    keyed, named = items(write_lines(path, {"content": "a", "key": "k"}, {"content": "b", "id": "mem_1"}))

    assert (keyed.memory.key, keyed.memory.dedup) == ("k", False)
    assert (named.memory.key, named.memory.id) == (None, "mem_1")


_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40)
_shown = _text.filter(lambda text: not is_blank(text))
_zones = st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8))])
_times = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=_zones)  # noqa: DTZ001 - bounds are naive by contract
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _text,
    lambda children: st.lists(children, max_size=3) | st.dictionaries(_text, children, max_size=3),
    max_leaves=8,
)
_drafts = st.builds(
    ImportedMemory,
    content=_shown,
    category=st.none() | _text,
    type=st.none() | st.sampled_from(["DECISION", "HABIT"]),
    key=_text,
    tags=st.none() | st.lists(_text, max_size=3),
    importance=st.none() | st.floats(0, 1),
    metadata=st.none() | st.dictionaries(_text, _json, max_size=3),
    timestamp=st.none() | _times,
    t_valid=st.none() | _times,
    embedding=st.none() | st.lists(st.floats(-1, 1), max_size=4),
    speaker=st.none() | _text,
    source_conversation_id=st.none() | _text,
    session_id=st.none() | _text,
    dedup=st.booleans(),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(drafts=st.lists(_drafts, max_size=4), ascii_only=st.booleans())
def test_written_lines_are_read_back(path: Path, drafts: list[ImportedMemory], ascii_only: bool) -> None:
    """M11: lines with snake-case fields give the same items in the same order."""
    lines = [
        json.dumps(d.model_dump(mode="json", exclude_none=True), ensure_ascii=ascii_only) for d in drafts
    ]

    records = read(write_lines(path, *lines))

    assert [r.memory for r in records if isinstance(r, ImportItem)] == drafts
    assert len(records) == len(drafts)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(noise=st.lists(st.binary(max_size=60), max_size=5))
def test_no_bytes_make_the_reader_fail_and_reading_twice_gives_the_same(
    path: Path, noise: list[bytes]
) -> None:
    write_lines(path, *noise, {"content": "kept"})
    if path.read_bytes()[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return

    first, second = read(path), read(path)

    assert first == second
    assert isinstance(first[-1], ImportItem)
    assert first[-1].memory.content == "kept"
