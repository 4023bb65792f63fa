"""The reader of Markdown notes and Obsidian vaults."""

from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.models import ImportItem, LinkItem, Record, Remark, UnreadableFileError
from app.cli.importers.vault import read_vault


def read(path: Path, content_chars: int = 2000) -> list[Record]:
    contents = read_vault(path, 32_000, content_chars=content_chars)
    return list(contents.records)


def inputs(records: list[Record]) -> list[dict[str, Any]]:
    return [record.memory.to_input() for record in records if isinstance(record, ImportItem)]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Vault"
    (root / "people").mkdir(parents=True)
    (root / ".obsidian").mkdir()
    (root / ".obsidian" / "note.md").write_text("hidden")
    return root


def test_known_front_matter_becomes_fields_and_the_rest_metadata(vault: Path) -> None:
    (vault / "Tea.md").write_text(
        "---\ntitle: Green tea\ntags: [drink, hot/tea]\ncreated: 2026-01-02\nmodified: 2026-01-03T04:05:06\n"
        "importance: 0.8\ntype: meeting\nrating: 5\naliases: [Sencha]\n---\nSteep at 70 °C. #brewing\n\n"
        "```\n#no-tag\n```\n"
    )

    assert inputs(read(vault)) == [
        {
            "content": "Green tea\n\nSteep at 70 °C. #brewing\n\n```\n#no-tag\n```",
            "key": "markdown/Vault/Tea",
            "tags": ["drink", "hot/tea", "brewing"],
            "timestamp": "2026-01-02T00:00:00Z",
            "updatedAt": "2026-01-03T04:05:06Z",
            "importance": 0.8,
            "metadata": {"type": "meeting", "rating": 5, "aliases": ["Sencha"]},
            "sourceType": "imported",
            "dedup": False,
        }
    ]


def test_front_matter_may_have_tabs(vault: Path) -> None:
    """Issue 35."""
    (vault / "Tea.md").write_text("---\ntitle:\tGreen tea\ntags:\t[drink,\thot]\n---\nSteep.")

    (found,) = inputs(read(vault))

    assert (found["content"], found["tags"]) == ("Green tea\n\nSteep.", ["drink", "hot"])


def test_a_note_may_name_a_year_for_a_time(vault: Path) -> None:
    """Issue 35: a year that ends a validity counts to its end, and an unreadable time stays metadata."""
    (vault / "Tea.md").write_text(
        "---\ndate: 2025\nupdated: 2025-03\nvalid_from: 1700000000\nvalid_until: 2026\nexpires_at: 5\n---\nSteep."
    )

    (found,) = inputs(read(vault))

    assert {name: found[name] for name in ("timestamp", "updatedAt", "tValid", "tInvalid", "metadata")} == {
        "timestamp": "2025-01-01T00:00:00Z",
        "updatedAt": "2025-03-01T00:00:00Z",
        "tValid": "2023-11-14T22:13:20Z",
        "tInvalid": "2026-12-31T23:59:59.999999Z",
        "metadata": {"expires_at": 5},
    }


def test_links_become_associations(vault: Path) -> None:
    """15.9: wiki links by path, name, alias and heading, and Markdown links, to notes that exist."""
    (vault / "people" / "Ada.md").write_text("---\naliases: [Countess, 'Lovelace, Ada']\n---\nWrote notes.")
    (vault / "Engine.md").write_text("Designed by Babbage.")
    (vault / "Start.md").write_text(
        "[[people/Ada]] met [[Countess|her]] about [[engine#Parts]]; see [it](people/Ada.md) and [[Nowhere]]. "
        "[[Lovelace, Ada]]."
    )

    records = read(vault)

    contents = {each["key"]: each["content"] for each in inputs(records)}
    assert contents["markdown/Vault/Start"].endswith(
        "people/Ada met her about engine#Parts; see [it](people/Ada.md) and Nowhere. Lovelace, Ada."
    )
    start, ada, engine = (f"markdown/Vault/{name}" for name in ("Start", "people/Ada", "Engine"))
    links = {(each.from_name, each.to_name) for each in records if isinstance(each, LinkItem)}
    assert links == {(start, ada), (start, engine)}
    assert [each for each in records if isinstance(each, Remark)] == [
        Remark("Start", "link to no note of the vault left out", "changed")
    ]


