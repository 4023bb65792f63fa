"""The LoCoMo reader."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.importers.locomo import read_locomo
from app.cli.importers.models import ImportItem, Part, Remark, UnreadableFileError

SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Uma",
        "speaker_b": "Vik",
        "session_10": [{"speaker": "Vik", "dia_id": "D10:1", "text": "Back again."}],
        "session_10_date_time": "12:05 am on 1 January, 2024",
        "session_2": [
            {
                "speaker": "Uma",
                "dia_id": "D2:1",
                "text": "Look at this!",
                "blip_caption": "a red kite",
                "img_url": ["u"],
            },
            {"speaker": "Vik", "dia_id": "D2:2", "text": "Lovely."},
        ],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_3_date_time": "2:00 pm on 9 May, 2023",
    },
    "qa": [{"question": "?", "evidence": ["D2:1"]}],
    "session_summary": {"session_2": "not imported"},
}


def read(path: Path, document: Any) -> list[Part]:
    path.write_text(json.dumps(document))
    return list(read_locomo(path, 32_000))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "locomo.json"


def test_every_turn_is_one_memory_in_the_order_of_the_sessions(path: Path) -> None:
    (part,) = read(path, [SAMPLE])
    records = list(part.records)

    assert (part.name, part.total) == ("conv-1", 3)
    assert [r.memory.to_input() for r in records if isinstance(r, ImportItem)] == [
        {
            "content": "Look at this! [shared a photo: a red kite]",
            "speaker": "Uma",
            "key": "conv-1/D2:1",
            "timestamp": "2023-05-08T13:56:00Z",
            "sourceType": "imported",
            "sourceConversationId": "conv-1",
            "sourceMessageId": "conv-1/D2:1",
            "sessionId": "session_2",
            "dedup": False,
        },
        {
            "content": "Lovely.",
            "speaker": "Vik",
            "key": "conv-1/D2:2",
            "timestamp": "2023-05-08T13:56:01Z",
            "sourceType": "imported",
            "sourceConversationId": "conv-1",
            "sourceMessageId": "conv-1/D2:2",
            "sessionId": "session_2",
            "dedup": False,
        },
        {
            "content": "Back again.",
            "speaker": "Vik",
            "key": "conv-1/D10:1",
            "timestamp": "2024-01-01T00:05:00Z",
            "sourceType": "imported",
            "sourceConversationId": "conv-1",
            "sourceMessageId": "conv-1/D10:1",
            "sessionId": "session_10",
            "dedup": False,
        },
    ]
    assert len(records) == 3


def test_each_conversation_is_a_part_of_its_own(path: Path) -> None:
    parts = read(path, [SAMPLE, {**SAMPLE, "sample_id": "conv-2"}, {"conversation": {}}])

    assert [part.name for part in parts] == ["conv-1", "conv-2", "conversation-3"]


def test_odd_turns_are_reported(path: Path) -> None:
    conversation = {
        "session_1": [
            "noise",
            {"speaker": "Uma", "dia_id": "D1:2", "text": ""},
            {"speaker": "Uma", "text": "", "blip_caption": "a dog"},
        ],
        "session_1_date_time": "yesterday",
    }
    (part,) = read(path, {"sample_id": "c", "conversation": conversation})
    *remarks, item = list(part.records)

    assert remarks == [
        Remark("c session_1", "no readable date; its turns carry no time", "changed"),
        Remark("c session_1 turn 1", "not a turn"),
        Remark("c D1:2", "no text"),
    ]
    assert isinstance(item, ImportItem)
    assert item.memory.content == "[shared a photo: a dog]"
    assert item.memory.key == "c/session_1.3"
    assert item.memory.timestamp is None


@pytest.mark.parametrize("document", [[], {}, 3, [{"sample_id": "x"}], "text"])
def test_another_document_is_refused(path: Path, document: Any) -> None:
    with pytest.raises(UnreadableFileError, match="no conversation found"):
        read(path, document)


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe\x00", b"PK\x03\x04zip", b"[" * 100_000])
def test_a_file_that_is_no_json_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)

    with pytest.raises(UnreadableFileError, match="the file is"):
        read_locomo(path, 32_000)
