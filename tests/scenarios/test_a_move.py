"""A person who moves and says so in other words: the output of each surface for a model, in two languages.

The tests use the default embedder, because a fake one knows no meanings.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.fixtures.interfaces import INTERFACES
from tests.fixtures.jobs import jobs_done
from tests.scenarios.conftest import EXTRACT, RECALLING, Person

JANUARY = datetime(2025, 1, 10, 9, tzinfo=UTC)
MARCH = datetime(2026, 3, 5, 9, tzinfo=UTC)
SPAN = "from 2025-01-10 until 2026-03-05"
RECALL = """query($query: String!) { recall(input: {query: $query}) {
  hits { memory { id content tInvalid } validity supersededBy promptText } markdown
} }"""
ASK = "query($question: String!) { ask(question: $question) { text supported citations { quote } } }"
SEARCH = "query($query: String!) { search(query: $query) { markdown } }"
SAVE = "mutation($i: SaveMemoryInput!) { saveMemory(input: $i) { memory { id } } }"
CHANGES = """query($kinds: [AutomaticChangeKind!]) { automaticChanges(kinds: $kinds) { edges { node {
  id kind rule words job subjectId causeId before canBeUndone memory { content }
} } } }"""
UNDO = "mutation($id: ID!) { undoAutomaticChange(id: $id) { id } }"


@dataclass(frozen=True)
class Move:
    """The statements of a person before and after a move, the extracted facts, and questions about them.

    Attributes:
        words: Words of the newer fact that end the older one.
        when: A question that only the newer statement answers.
    """

    said: tuple[str, str]
    facts: tuple[str, str]
    homes: tuple[str, str]
    words: str
    now: str
    before: str
    in_a_year: str
    when: str


ENGLISH = Move(
    said=("I live in Munich", "I moved to Berlin last month"),
    facts=("The user lives in Munich", "The user moved to Berlin in February 2026"),
    homes=("Munich", "Berlin"),
    words="moved to Berlin",
    now="Where do I live now?",
    before="Where did I live before?",
    in_a_year="Where did I live in 2025?",
    when="I moved to Berlin: when was that?",
)
CHINESE = Move(
    said=("我住在杭州", "我上个月搬到了成都"),
    facts=("用户住在杭州", "用户2026年2月搬到了成都"),
    homes=("杭州", "成都"),
    words="用户2026年2月搬到了成都",
    now="我现在住在哪里？",
    before="我以前住在哪里？",
    in_a_year="我2025年住在哪里？",
    when="我搬到了成都，那是什么时候？",
)


@pytest.fixture(params=[ENGLISH, CHINESE], ids=["english", "chinese"])
def move(request) -> Move:
    return request.param


@pytest.fixture
async def idle(served, person) -> Callable[[], Awaitable[None]]:
    """Return a function that returns once the person's workspace has no pending jobs."""
    return lambda: jobs_done(served[1], person.workspace_id)


@pytest.fixture
async def relevant(served, person, move) -> None:
    """Lower the threshold for short Chinese texts, which are far apart for the English default model."""
    if move is CHINESE:
        settings = {"similarityThreshold": 0.0}
        await served[1].tenancy.workspaces.update(person.workspace_id, settings=settings)


@pytest.fixture
async def told(person, idle, move, relevant) -> dict[str, str]:
    """Say both statements on their days and extract facts; return the facts' ids by text."""
    for text, at in zip(move.said, (JANUARY, MARCH), strict=True):
        await person.says(text, at=at)
    await person.graphql(EXTRACT)
    await idle()
    learnt = await person.contents()
    assert set(learnt) == set(move.facts)
    return learnt


@pytest.fixture
async def saved(person, idle, move, relevant) -> dict[str, str]:
    """Save both statements with their days; return their ids by text."""
    for text, at in zip(move.said, (JANUARY, MARCH), strict=True):
        await person.graphql(SAVE, i={"content": text, "timestamp": at.isoformat()})
    await idle()
    return await person.contents()


async def told_by(person: Person, tool: str, **arguments: Any) -> str:
    """Return the text of an MCP tool's result."""
    async with person.mcp() as session:
        result = await session.call_tool(tool, arguments)
    assert not result.isError, result.content
    return "\n".join(getattr(block, "text", "") for block in result.content)