def test_links_and_tags_are_read_in_any_spelling(vault: Path) -> None:
    """Issue 35, 12: macOS decomposes file names, and a link may omit accents."""
    (vault / "people" / "Andre\u0301.md").write_text("Drinks tea. #\u091a\u093e\u092f #caf\u00e9/oslo")
    (vault / "Resume.md").write_text("Go on.")
    (vault / "R\u00e9sum\u00e9.md").write_text("Worked in Oslo.")
    (vault / "Start.md").write_text("[[Andr\u00e9]], [[people/andre]] and [[R\u00e9sum\u00e9]].")

    records = read(vault)

    andre = "markdown/Vault/people/Andr\u00e9"
    tags = {each["key"]: each.get("tags") for each in inputs(records)}
    assert tags[andre] == ["\u091a\u093e\u092f", "caf\u00e9/oslo"]
    links = {(each.from_name, each.to_name) for each in records if isinstance(each, LinkItem)}
    start = "markdown/Vault/Start"
    assert links == {(start, andre), (start, "markdown/Vault/R\u00e9sum\u00e9")}


def test_a_long_note_becomes_several_cut_at_headings_and_paragraphs(vault: Path) -> None:
    (vault / "Long.md").write_text("# One\n\n" + "word " * 30 + "\n\n# Two\n\nshort\n\n" + "x" * 300)

    records = read(vault, content_chars=200)

    found = inputs(records)
    assert [each["key"] for each in found] == [
        "markdown/Vault/Long",
        *(f"markdown/Vault/Long#{number}" for number in range(2, len(found) + 1)),
    ]
    assert all(len(each["content"]) <= 200 for each in found)
    assert all(each["content"].startswith("Long\n\n") for each in found)
    assert "".join(each["content"].removeprefix("Long\n\n") for each in found[-2:]) == "x" * 300
    assert {each.to_name for each in records if isinstance(each, LinkItem)} == {"markdown/Vault/Long"}


