"""The readers of other memory stores' exports, with samples in the format of each store."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.automem import read_automem, read_omniroute
from app.cli.importers.langgraph import read_langgraph
from app.cli.importers.mem0 import read_mem0
from app.cli.importers.models import ImportItem, LinkItem, Record, Remark, UnreadableFileError
from app.client.langgraph_layout import memory_id
from tests.fixtures.exports import AUTOMEM, ID, ITEM, MEM0, OMNIROUTE, OTHER_ID


@pytest.fixture
def written(tmp_path: Path) -> Callable[[Any], Path]:
    def write(value: Any) -> Path:
        path = tmp_path / "export.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return path

    return write


def inputs(records: list[Record]) -> list[dict[str, Any]]:
    return [record.memory.to_input() for record in records if isinstance(record, ImportItem)]


def read(reader, path: Path, **options: Any) -> list[Record]:
    contents = reader(path, 32_000, **options)
    return list(contents.records)


@pytest.mark.parametrize("around", [lambda each: {"results": [each]}, lambda each: [each]])
def test_mem0_memories_keep_owner_run_times_and_metadata(written, around) -> None:
    """15.9: user_id, agent_id and run_id become userId, agentId and sessionId."""
    assert inputs(read(read_mem0, written(around(MEM0)))) == [
        {
            "content": "Alice loves Python",
            "id": ID,
            "userId": "alice",
            "agentId": "helper",
            "sessionId": "run-1",
            "speaker": "user",
            "timestamp": "2026-03-01T02:15:24.762839Z",
            "createdAt": "2026-03-01T02:15:24.762839Z",
            "updatedAt": "2026-03-02T02:15:24.772755Z",
            "expiresAt": "2027-02-01T00:00:00Z",
            "metadata": {"category": "tech"},
            "sourceType": "imported",
            "dedup": False,
        }
    ]


@pytest.mark.parametrize("separator", ["\u2028", "\x85"], ids=ascii)
def test_json_lines_end_where_json_ends_them(written, separator) -> None:
    lines = [
        json.dumps({**MEM0, "memory": f"first{text}second"}, ensure_ascii=False) for text in ("", separator)
    ]

    texts = [each["content"] for each in inputs(read(read_mem0, written("\n".join(lines))))]

    assert texts == ["firstsecond", f"first{separator}second"]


def test_mem0s_history_returns_the_last_text_of_each_memory_and_reports_deletions(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT, "
            "created_at DATETIME, updated_at DATETIME, is_deleted INTEGER, actor_id TEXT, role TEXT)"
        )
        at = "2026-03-01T02:15:24+00:00"
        database.executemany(
            "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                ("a", ID, None, "Alice likes Python", "ADD", at, at, 0, None, "user"),
                ("b", OTHER_ID, None, "gone", "ADD", at, at, 0, None, "user"),
                ("c", ID, "Alice likes Python", "Alice loves Python", "UPDATE", at, at, 0, None, "user"),
                ("d", OTHER_ID, "gone", None, "DELETE", at, at, 1, None, "user"),
            ],
        )
    database.close()

    records = read(read_mem0, path)

    assert [(each["id"], each["content"]) for each in inputs(records)] == [(ID, "Alice loves Python")]
    assert [each for each in records if isinstance(each, Remark)] == [Remark("#2", "deleted in mem0")]


def test_a_history_of_an_earlier_mem0_has_fewer_columns(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE history (id TEXT, memory_id TEXT, old_memory TEXT, new_memory TEXT, event TEXT)"
        )
        database.execute("INSERT INTO history VALUES ('1', 'm-1', NULL, 'Likes tea', 'ADD')")
    database.close()

    assert [each["content"] for each in inputs(read(read_mem0, path))] == ["Likes tea"]


@pytest.mark.parametrize(
    ("written_as", "ends"),
    [("2027-01-31", "2027-02-01T00:00:00Z"), ("2027-01", "2027-02-01T00:00:00Z"), ("2027", "2028-01-01T00:00:00Z"),
     ("2027-01-31T10:00:00+01:00", "2027-01-31T09:00:00Z")],
)  # fmt: skip
def test_a_mem0_memory_expires_after_its_expiration_date(written, written_as, ends) -> None:
    """Issue 35."""
    (found,) = inputs(read(read_mem0, written([{**MEM0, "expiration_date": written_as}])))

    assert found["expiresAt"] == ends


def test_a_mem0_memory_with_the_maximum_date_never_expires(written) -> None:
    (found,) = inputs(read(read_mem0, written([{**MEM0, "expiration_date": "9999-12-31"}])))

    assert "expiresAt" not in found


def test_relations_of_mem0s_graph_are_reported_once(written) -> None:
    relations = [{"source": "alice", "relationship": "likes", "target": "tea"}] * 2

    records = read(read_mem0, written({"results": [MEM0], "relations": relations}))

    assert [each for each in records if isinstance(each, Remark)] == [
        Remark("relations", "2 relations of mem0's graph memory")
    ]


def test_nan_and_infinity_do_not_end_an_import(written) -> None:
    """Python reads and writes NaN, but the client would refuse to send it."""
    records = read(read_mem0, written([{**MEM0, "metadata": {"score": float("nan"), "n": 1}}]))

    assert [each.reason for each in records if isinstance(each, Remark)] == [
        "numbers that are not finite left out"
    ]
    assert inputs(records)[0]["metadata"] == {"score": None, "n": 1}


def test_another_database_is_not_read_as_mem0s_history(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x)")
    database.close()

    with pytest.raises(UnreadableFileError, match=r"no such table: history.*get_all"):
        read_mem0(path, 32_000)


def test_automem_memories_keep_their_ids_types_and_relations(written) -> None:
    other = {"id": OTHER_ID, "content": "Chose spaces", "type": "Memory"}
    relation = {"type": "EVOLVED_INTO", "direction": "in", "strength": 0.8, "memory": {"id": OTHER_ID}}
    hits = {
        "status": "success",
        "results": [
            {"id": ID, "score": 0.9, "memory": AUTOMEM, "relations": [relation]},
            {"id": OTHER_ID, "score": 0.1, "memory": other, "relations": []},
        ],
    }

    records = read(read_automem, written(hits))

    assert inputs(records) == [
        {
            "content": "Chose tabs",
            "id": ID,
            "type": "DECISION",
            "tags": ["editor"],
            "importance": 0.9,
            "metadata": {"files": 2},
            "timestamp": "2026-01-12T09:30:00Z",
            "sourceType": "imported",
            "dedup": False,
        },
        {"content": "Chose spaces", "id": OTHER_ID, "sourceType": "imported", "dedup": False},
    ]
    assert records[2:] == [LinkItem(f"{ID} → {OTHER_ID}", OTHER_ID, ID, "EVOLVED_INTO", 0.8)]


@pytest.mark.parametrize(
    ("written_at", "kept"),
    [
        ("2026-03-07T12:00:00Z", "2026-03-07T12:00:00Z"),
        ("2026-03-07 12:00:00", "2026-03-07T12:00:00Z"),
        ("2026-03-07T13:00:00+01:00", "2026-03-07T12:00:00Z"),
        ("20260307T120000Z", "2026-03-07T12:00:00Z"),
        ("2026-03-07", "2026-03-07T00:00:00Z"),
        (1_772_884_800, "2026-03-07T12:00:00Z"),
        (1_772_884_800.0, "2026-03-07T12:00:00Z"),
        (1_772_884_800_000, "2026-03-07T12:00:00Z"),
        (None, None),
        ("", None),
        ("  ", None),
    ],
)
def test_omniroute_keeps_the_time_of_creation_in_each_form(
    written, written_at: Any, kept: str | None
) -> None:
    """Issue 35.5: a memory without a time is kept without one."""
    for name in ("createdAt", "created_at"):
        row = {name_: value for name_, value in OMNIROUTE.items() if name_ not in ("createdAt", "updatedAt")}
        (found,) = inputs(read(read_omniroute, written({"data": [{**row, name: written_at}]})))

        assert (found.get("createdAt"), found.get("timestamp"), found["content"]) == (
            kept,
            kept,
            "Prefers tabs",
        )


def test_automem_links_to_missing_memories_are_counted_by_kind(written) -> None:
    """Issue 35.5: the report names omissions and changes; an edge listed by both its memories counts once."""

    def to(other: Any, type_: Any, direction: str = "out", strength: Any = 0.5) -> dict[str, Any]:
        return {"type": type_, "direction": direction, "strength": strength, "memory": other}

    gone = {"id": "gone"}
    hits = [
        {**AUTOMEM, "relations": [to(gone, "LEADS_TO"), to(gone, "PART_OF"), to(None, "LEADS_TO")]},
        {
            "id": OTHER_ID,
            "memory": {"content": "Chose spaces"},
            "relations": [to({"id": ID}, "PART_OF", "in"), to({"id": ID}, "SIMILAR_TO", strength=7)],
        },
    ]
    hits[0]["relations"].append(to({"id": OTHER_ID}, "PART_OF"))

    records = read(read_automem, written(hits))

    back = f"{OTHER_ID} → {ID}"
    assert records[2:] == [
        Remark(f"{ID} → gone", "link LEADS_TO to a memory that is not in the export"),
        Remark(f"{ID} → gone", "link PART_OF to a memory that is not in the export"),
        Remark(f"{ID} → ?", "link LEADS_TO to a memory that is not in the export"),
        LinkItem(f"{ID} → {OTHER_ID}", ID, OTHER_ID, "PART_OF", 0.5),
        Remark(back, "link of unknown type 'SIMILAR_TO' becomes RELATES_TO", "changed"),
        Remark(back, "strength of a link left out: not between 0 and 1", "changed"),
        LinkItem(back, OTHER_ID, ID, "RELATES_TO", None),
    ]


@pytest.mark.parametrize(
    "row",
    [
        OMNIROUTE,
        {
            "id": ID,
            "api_key_id": "key_1",
            "session_id": None,
            "type": "factual",
            "key": "preference:indentation",
            "content": "Prefers tabs",
            "metadata": '{"category": "preference"}',
            "created_at": "2026-03-07 12:00:00",
            "updated_at": "2026-03-07 12:00:00",
            "expires_at": None,
            "needs_reindex": 0,
        },
    ],
)
def test_omniroute_memories_are_those_of_their_api_key(written, row) -> None:
    """15.9: memories of two API keys with the same key do not overwrite each other."""
    assert inputs(read(read_omniroute, written({"data": [row], "total": 1}))) == [
        {
            "content": "Prefers tabs",
            "key": "preference:indentation",
            "id": ID,
            "kind": "FACTUAL",
            "userId": "key_1",
            "metadata": {"category": "preference"},
            "timestamp": "2026-03-07T12:00:00Z",
            "createdAt": "2026-03-07T12:00:00Z",
            "updatedAt": "2026-03-07T12:00:00Z",
            "sourceType": "imported",
            "dedup": False,
        }
    ]


@pytest.mark.parametrize(
    "dump",
    [
        [ITEM],
        {"items": [ITEM]},
        f"{json.dumps(ITEM)}\n{json.dumps(ITEM)}",
        [{**ITEM, "namespace": None, "prefix": "users.ada", "value": json.dumps(ITEM["value"])}],
    ],
)
def test_langgraph_items_have_the_form_of_recollectstore(written, dump) -> None:
    if isinstance(dump, list) and "prefix" in dump[0]:
        dump = [{name: value for name, value in dump[0].items() if name != "namespace"}]

    item = read(read_langgraph, written(dump), namespace="users/{user}")[0]

    assert isinstance(item, ImportItem)
    assert item.memory.to_input() == {
        "content": "prefers tabs",
        "tags": ["langgraph/users/ada"],
        "userId": "ada",
        "metadata": {
            "langgraph": {
                "namespace": ["users", "ada"],
                "key": "editor",
                "value": {"text": "prefers tabs"},
                "putAt": "2026-01-13T09:30:00+00:00",
                "indexed": True,
                "ttlMinutes": None,
            }
        },
        "timestamp": "2026-01-12T09:30:00Z",
        "createdAt": "2026-01-12T09:30:00Z",
        "updatedAt": "2026-01-13T09:30:00Z",
        "sourceType": "imported",
        "dedup": False,
    }
    assert item.id_in is not None
    assert item.id_in("ws_1") == memory_id("ws_1", ["users", "ada"], "editor")


def test_a_namespace_without_user_or_agent_is_refused(written) -> None:
    with pytest.raises(UnreadableFileError, match=r"neither \{user\} nor \{agent\}"):
        read_langgraph(written([ITEM]), 32_000, namespace="users")


READERS = {
    read_mem0: (MEM0, "get_all"),
    read_automem: (AUTOMEM, "AutoMem lists"),
    read_omniroute: (OMNIROUTE, "OmniRoute lists"),
    read_langgraph: (ITEM, "LangGraph store lists"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", ["{", "[]", '{"mapping": {}}', "[1, null]"])
def test_an_invalid_export_is_refused(written, reader, content: str) -> None:
    with pytest.raises(UnreadableFileError, match=f"{READERS[reader][1]}|not JSON"):
        reader(written(content), 32_000)


@pytest.mark.parametrize("reader", READERS)
def test_another_stores_export_is_refused_with_the_expected_form(written, reader) -> None:
    """15: the error names the format that the importer expects."""
    for other, (sample, _) in READERS.items():
        if other is reader or (reader, other) == (read_automem, read_omniroute):
            continue  # OmniRoute's memories have all fields that AutoMem requires
        with pytest.raises(UnreadableFileError, match=READERS[reader][1]):
            reader(written([sample]), 32_000)


@pytest.mark.parametrize("reader", READERS)
def test_an_invalid_record_is_reported_and_the_others_read(written, reader) -> None:
    records = read(reader, written([READERS[reader][0], {"a": 1}, 3]))

    assert [type(each) for each in records] == [ImportItem, Remark, Remark]
    assert all("missing" in each.reason for each in records if isinstance(each, Remark))


def test_categories_with_commas_are_tags_of_their_own(written) -> None:
    """Issue 35: callers split tags at commas, so they could not find a tag that contains one."""
    (found,) = inputs(read(read_mem0, written([{**MEM0, "categories": ["food, drink", "travel"]}])))

    assert found["tags"] == ["food", "drink", "travel"]


@pytest.mark.parametrize(
    ("reader", "record"), [(read_mem0, MEM0), (read_omniroute, OMNIROUTE), (read_automem, AUTOMEM)]
)
def test_ignored_fields_are_counted_by_name(written, reader, record) -> None:
    """Issue 35: fields without a value do not count."""
    rows = [{**record, "id": str(number), "mood": "good", "nothing": None} for number in range(2)]

    records = read(reader, written(rows))

    assert len(inputs(records)) == 2
    assert [each for each in records if isinstance(each, Remark)] == [
        Remark(str(number), "unknown field 'mood' left out", "changed") for number in range(2)
    ]
