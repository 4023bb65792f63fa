"""The sets of kinds: complete, and readable as stored."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.bench.kinds import KINDS, load_kinds
from tests.bench.script import Ask, Save

CATEGORIES = {"single", "several", "temporal", "paraphrase", "identifier", "knowledge-update"}


def _write(folder: Path, kind: str, *, gold: list[str]) -> None:
    (folder / kind).mkdir()
    memory = {"key": "a", "content": "Ada rows.", "timestamp": "2025-03-07T12:00:00Z", "dedup": False}
    section = {**memory, "key": "b", "content": "Bob swims.", "metadata": {"document": "Sports"}}
    lines = "".join(json.dumps(each) + "\n" for each in (memory, section))
    (folder / kind / f"{kind}.jsonl").write_text(lines)
    question = {"q": "Who is on the water?", "cat": "paraphrase", "gold": gold}
    (folder / kind / f"{kind}.q.json").write_text(json.dumps([question]))


def test_a_kind_is_saved_with_its_dates_before_its_questions(tmp_path: Path) -> None:
    for kind in KINDS:
        _write(tmp_path, kind, gold=["a", "b"])

    notes = load_kinds(tmp_path)["notes"]

    (script,) = notes.scripts
    save, ask = script.steps
    assert isinstance(save, Save)
    assert save.labels == ["a", "b"]
    assert [draft.content for draft in save.drafts] == ["Ada rows.", "Bob swims."]
    assert [draft.metadata for draft in save.drafts] == [None, {"document": "Sports"}]
    assert {draft.timestamp for draft in save.drafts} == {datetime(2025, 3, 7, 12, tzinfo=UTC)}
    assert [draft.is_turn for draft in save.drafts] == [False, False]
    assert ask == Ask("Who is on the water?", frozenset({"a", "b"}), "paraphrase")


def test_messages_of_a_conversation_are_saved_as_its_turns(tmp_path: Path) -> None:
    for kind in KINDS:
        _write(tmp_path, kind, gold=["a"])
    turn = {"key": "a", "content": "I row.", "timestamp": "2025-03-07T12:00:00Z", "speaker": "Ada"}
    place = {"source_conversation_id": "rowing", "session_id": "rowing-1"}
    (tmp_path / "friends" / "friends.jsonl").write_text(json.dumps({**turn, **place}))

    (script,) = load_kinds(tmp_path)["friends"].scripts

    save = script.steps[0]
    assert isinstance(save, Save)
    (draft,) = save.drafts
    assert draft.is_turn
    assert (draft.speaker, draft.source_conversation_id, draft.session_id) == ("Ada", "rowing", "rowing-1")


def test_an_unknown_gold_label_is_refused_with_the_question(tmp_path: Path) -> None:
    for kind in KINDS:
        _write(tmp_path, kind, gold=["a", "z"])

    with pytest.raises(ValueError, match=r"notes: gold of 'Who is on the water\?' is no key: \['z'\]"):
        load_kinds(tmp_path)


@pytest.mark.parametrize(
    ("kind", "memories", "questions"),
    [
        ("notes", 253, 80),
        ("logs", 250, 83),
        ("decisions", 201, 94),
        ("documents", 72, 88),
        ("friends", 305, 108),
        ("assistant", 66, 92),
    ],
)
def test_each_committed_set_is_complete(kind: str, memories: int, questions: int) -> None:
    (script,) = load_kinds()[kind].scripts

    save, *asks = script.steps
    assert isinstance(save, Save)
    assert len(set(save.labels)) == memories
    assert len({draft.content for draft in save.drafts}) == memories
    assert all(draft.timestamp for draft in save.drafts)
    assert len({ask.query for ask in asks if isinstance(ask, Ask)}) == len(asks) == questions
    assert {ask.category for ask in asks if isinstance(ask, Ask)} <= CATEGORIES