async def contexts(person: Person, question: str) -> dict[str, str]:
    """Return the text that a model receives for a question, by surface."""
    told = await person.injected(question)
    told["MCP"] = await told_by(person, "context", query=question)
    told["command line"] = await person.command_line.ok("context", question)
    return told


async def changes_of(person: Person, *kinds: str) -> list[dict[str, Any]]:
    found = await person.graphql(CHANGES, kinds=kinds)
    return [edge["node"] for edge in found["automaticChanges"]["edges"]]


async def test_recall_ranks_the_current_home_first_on_every_surface(person, told, move) -> None:
    """Issue 36, point 1."""
    old, new = move.homes
    for name in RECALLING:
        text = "\n".join(await INTERFACES[name].find(person, move.now))
        assert new in text, name
        assert old not in text or text.index(new) < text.index(old), name


async def test_the_earlier_home_is_found_on_every_surface(person, told, move) -> None:
    """Issue 36, point 1: if the question asks for it."""
    found = {name: "\n".join(await INTERFACES[name].find(person, move.before)) for name in RECALLING}

    assert [name for name, text in found.items() if move.homes[0] not in text] == []


async def test_recall_distinguishes_history_from_current_memories(person, told, move) -> None:
    """Issue 36, point 1: history comes with its span and the memory that replaced it."""
    old, new = move.facts
    hits = (await person.graphql(RECALL, query=move.now))["recall"]["hits"]
    by_command = json.loads(await person.command_line.ok("recall", move.now, "--json"))["hits"]
    by_tool = await told_by(person, "recall", query=move.now)

    assert [(hit["memory"]["content"], hit["validity"], hit["supersededBy"]) for hit in hits] == [
        (new, "CURRENT", []),
        (old, "HISTORY", [told[new]]),
    ]
    assert hits[1]["memory"]["tInvalid"] == MARCH.isoformat()
    assert [hit["promptText"] for hit in hits] == [new, f"{old} ({SPAN})"]
    assert [(hit["memory"]["content"], hit["validity"]) for hit in by_command] == [
        (new, "CURRENT"),
        (old, "HISTORY"),
    ]
    assert by_tool.index(new) < by_tool.index(old)
    assert f"held {SPAN}" in by_tool


async def test_models_get_only_the_current_home_on_every_surface(person, told, move) -> None:
    """Issue 36, point 1."""
    old, new = move.homes
    shown = {name: (new in text, old in text) for name, text in (await contexts(person, move.now)).items()}

    assert shown == dict.fromkeys(shown, (True, False))


async def test_models_get_the_earlier_home_as_history_on_request(person, told, move) -> None:
    """Issue 36, point 1: with its span."""
    shown = await contexts(person, move.before)

    assert [name for name, text in shown.items() if f"{move.facts[0]} ({SPAN})" not in text] == []


async def test_an_answer_prefers_the_current_home_and_names_its_date(person, told, move) -> None:
    """Issue 36, point 1: an answer about the past names its span."""
    old, new = move.facts
    now = (await person.graphql(ASK, question=move.now))["ask"]
    before = (await person.graphql(ASK, question=move.before))["ask"]

    assert (now["text"], now["supported"]) == (f"{new} (said on 2026-03-05) [1]", True)
    assert (before["text"], before["supported"]) == (f"{old} (held {SPAN}) [1]", True)
    for question, answer in ((move.now, now), (move.before, before)):
        assert answer["text"] in await told_by(person, "ask", question=question)
        assert json.loads(await person.command_line.ok("ask", question, "--json"))["text"] == answer["text"]


async def test_an_answer_about_a_year_has_the_home_of_that_year(person, told, move) -> None:
    """Issue 36, point 1: no answer about a year of which nothing is known."""
    answer, nothing = [
        (await person.graphql(ASK, question=move.in_a_year.replace("2025", year)))["ask"]
        for year in ("2025", "2019")
    ]

    assert (answer["text"], answer["supported"]) == (f"{move.facts[0]} (held {SPAN}) [1]", True)
    assert nothing["supported"] is False


