"""The readers of ChatGPT's and Claude's exports: the parts they read and the parts they omit."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.chats import read_chatgpt, read_claude
from app.cli.importers.models import ChatItem, ImportItem, Reader, Record, Remark, UnreadableFileError
from graph.core.exact import EXPECTED_TIME


def read(reader: Reader, path: Path, document: Any) -> list[Record]:
    path.write_text(json.dumps(document))
    contents = reader(path, 32_000)
    return list(contents.records)


def inputs(records: list[Record]) -> list[dict[str, Any]]:
    return [record.memory.to_input() for record in records if isinstance(record, ImportItem)]


def node(name: str, parent: str | None, *children: str, **message: Any) -> dict[str, Any]:
    return {"id": name, "parent": parent, "children": list(children), "message": message or None}


def said(name: str, role: str, text: str, time: float | None = None, **extra: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": [text]}
    return {"id": f"msg-{name}", "author": {"role": role}, "content": content, "create_time": time, **extra}


def chat(mapping: dict[str, Any], **extra: Any) -> dict[str, Any]:
    return {
        "title": "Kites",
        "create_time": 1_700_000_000.0,
        "conversation_id": "c-1",
        "mapping": mapping,
        **extra,
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "conversations.json"


def test_chatgpt_follows_the_branch_the_user_saw_last(path: Path) -> None:
    mapping = {
        "root": node("root", None, "a"),
        "a": node("a", "root", "b", "b2", **said("a", "user", "How do kites fly?", 1_700_000_001.5)),
        "b": node("b", "a", **said("b", "assistant", "An answer that was redone.", 1_700_000_009)),
        "b2": node("b2", "a", **said("b2", "assistant", "Wind and angle.", 1_700_000_005)),
    }

    records = read(read_chatgpt, path, [chat(mapping, current_node="b2")])

    assert inputs(records) == [
        {
            "content": "How do kites fly?",
            "speaker": "user",
            "key": "chatgpt/msg-a",
            "timestamp": "2023-11-14T22:13:21.500000Z",
            "sourceType": "imported",
            "sourceConversationId": "c-1",
            "sourceMessageId": "msg-a",
            "metadata": {"conversation_title": "Kites"},
            "dedup": False,
        },
        {
            "content": "Wind and angle.",
            "speaker": "assistant",
            "key": "chatgpt/msg-b2",
            "timestamp": "2023-11-14T22:13:25Z",
            "sourceType": "imported",
            "sourceConversationId": "c-1",
            "sourceMessageId": "msg-b2",
            "metadata": {"conversation_title": "Kites"},
            "dedup": False,
        },
    ]
    assert records[2:] == [
        Remark("Kites #3", "message of a branch that was not shown last"),
        ChatItem(
            "Kites",
            "c-1",
            "ChatGPT",
            "Kites",
            [{"id": "msg-a", "content": "How do kites fly?"}, {"id": "msg-b2", "content": "Wind and angle."}],
        ),
    ]


def test_chatgpt_without_current_node_takes_the_branch_of_the_newest_leaf(path: Path) -> None:
    mapping = {
        "a": node("a", None, "b", "b2", **said("a", "user", "Question", 1_700_000_001)),
        "b": node("b", "a", **said("b", "assistant", "newest", 1_700_000_009)),
        "b2": node("b2", "a", **said("b2", "assistant", "older", 1_700_000_005)),
    }

    assert [i["content"] for i in inputs(read(read_chatgpt, path, [chat(mapping)]))] == ["Question", "newest"]


def test_chatgpt_reports_content_other_than_text(path: Path) -> None:
    code = said(
        "c", "assistant", "", content={"content_type": "code", "text": "search()"}, recipient="browser"
    )
    spoken: dict[str, Any] = {"content_type": "multimodal_text"}
    spoken["parts"] = [{"content_type": "image_asset_pointer"}, {"text": "spoken words"}, "typed words"]
    mapping = {
        "a": node("a", None, "b", **said("a", "system", "Be kind.")),
        "b": node(
            "b",
            "a",
            "c",
            **said("b", "user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        ),
        "c": node("c", "b", "d", **code),
        "d": node("d", "c", "e", **said("d", "user", "")),
        "e": node("e", "d", **said("e", "user", "", content=spoken)),
    }

    *remarks, item, _ = read(read_chatgpt, path, [chat(mapping, current_node="e")])

    assert remarks == [
        Remark("Kites #1", "message of the system role"),
        Remark("Kites #2", "hidden message"),
        Remark("Kites #3", "code message, not words of the conversation"),
        Remark("Kites #4", "no text"),
        Remark("Kites #5", "image asset pointer left out", "changed"),
    ]
    assert isinstance(item, ImportItem)
    assert item.memory.content == "spoken words\ntyped words"


def test_chatgpt_exports_with_cyclic_parents_are_read(path: Path) -> None:
    mapping = {
        "a": node("a", "b", "b", **said("a", "user", "one")),
        "b": node("b", "a", "a", **said("b", "assistant", "two")),
    }

    records = read(read_chatgpt, path, [chat(mapping, current_node="b")])

    assert [i["content"] for i in inputs(records)] == ["one", "two"]


def test_times_rise_with_the_order_of_the_messages(path: Path) -> None:
    mapping = {
        "a": node("a", None, "b", **said("a", "user", "one")),
        "b": node("b", "a", "c", **said("b", "assistant", "two", 1_600_000_000)),
        "c": node("c", "b", **said("c", "user", "three")),
    }

    found = inputs(read(read_chatgpt, path, [chat(mapping, current_node="c")]))

    assert [i["timestamp"] for i in found] == [
        "2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20.001000Z",
        "2023-11-14T22:13:20.002000Z",
    ]


def test_claude_messages_become_turns(path: Path) -> None:
    export = {
        "uuid": "u-1",
        "name": "Bread",
        "created_at": "2025-03-01T09:00:00.000000Z",
        "chat_messages": [
            {
                "uuid": "m-1",
                "sender": "human",
                "text": "My starter died.",
                "created_at": "2025-03-01T09:00:01Z",
            },
            {
                "uuid": "m-2",
                "sender": "assistant",
                "text": "placeholder",
                "content": [
                    {"type": "thinking", "thinking": "hm"},
                    {"type": "text", "text": "Feed it rye."},
                    {"type": "tool_use", "name": "search"},
                    {"type": "text", "text": "Twice a day."},
                ],
                "created_at": "2025-03-01T10:00:05+01:00",
            },
        ],
    }

    records = read(read_claude, path, [export])

    assert inputs(records) == [
        {
            "content": "My starter died.",
            "speaker": "user",
            "key": "claude/m-1",
            "timestamp": "2025-03-01T09:00:01Z",
            "sourceType": "imported",
            "sourceConversationId": "u-1",
            "sourceMessageId": "m-1",
            "metadata": {"conversation_title": "Bread"},
            "dedup": False,
        },
        {
            "content": "Feed it rye.\nTwice a day.",
            "speaker": "assistant",
            "key": "claude/m-2",
            "timestamp": "2025-03-01T09:00:05Z",
            "sourceType": "imported",
            "sourceConversationId": "u-1",
            "sourceMessageId": "m-2",
            "metadata": {"conversation_title": "Bread"},
            "dedup": False,
        },
    ]


def test_claude_reports_messages_without_words_or_sender(path: Path) -> None:
    messages = [
        {"uuid": "m", "sender": "human", "text": "", "content": []},
        {"uuid": "n", "sender": "moon", "text": "x"},
        "noise",
    ]

    records = read(read_claude, path, [{"uuid": "u", "name": "", "chat_messages": messages}])

    assert records == [
        Remark("u #1", "no text"),
        Remark("u #2", "message of the moon role"),
        Remark("u #3", "not a message"),
    ]


def test_a_grown_export_keeps_the_keys_of_old_messages(path: Path) -> None:
    """A message's key does not depend on its position in the file."""
    export = {
        "name": "No id",
        "created_at": "2025-01-01T00:00:00Z",
        "chat_messages": [{"sender": "human", "text": "a"}],
    }
    grown = {**export, "chat_messages": [*export["chat_messages"], {"sender": "assistant", "text": "b"}]}

    first = inputs(read(read_claude, path, [export]))
    second = inputs(read(read_claude, path, [{"uuid": "other", "chat_messages": []}, grown]))

    assert second[0] == first[0]


