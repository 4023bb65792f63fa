"""The conversation that the project ships for `recollect demo`."""

from importlib.resources import as_file, files

from app.cli.demo.conversation import read_questions
from app.cli.importers.jsonl import read_jsonl
from app.cli.importers.models import ImportedMemory, ImportItem


def turns() -> list[ImportedMemory]:
    with as_file(files("app.cli.demo").joinpath("conversation.jsonl")) as path:
        contents = read_jsonl(path, 32_000)
        records = list(contents.records)
    assert all(isinstance(record, ImportItem) for record in records)
    return [record.memory for record in records if isinstance(record, ImportItem)]


def test_the_demo_is_a_dated_conversation_of_two_people_over_several_sessions() -> None:
    found = turns()
    times = [turn.timestamp for turn in found if turn.timestamp]

    assert len(found) == 87
    assert {turn.speaker for turn in found} == {"Nadia", "Piet"}
    assert len({turn.session_id for turn in found}) == 6
    assert len({turn.key for turn in found}) == 87
    assert len(times) == 87
    assert times == sorted(times)


def test_every_demo_question_expects_turns_that_exist() -> None:
    keys = {turn.key for turn in turns()}
    questions = read_questions()

    assert len(questions) == 8
    assert all(question.expected and question.expected <= keys for question in questions)