async def test_a_relative_time_is_learnt_as_its_date(person, told, move) -> None:
    """Issue 36, point 2: so no surface adds the date of the statement."""
    fact = move.facts[1]
    shown = await contexts(person, move.when)
    (hit, *_) = (await person.graphql(RECALL, query=move.when))["recall"]["hits"]

    assert hit["promptText"] == hit["memory"]["content"] == fact
    assert [name for name, text in shown.items() if fact not in text or f"{fact} (" in text] == []


async def test_every_surface_shows_the_day_of_a_relative_time(person, saved, move) -> None:
    """Issue 36, point 2: except dialects, whose bodies are fixed."""
    text = move.said[1]
    shown = f"{text} (2026-03-05)"
    recalled = (await person.graphql(RECALL, query=move.when))["recall"]
    answer = (await person.graphql(ASK, question=move.now))["ask"]
    texts = {
        **await contexts(person, move.when),
        "recall": recalled["hits"][0]["promptText"],
        "recall's Markdown": recalled["markdown"],
        "search's Markdown": (await person.graphql(SEARCH, query=move.when))["search"]["markdown"],
        "answer": answer["text"],
        "citation": answer["citations"][0]["quote"],
        "MCP's recall": await told_by(person, "recall", query=move.when),
        "MCP's answer": await told_by(person, "ask", question=move.now),
        "x_recall_memory": "\n".join(await INTERFACES["MCP x_ tools"].find(person, move.when)),
        "chat proxy's tool": "\n".join(await INTERFACES["chat proxy"].find(person, move.when)),
        "answer on the command line": await person.command_line.ok("ask", move.now),
    }

    assert [name for name, told in texts.items() if shown not in told] == []
    assert set(saved) == set(move.said)
    assert recalled["hits"][0]["memory"]["content"] == text


async def test_a_closing_is_listed_with_its_words_and_undone_permanently(person, told, idle, move) -> None:
    """Issue 36, point 7: on every surface with a change list; the same statement does not close it again."""
    old, new = move.facts
    (closing,) = await changes_of(person, "CLOSED")
    by_command = json.loads(await person.command_line.ok("changes", "--kind", "closed", "--json"))
    async with person.mcp() as session:
        by_tool = (await session.call_tool("list_changes", {"kinds": ["CLOSED"]})).structuredContent
    assert [change["id"] for change in (*by_command, *by_tool["changes"])] == [closing["id"]] * 2
    assert (closing["subjectId"], closing["causeId"]) == (told[old], told[new])
    assert (closing["rule"], closing["words"], closing["job"]) == ("slot:home", move.words, "TIMELINE")
    assert (closing["before"], closing["memory"]["content"]) == ({"tInvalid": None}, old)

    await person.graphql(UNDO, id=closing["id"])
    await person.graphql(EXTRACT)
    await idle()

    hits = (await person.graphql(RECALL, query=move.now))["recall"]["hits"]
    assert {hit["memory"]["content"]: hit["validity"] for hit in hits} == {old: "CURRENT", new: "CURRENT"}
    assert [change["canBeUndone"] for change in await changes_of(person, "CLOSED")] == [False]
    for shown in (await contexts(person, move.before)).values():
        assert SPAN not in shown


async def test_undoing_a_learnt_fact_reopens_the_earlier_one(person, told, idle, move) -> None:
    """Issue 36, points 1 and 7: by the command line and MCP; a second extraction learns nothing."""
    old, new = move.facts
    learnt = {each["memory"]["content"]: each["id"] for each in await changes_of(person, "LEARNT")}
    await person.command_line.ok("undo", learnt[new])
    await idle()

    hits = (await person.graphql(RECALL, query=move.now))["recall"]["hits"]
    assert [(hit["memory"]["content"], hit["validity"]) for hit in hits] == [(old, "CURRENT")]
    assert [change["canBeUndone"] for change in await changes_of(person, "CLOSED")] == [False]
    async with person.mcp() as session:
        assert not (await session.call_tool("undo_change", {"id": learnt[old]})).isError
    await person.graphql(EXTRACT)
    await idle()
    assert await person.contents() == {}
    for name in RECALLING:
        text = "\n".join(await INTERFACES[name].find(person, move.now))
        assert [home for home in move.homes if home in text] == [], name