@pytest.mark.parametrize(("reader", "program"), [(read_chatgpt, "ChatGPT"), (read_claude, "Claude")])
def test_an_export_of_another_program_is_refused(path: Path, reader: Reader, program: str) -> None:
    other = {"chat_messages": []} if program == "ChatGPT" else {"mapping": {}}

    with pytest.raises(UnreadableFileError, match=program):
        read(reader, path, [other])


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b"PK\x03\x04zip", b"[" * 100_000])
def test_a_file_that_is_not_json_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(UnreadableFileError, match="the file is"):
        read_claude(path, 32_000)


@pytest.mark.parametrize("started", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"])
def test_out_of_range_times_do_not_end_an_import(path: Path, started: str) -> None:
    """Go writes the year 1 for a missing time."""
    messages = [{"uuid": f"m-{place}", "sender": "human", "text": "I bake."} for place in range(2)]
    export = {"uuid": "u-1", "name": "Bread", "created_at": started, "chat_messages": messages}

    assert len(inputs(read(read_claude, path, [export]))) == 2


def test_an_invalid_time_does_not_select_chatgpts_branch(path: Path) -> None:
    mapping = {
        "root": node("root", None, "a", "b"),
        "a": node("a", "root", **said("a", "user", "Kites?", 10**400)),
        "b": node("b", "root", **said("b", "user", "Trains?", 1_700_000_005)),
    }

    assert [each["content"] for each in inputs(read(read_chatgpt, path, [chat(mapping)]))] == ["Trains?"]


def test_a_conversation_to_be_extracted_is_one_record_with_its_messages(path: Path) -> None:
    """15.9: no message becomes a memory directly."""
    export = {
        "uuid": "u-1",
        "name": "Bread",
        "chat_messages": [
            {"uuid": "m-1", "sender": "human", "text": "I bake.", "created_at": "2025-03-01T09:00:01Z"},
            {"uuid": "m-2", "sender": "assistant", "text": "Nice."},
        ],
    }
    path.write_text(json.dumps([export]))

    contents = read_claude(path, 32_000, is_extracted=True)

    assert list(contents.records) == [
        ChatItem(
            "Bread",
            "u-1",
            "Claude",
            "Bread",
            [
                {"id": "m-1", "content": "I bake.", "role": "USER", "saidAt": "2025-03-01T09:00:01Z"},
                {
                    "id": "m-2",
                    "content": "Nice.",
                    "role": "ASSISTANT",
                    "saidAt": "2025-03-01T09:00:01.001000Z",
                },
            ],
            is_extracted=True,
        )
    ]


def test_a_message_is_kept_without_a_time_that_cannot_be_read(path: Path) -> None:
    """Issue 35: a year is not read as a number of seconds."""
    mapping = {
        "a": node("a", None, "b", **said("a", "user", "first", 1_700_000_000_000)),
        "b": node("b", "a", **said("b", "user", "second", 2025)),
    }

    records = read(read_chatgpt, path, [chat(mapping, current_node="b")])

    assert [each["timestamp"] for each in inputs(records)] == [
        "2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20.001000Z",
    ]
    assert [each for each in records if isinstance(each, Remark)] == [
        Remark("Kites #2", f"time left out: {EXPECTED_TIME}", "changed")
    ]


CITE = "\ue200cite\ue202turn0search1\ue202turn0search3\ue201"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (f"Kites need wind {CITE}.", "Kites need wind."),
        (f"Kites{CITE} and\n{CITE}wind", "Kites and\nwind"),
        ("See \ue200filecite\ue202turn1file0\ue202L1-L5\ue201", "See"),
        ('In \ue200entity\ue202["city","Oslo","capital of Norway"]\ue201 today', "In Oslo today"),
        ("Read \ue200url\ue202the manual\ue202https://kites.test\ue201.", "Read the manual."),
        ("\ue203Wind lifts\ue204\ue200cite\ue202turn0news2\ue201 it", "Wind lifts it"),
        ('\ue200image_group\ue202{"query":["kites"]}\ue201Kites', "Kites"),
        ("Cut off \ue200cite\ue202turn0sea", "Cut off"),
        ("No end \ue200cite\ue202turn0sea but words", "No end but words"),
        ("As the file says【4:0†kites.pdf】 and【11†source】.", "As the file says and."),
        ('A \ue200product_entity\ue202["turn0product1","Red kite"]\ue201 flies', "A Red kite flies"),
        ('\ue200products\ue202{"selections":[["turn0product1","Kite"]]}\ue201Kites', "Kites"),
        ("Wind \ue200navlist\ue202News\ue202turn0news1,turn0news2\ue201 lifts", "Wind lifts"),
        ("\ue200video\ue202Kite talk\ue202turn0video1\ue201 shows it", "Kite talk shows it"),
        ("\ue200i\ue202turn0image0\ue202turn0image3\ue201Kites", "Kites"),
        ("\ue200finance\ue202turn0finance0\ue201Kites", "Kites"),
        ("\ue206Wind\ue201 lifts", "Wind lifts"),
        ("Wind【6†Ada†wiki】 lifts【3†L10-L20】.", "Wind lifts."),
        ("[1] Kites [sic] and [oaicite] stay", "[1] Kites [sic] and [oaicite] stay"),
        ("【x†y】 and 【重要】 stay", "【x†y】 and 【重要】 stay"),
        ("Old:contentReference[oaicite:3]{index=3} mark", "Old mark"),
        ("An apple \uf8ff and 【a note】 stay", "An apple \uf8ff and 【a note】 stay"),
    ],
    ids=ascii,
)
def test_chatgpts_citation_marks_are_dropped_and_their_text_stays(
    path: Path, written: str, kept: str
) -> None:
    """Issue 35: the report counts them."""
    mapping = {"a": node("a", None, **said("a", "assistant", written))}

    records = read(read_chatgpt, path, [chat(mapping, current_node="a")])

    assert [each["content"].strip() for each in inputs(records)] == [kept]
    assert [each.reason for each in records if isinstance(each, Remark)] == ["citation marks left out"] * (
        kept != written
    )


