"""Reading the sets of questions by their protocols."""

import json
from pathlib import Path

import pytest

from tests.bench.locomo import evidence_turns, load_locomo
from tests.bench.madial import LANGUAGES, load_language, load_madial
from tests.bench.realmem import load_realmem
from tests.bench.script import Ask, Save

TURNS = {"D1:3", "D8:6", "D9:17", "D11:26", "D30:5"}


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (["D1:3"], {"D1:3"}),
        (["D8:6; D9:17"], {"D8:6", "D9:17"}),
        (["D8:6 D9:17"], {"D8:6", "D9:17"}),
        (["D:11:26"], {"D11:26"}),
        (["D30:05"], {"D30:5"}),
        (["D"], set()),
        (["D4:99", "D1:3"], {"D1:3"}),
        ([], set()),
    ],
)
def test_malformed_evidence_is_read_without_unknown_turns(evidence: list[str], expected: set[str]) -> None:
    assert evidence_turns(evidence, TURNS) == expected


def test_locomo_saves_every_turn_before_it_asks(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    turns = [
        {"speaker": "Ada", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red kite"},
        {"speaker": "Bob", "dia_id": "D1:2", "text": "Nice."},
    ]
    questions = [
        {"question": "What did Ada show?", "evidence": ["D1:1"], "category": 4},
        {"question": "Nothing to find?", "evidence": ["D7:7"], "category": 5},
    ]
    conversation = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    file.write_text(json.dumps([{"sample_id": "c", "conversation": conversation, "qa": questions}]))

    (script,) = load_locomo(file).scripts

    save, ask = script.steps
    assert isinstance(save, Save)
    assert save.labels == ["D1:1", "D1:2"]
    assert [draft.content for draft in save.drafts] == ["Look! [shared a photo: a red kite]", "Nice."]
    assert {draft.session_id for draft in save.drafts} == {"session_1"}
    assert ask == Ask("What did Ada show?", frozenset({"D1:1"}), "single-hop")


def test_realmem_asks_before_the_questions_own_session_is_saved(tmp_path: Path) -> None:
    def session(uuid: str, day: str, *, gold: list[str]) -> dict:
        asks = {"speaker": "User", "content": f"ask {uuid}", "is_query": bool(gold), "category_name": "kind"}
        answer = {"speaker": "Assistant", "content": "so", "is_query": False, "memory_session_uuids": gold}
        return {"session_uuid": uuid, "current_time": day, "dialogue_turns": [asks, answer]}

    data = {
        "_metadata": {"person_name": "Ada"},
        "dialogues": [
            session("later", "2025-12-18 (Thursday)", gold=["first"]),
            session("first", "2025-12-15 (Monday)", gold=[]),
        ],
    }
    (tmp_path / "Ada_dialogues_256k.json").write_text(json.dumps(data))

    (script,) = load_realmem(tmp_path).scripts

    first, ask, later = script.steps
    assert isinstance(first, Save)
    assert first.labels == ["first", "first"]
    assert ask == Ask("ask later", frozenset({"first"}), "kind")
    assert isinstance(later, Save)
    assert later.labels == ["later", "later"]


def test_madial_asks_with_the_dialogue_before_each_test_turn(tmp_path: Path) -> None:
    note = {"7": {"time": "2023-12-25", "scene": "Activity", "emotion": "Happy", "event": "Ada danced."}}
    lines = ["<BOD>\n", "a\n", "b\n", "c\n", "d\n"]
    dialogue = {"dialogue": lines, "test-turn": [2, 4], "relevant-id": [7], "user-id": 1}
    (tmp_path / "X-memory.json").write_text(json.dumps(note) + "\n")
    (tmp_path / "X-dialogue.json").write_text(json.dumps(dialogue) + "\n")

    (script,) = load_madial(tmp_path).scripts

    save, *asks = script.steps
    assert isinstance(save, Save)
    assert [draft.content for draft in save.drafts] == ["scene: Activity, emotion: Happy, event: Ada danced."]
    assert [draft.is_turn for draft in save.drafts] == [False]
    assert [(ask.query, ask.gold) for ask in asks] == [
        ("<BOD>\na\n", frozenset({"7"})),
        ("<BOD>\na\nb\nc\n", frozenset({"7"})),
    ]


def test_madial_queries_each_language_about_notes_of_the_other(tmp_path: Path) -> None:
    for language in ("en", "zh"):
        note = {"7": {"scene": "s", "emotion": "e", "event": f"note in {language}"}}
        dialogue = {"dialogue": [f"said in {language}\n"], "test-turn": [1], "relevant-id": [7], "user-id": 1}
        folder = tmp_path / f"madial-{language}"
        folder.mkdir()
        (folder / "X-memory.json").write_text(json.dumps(note) + "\n")
        (folder / "X-dialogue.json").write_text(json.dumps(dialogue) + "\n")

    loaded = {name: load_language(name, tmp_path) for name in LANGUAGES}

    steps = {name: data.scripts[0].steps for name, data in loaded.items()}
    assert {name: (save.drafts[0].content[-2:], ask.query[-3:-1]) for name, (save, ask) in steps.items()} == {
        "madial-zh": ("zh", "zh"),
        "madial-zh-en": ("zh", "en"),
        "madial-en-zh": ("en", "zh"),
    }
    assert [data.name for data in loaded.values()] == list(loaded)


def test_a_limit_stops_behind_the_last_question(tmp_path: Path) -> None:
    note = {"7": {"scene": "s", "emotion": "e", "event": "v"}}
    dialogue = {"dialogue": ["a\n", "b\n"], "test-turn": [1, 2], "relevant-id": [7], "user-id": 1}
    (tmp_path / "X-memory.json").write_text(json.dumps(note) + "\n")
    (tmp_path / "X-dialogue.json").write_text(json.dumps(dialogue) + "\n")

    (script,) = load_madial(tmp_path).first(1).scripts

    assert [type(step) for step in script.steps] == [Save, Ask]
