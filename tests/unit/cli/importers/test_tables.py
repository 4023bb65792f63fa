"""The reader of CSV."""

from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.models import ImportItem, Record, Remark, UnreadableFileError
from app.cli.importers.tables import read_csv
from graph.core.exact import EXPECTED_TIME


def read(path: Path, table: str, /, **columns: str) -> list[Record]:
    path.write_text(table, encoding="utf-8")
    contents = read_csv(path, 32_000, columns=columns)
    return list(contents.records)


def inputs(records: list[Record]) -> list[dict[str, Any]]:
    return [record.memory.to_input() for record in records if isinstance(record, ImportItem)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


def test_columns_are_fields_and_the_others_metadata(path: Path) -> None:
    text = 'content,tags,importance,Mood,key\n"Likes, tea","a,b",0.7,good,k1\n\n'

    assert inputs(read(path, text)) == [
        {
            "content": "Likes, tea",
            "tags": ["a", "b"],
            "importance": 0.7,
            "key": "k1",
            "metadata": {"Mood": "good"},
            "sourceType": "imported",
            "dedup": False,
        }
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_column_may_have_another_name(path: Path, delimiter: str) -> None:
    text = f"\ufeffNote{delimiter}When\nLikes tea{delimiter}2026-01-01\n"

    (found,) = inputs(read(path, text, content="Note", timestamp="When"))

    assert (found["content"], found["timestamp"]) == ("Likes tea", "2026-01-01T00:00:00Z")
    assert found["key"].startswith("csv/")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("2025", "2025-01-01T00:00:00Z"),
        (" 2025-03 ", "2025-03-01T00:00:00Z"),
        ("1700000000", "2023-11-14T22:13:20Z"),
        ("1700000000123", "2023-11-14T22:13:20.123000Z"),
        ("1700000000.5", "2023-11-14T22:13:20.500000Z"),
        ("20250307", "2025-03-07T00:00:00Z"),
    ],
)
def test_a_time_in_a_table_may_be_a_year_or_a_number(path: Path, written: str, read_as: str) -> None:
    """Issue 35: a table stores numbers as text."""
    (found,) = inputs(read(path, f"content,timestamp\nLikes tea,{written}\n"))

    assert found["timestamp"] == read_as


def test_an_invalid_time_in_a_row_is_reported(path: Path) -> None:
    assert read(path, "content,t_valid\nLikes tea,5\n") == [Remark("line 2", f"t_valid: {EXPECTED_TIME}")]


def test_rows_that_cannot_be_read_are_reported_with_their_line(path: Path) -> None:
    records = read(path, "content,importance\na,much\n,1\nb,0.1,c\nd,0.2\n")

    assert [each.memory.content for each in records if isinstance(each, ImportItem)] == ["d"]
    assert [each.where for each in records if isinstance(each, Remark)] == ["line 2", "line 3", "line 4"]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("a,b\n1,2\n", {}, "no column 'content' among a, b; name the text's with --column content=NAME"),
        ("a,b\n1,2\n", {"content": "c"}, "no column 'c' among a, b"),
        ("a,b\n1,2\n", {"text": "a"}, "no field 'text'"),
        ("content,content\n1,2\n", {}, "two columns have one name"),
        ("", {}, "no column 'content' among none"),
    ],
)
def test_a_table_without_a_text_is_refused(path: Path, text: str, columns: dict, message: str) -> None:
    with pytest.raises(UnreadableFileError, match=message):
        read(path, text, **columns)


def test_a_table_that_is_not_utf8_is_refused_before_anything_is_read(path: Path) -> None:
    """Also if only its end shows the encoding: no garbled text is stored."""
    path.write_bytes(b"content\n" + b"Likes tea\n" * 20_000 + "Mag Käse\n".encode("cp1252"))

    with pytest.raises(UnreadableFileError, match="not UTF-8"):
        read_csv(path, 32_000)