def test_a_document_that_chatgpt_wrote_is_kept(path: Path) -> None:
    """Issue 35: the report names calls of other tools."""
    document = json.dumps({"name": "Kite plan", "type": "document", "content": "# Kites\nBuy silk."})
    mapping = {
        "a": node("a", None, "b", **said("a", "assistant", document, recipient="canmore.create_textdoc")),
        "b": node("b", "a", "c", **said("b", "assistant", "{", recipient="canmore.create_textdoc")),
        "c": node("c", "b", **said("c", "assistant", "{}", recipient="canmore.update_textdoc")),
    }

    records = read(read_chatgpt, path, [chat(mapping, current_node="c")])

    assert [(each["content"], each["key"]) for each in inputs(records)] == [
        ("Kite plan\n\n# Kites\nBuy silk.", "chatgpt/msg-a")
    ]
    assert [each.reason for each in records if isinstance(each, Remark)] == [
        "text message, not words of the conversation"
    ] * 2


@pytest.mark.parametrize(
    ("content", "kept", "reported"),
    [
        ({"content_type": "multimodal_text",
          "parts": [{"content_type": "audio_transcription", "text": "I moved to Oslo"},
                    {"content_type": "audio_asset_pointer"}]},
         ["I moved to Oslo"], ["audio asset pointer left out"]),
        ({"content_type": "text", "parts": ["", None, {"text": "a"}, "b"]}, ["a\nb"], []),
        ({"content_type": "text", "text": "no parts"}, ["no parts"], []),
        ({"content_type": "text", "parts": "one text"}, ["one text"], []),
        ("plain words", ["plain words"], []),
        ({"content_type": "text", "parts": None}, [], ["no text"]),
        ({"content_type": "code", "text": "print(1)"}, [], ["code message, not words of the conversation"]),
        ({"content_type": "thoughts", "thoughts": []}, [], ["thoughts message, not words of the conversation"]),
        ({"content_type": "tether_quote", "text": "quoted"},
         [], ["tether_quote message, not words of the conversation"]),
        ({"content_type": "user_editable_context", "user_profile": "I live in Oslo"},
         [], ["user_editable_context message, not words of the conversation"]),
    ],
)  # fmt: skip
def test_contents_of_chatgpt_are_kept_or_counted_by_kind(
    path: Path, content: Any, kept: list[str], reported: list[str]
) -> None:
    """Issue 35."""
    mapping = {"a": node("a", None, **said("a", "user", "", content=content))}

    records = read(read_chatgpt, path, [chat(mapping, current_node="a")])

    assert [each["content"] for each in inputs(records)] == kept
    assert [each.reason for each in records if isinstance(each, Remark)] == reported