@pytest.mark.parametrize(
    ("head", "metadata", "remarks"),
    [
        ("a: [", {"a": "["}, 0),
        ("- a\nb: 1", {"b": 1}, 1),
        ("a: &x [1]\nb: [*x, *x]", {"a": [1], "b": "[*x, *x]"}, 0),
        ("a: !!python/object:os.system {}", {"a": "!!python/object:os.system {}"}, 0),
        ("a: !!timestamp x", {"a": "!!timestamp x"}, 0),
        ('author: "Ann" Lee\nrating: 5', {"author": '"Ann" Lee', "rating": 5}, 0),
        ("name: @ann\nmeta:\n  a: b: c\n  d: e", {"name": "@ann", "meta": "a: b: c\nd: e"}, 0),
        ("list:\n- x\n- y: z: q\n# no: field: here", {"list": ["x", "y: z: q"]}, 0),
        ("when: 2025-13-45", {"when": "2025-13-45"}, 0),
        ("x: 1\nno field\ny: a: b", {"x": 1, "y": "a: b"}, 1),
        ("x: " + "y" * 65_536, None, 1),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_field_that_is_not_yaml_is_read_as_text(vault: Path, head, metadata, remarks) -> None:
    """15, issue 35: YAML bombs are harmless, and unreadable front matter loses no note."""
    (vault / "Bad.md").write_text(f"---\n{head}\n---\ntext")

    records = read(vault)

    (found,) = inputs(records)
    assert (found["content"], found.get("metadata")) == ("Bad\n\ntext", metadata)
    assert [each.effect for each in records if isinstance(each, Remark)] == ["changed"] * remarks


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Tea: a guide", "Tea: a guide"),
        ("Re: Re: tea", "Re: Re: tea"),
        ("'Tea: quoted'", "Tea: quoted"),
        ("@tea", "@tea"),
        ("yes", "yes"),
        ("2025", "2025"),
        ("1.10", "1.10"),
        ("- tea", "- tea"),
        ("[Tea] and cake", "[Tea] and cake"),
        ("*tea*", "*tea*"),
        ("100% sure: yes", "100% sure: yes"),
        ("C# notes", "C# notes"),
        ('"Tea" said Ada', '"Tea" said Ada'),
        ("'Tis the season", "'Tis the season"),
        ("`tea` talk", "`tea` talk"),
        ("!tea", "!tea"),
        ("> 5 teas", "> 5 teas"),
        ("Tea:", "Tea:"),
        ("{{title}}", "{{title}}"),
        (">-\n  Tea: a\n  guide", "Tea: a guide"),
    ],
)
def test_a_title_is_read_verbatim(vault: Path, title: str, shown: str) -> None:
    """Issue 35: also a title with a colon."""
    (vault / "Note.md").write_text(f"---\ntitle: {title}\ntags: [a]\n---\nSteep.")

    (found,) = inputs(read(vault))

    assert (found["content"], found["tags"]) == (f"{shown}\n\nSteep.", ["a"])


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("[yes, no]", ["yes", "no"]),
        ("[on, Off, y, true, 2025, 1.10, 010, 1:30, 2026-01-01]",
         ["on", "Off", "y", "true", "2025", "1.10", "010", "1:30", "2026-01-01"]),
        ("no", ["no"]),
        ("\n- a: b\n- [c, d]", ["a:b", "c", "d"]),
        ('["tea, green", cake]', ["tea", "green", "cake"]),
        ("'tea, #cake'", ["tea", "cake"]),
        ("\n- @x\n- y", ["@x", "y"]),
        ("#tea #green-cake", ["tea", "green-cake"]),
        ("#tea, #cake", ["tea", "cake"]),
        ("[#tea, #cake, rye]", ["tea", "cake", "rye"]),
        ("\n  - #tea\n  - #cake # not this", ["tea", "cake"]),
        ("\n- \"#tea\"\n- 'cake'", ["tea", "cake"]),
        ("# nothing yet", []),
        ("[\n  tea,\n  cake\n]", ["tea", "cake"]),
        ("[0x1F, 1e3, 1_000, .5]", ["0x1F", "1e3", "1_000", ".5"]),
        ("[a:b, c: d]", ["a:b", "c:d"]),
        ("[null, ~, tea]", ["tea"]),
        ("", []),
    ],
)  # fmt: skip
def test_tags_are_read_verbatim(vault: Path, written: str, tags: list[str]) -> None:
    """Issue 35: YAML types are ignored; no tag contains a comma, since no caller could ask for it."""
    (vault / "Note.md").write_text(f"---\ntags: {written}\n---\nSteep.")

    (found,) = inputs(read(vault))

    assert found["tags"] == tags


def test_front_matter_follows_yaml_1_2(vault: Path) -> None:
    (vault / "Note.md").write_text("---\nzip: 01234\nat: 1:30\ndone: yes\ndraft: true\nn: -12\n---\nSteep.")

    (found,) = inputs(read(vault))

    assert found["metadata"] == {"zip": "01234", "at": "1:30", "done": "yes", "draft": True, "n": -12}


def test_binary_files_are_reported_and_the_others_read(vault: Path) -> None:
    (vault / "Bytes.md").write_bytes(b"\xff\xfe\x00")
    (vault / "Empty.md").write_text("---\na: 1\n---\n")
    (vault / "Fine.md").write_text("fine")
    (vault / "people" / "Ada.png").write_bytes(b"x")
    (vault / "Makefile").write_text("x")

    records = read(vault)

    assert [each["key"] for each in inputs(records)] == ["markdown/Vault/Fine"]
    assert [each for each in records if isinstance(each, Remark)] == [
        Remark("Makefile", "other file, no note"),
        Remark("people/Ada.png", ".png file, no note"),
        Remark("Bytes.md", "not UTF-8"),
        Remark("Empty.md", "no text"),
    ]


def test_a_folder_without_notes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text("{}")

    for path in (tmp_path, tmp_path / "data.json"):
        with pytest.raises(UnreadableFileError, match=r"no note found"):
            read_vault(path, 32_000)
