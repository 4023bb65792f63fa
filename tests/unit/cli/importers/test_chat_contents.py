"""What comes with the messages of ChatGPT and Claude, and what of them is left out."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.chats import read_chatgpt, read_claude
from app.cli.importers.models import ImportItem, Reader, Record, Remark


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
    """Issue 35: counted in the report."""
    mapping = {"a": node("a", None, **said("a", "assistant", written))}

    records = read(read_chatgpt, path, [chat(mapping, current_node="a")])

    assert [each["content"].strip() for each in inputs(records)] == [kept]
    assert [each.reason for each in records if isinstance(each, Remark)] == ["citation marks left out"] * (
        kept != written
    )


def test_a_document_that_chatgpt_wrote_is_kept(path: Path) -> None:
    """Issue 35: a call of any other tool is reported."""
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
    """Issue 35: a picture among the parts is not counted twice."""
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
    """Issue 35: attachments, artifacts and voice notes; each is a turn of its own behind the message."""
    records = read(read_claude, path, claude({"uuid": "m", "sender": "human", **message}))

    assert [(each["sourceMessageId"], each["content"]) for each in inputs(records)] == kept
    assert [each.reason for each in records if isinstance(each, Remark)] == reported


@pytest.mark.parametrize(
    ("reader", "export"), [(read_chatgpt, [chat({})]), (read_claude, claude())], ids=["chatgpt", "claude"]
)
def test_invalid_conversations_are_counted(path: Path, reader: Reader, export: list[Any]) -> None:
    assert (
        read(reader, path, [*export, {"title": "x"}, "noise"]) == [Remark("export", "not a conversation")] * 2
    )