def test_attachments_of_chatgpt_are_counted_by_kind(path: Path) -> None:
    """Issue 35: an image that is also among the parts counts once."""
    attachments = [{"name": "a.pdf", "mime_type": "application/pdf"}, {"mime_type": "image/png"}, "noise"]
    content = {"content_type": "multimodal_text"}
    parts = [{"content_type": "image_asset_pointer"}, {"content_type": "audio_asset_pointer"}, {}, "words"]
    message = said(
        "a", "user", "", content={**content, "parts": parts}, metadata={"attachments": attachments}
    )

    records = read(read_chatgpt, path, [chat({"a": node("a", None, **message)}, current_node="a")])

    assert [each["content"] for each in inputs(records)] == ["words"]
    assert [each.reason for each in records if isinstance(each, Remark)] == [
        "image asset pointer left out",
        "audio asset pointer left out",
        "part without text left out",
        "attachment without text left out",
        "attachment without text left out",
    ]


def claude(*messages: Any) -> list[dict[str, Any]]:
    return [{"uuid": "u-1", "name": "Bread", "chat_messages": list(messages)}]


ARTIFACT = {
    "type": "tool_use",
    "name": "artifacts",
    "input": {"command": "create", "id": "rye", "title": "Rye bread", "content": "# Rye\n500 g of flour"},
}


@pytest.mark.parametrize(
    ("message", "kept", "reported"),
    [
        ({"text": "Read this", "attachments": [{"file_name": "a.txt", "extracted_content": "Bake at 230 °C"}]},
         [("m", "Read this"), ("m.1", "a.txt\n\nBake at 230 °C")], []),
        ({"text": "", "attachments": [{"file_name": "", "extracted_content": "Pasted words"},
                                      {"file_name": "b.md", "extracted_content": "More"}]},
         [("m", "Pasted words"), ("m.2", "b.md\n\nMore")], []),
        ({"text": "Look", "attachments": [{"file_name": "a.pdf", "extracted_content": ""}]},
         [("m", "Look")], ["attachment without text left out"]),
        ({"text": "Look", "files": [{"file_name": "a.png"}, {"file_name": "b.png"}]},
         [("m", "Look")], ["file without text left out"] * 2),
        ({"text": "Look", "files": [{"file_name": "a.txt"}],
          "attachments": [{"file_name": "a.txt", "extracted_content": "x"}]},
         [("m", "Look"), ("m.1", "a.txt\n\nx")], []),
        ({"content": [{"type": "voice_note", "title": "Note", "text": "I bake on Sundays"}]},
         [("m", "I bake on Sundays")], []),
        ({"content": [{"type": "text", "text": "Here it is"}, ARTIFACT], "sender": "assistant"},
         [("m", "Here it is"), ("m.1", "Rye bread\n\n# Rye\n500 g of flour")], []),
        ({"content": [ARTIFACT], "sender": "assistant"}, [("m", "Rye bread\n\n# Rye\n500 g of flour")], []),
        ({"content": [{"type": "tool_use", "name": "artifacts", "input": {"command": "update", "new_str": "x"}},
                      {"type": "thinking", "thinking": "hm"}, {"type": "tool_result"}, {},
                      {"type": "text", "text": "Done"}]},
         [("m", "Done")], ["tool_use artifacts left out", "thinking left out", "tool_result left out",
                           "block without type left out"]),
        ({"content": [{"type": "tool_use", "name": "create_file",
                       "input": {"path": "/rye.md", "file_text": "500 g"}}]}, [("m", "/rye.md\n\n500 g")], []),
        ({"content": "Plain words"}, [("m", "Plain words")], []),
        ({"content": [{"type": "tool_use", "name": "str_replace_based_edit_tool",
                       "input": {"command": "create", "path": "/rye.md", "file_text": "500 g"}}]},
         [("m", "/rye.md\n\n500 g")], []),
        ({"content": [{"type": "tool_use", "name": "artifacts",
                       "input": {"command": "rewrite", "title": "Rye", "content": "600 g"}}]},
         [("m", "Rye\n\n600 g")], []),
        ({"text": "Look", "files": [{"file_name": "a.png"}],
          "files_v2": [{"file_name": "a.png"}, {"file_name": "b.png"}]},
         [("m", "Look")], ["file without text left out"] * 2),
        ({"text": "Look", "attachments": [{"file_name": "a.txt", "extracted_content": " "}]},
         [("m", "Look")], ["attachment without text left out"]),
        ({"content": [{"type": "text", "text": "A", "citations": [{"url": "u"}]}, {"type": "image"}]},
         [("m", "A")], ["image left out"]),
        ({"content": [{"type": "voice_note", "text": ""}, {"type": "token_budget"}]},
         [], ["token_budget left out", "no text"]),
        ({"text": "x", "attachments": "noise", "files": None, "content": "noise"}, [("m", "x")], []),
    ],
)  # fmt: skip
def test_claude_keeps_attachments_and_counts_the_rest_by_kind(
    path: Path, message: dict[str, Any], kept: list[tuple[str, str]], reported: list[str]
) -> None:
    """Issue 35: attachments, artifacts and voice notes; each becomes a turn after its message."""
    records = read(read_claude, path, claude({"uuid": "m", "sender": "human", **message}))

    assert [(each["sourceMessageId"], each["content"]) for each in inputs(records)] == kept
    assert [each.reason for each in records if isinstance(each, Remark)] == reported


def writes(tool: str, **tool_input: str) -> dict[str, Any]:
    return {"content": [{"type": "tool_use", "name": tool, "input": tool_input}], "sender": "assistant"}


REPLACED = ["earlier version of a document left out", "no text"]


@pytest.mark.parametrize(
    ("changes", "kept", "reported"),
    [
        ([writes("artifacts", command="update", id="rye", old_str="500 g", new_str="600 g")],
         "Rye bread\n\n# Rye\n600 g of flour", REPLACED),
        ([writes("artifacts", command="update", id="rye", old_str="500 g", new_str="600 g"),
          writes("artifacts", command="update", id="rye", old_str="600 g of", new_str="1 kg of wholemeal")],
         "Rye bread\n\n# Rye\n1 kg of wholemeal flour", REPLACED * 2),
        ([writes("artifacts", command="rewrite", id="rye", title="Spelt bread", content="400 g of spelt")],
         "Spelt bread\n\n400 g of spelt", REPLACED),
        ([writes("artifacts", command="rewrite", id="rye", content="1 kg"),
          writes("artifacts", command="update", id="rye", old_str="1 kg", new_str="2 kg")],
         "Rye bread\n\n2 kg", REPLACED * 2),
        ([writes("artifacts", command="update", id="rye", old_str="of flour")], "Rye bread\n\n# Rye\n500 g", REPLACED),
        ([writes("artifacts", command="update", id="rye", old_str="oats", new_str="x")],
         "Rye bread\n\n# Rye\n500 g of flour", ["tool_use artifacts left out", "no text"]),
        ([writes("artifacts", command="update", id="rye", old_str="o", new_str="x")],
         "Rye bread\n\n# Rye\n500 g of flour", ["tool_use artifacts left out", "no text"]),
        ([writes("artifacts", command="update", id="oats", old_str="500 g", new_str="x")],
         "Rye bread\n\n# Rye\n500 g of flour", ["tool_use artifacts left out", "no text"]),
        ([writes("artifacts", command="update", id="rye", new_str="x")],
         "Rye bread\n\n# Rye\n500 g of flour", ["tool_use artifacts left out", "no text"]),
    ],
)  # fmt: skip
def test_claude_keeps_the_last_version_of_a_document_in_its_first_place(
    path: Path, changes: list[dict[str, Any]], kept: str, reported: list[str]
) -> None:
    """Issue 35, point 5: an update changes the artifact; one that Claude's tool refused is only counted."""
    messages = [{"content": [ARTIFACT], "sender": "assistant"}, *changes]
    numbered = [{"uuid": f"m{number}", **message} for number, message in enumerate(messages)]

    records = read(read_claude, path, claude(*numbered))

    assert [(each["sourceMessageId"], each["content"]) for each in inputs(records)] == [("m0", kept)]
    assert [each.reason for each in records if isinstance(each, Remark)] == reported


def test_claude_keeps_the_last_version_of_a_file(path: Path) -> None:
    """Issue 35, point 5: files of Claude's workspace change by path; each chat has its own."""
    made = writes("create_file", path="/rye.md", file_text="500 g")
    changed = writes("str_replace", path="/rye.md", old_str="500", new_str="600")
    other = [{"uuid": "u-2", "name": "Rolls", "chat_messages": [{"uuid": "n", **made}]}]

    records = read(read_claude, path, [*claude({"uuid": "a", **made}, {"uuid": "b", **changed}), *other])

    assert [each["content"] for each in inputs(records)] == ["/rye.md\n\n600 g", "/rye.md\n\n500 g"]


@pytest.mark.parametrize(
    ("reader", "export"), [(read_chatgpt, [chat({})]), (read_claude, claude())], ids=["chatgpt", "claude"]
)
def test_invalid_conversations_are_counted(path: Path, reader: Reader, export: list[Any]) -> None:
    assert (
        read(reader, path, [*export, {"title": "x"}, "noise"]) == [Remark("export", "not a conversation")] * 2
    )
