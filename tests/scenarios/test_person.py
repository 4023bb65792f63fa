"""A person's facts that contradict each other, are negated or deleted: the output of surfaces for models.

The questions are in two languages. The tests use the default embedder, because a fake one knows no meanings.
"""

import json

import pytest

from tests.fixtures.interfaces import INTERFACES
from tests.scenarios.conftest import EXTRACT, RECALLING

SAID = (
    "I don't like Python. I never skip tests.",
    "I am allergic to penicillin.",
    "我对花生过敏。",
    "我不喜欢咖啡。",
)
FACTS = {
    "The user does not like Python",
    "The user never skips tests",
    "The user is allergic to penicillin",
    "用户对花生过敏",
    "用户不喜欢咖啡",
}
# A question, and an older and a newer statement that differ in one word, number or date.
CONTRADICTIONS = (
    ("Is Ada allergic to peanuts?", "Ada is allergic to peanuts", "Ada is not allergic to peanuts"),
    ("Which is the staging server?", "The staging server is 10.0.0.4", "The staging server is 10.0.0.9"),
    ("On what day is the launch?", "The launch is on March 15", "The launch is on April 1"),
)
CHANGES = "{ automaticChanges { edges { node { id words memory { content } } } } }"
UNDO = "mutation($id: ID!) { undoAutomaticChange(id: $id) { id } }"
DISAGREEING = """query($query: String!) { recall(input: {query: $query, limit: 20}) {
  hits { memory { id content } disagreesWith } resolution { merged }
} }"""
ASK = "query($question: String!) { ask(question: $question) { supported } }"


@pytest.fixture
async def told(person, settled) -> dict[str, str]:
    """Say all statements, extract facts and return the ids of the memories by text."""
    await person.says(*SAID)
    await person.graphql(EXTRACT)
    return await settled(len(FACTS))


async def test_facts_are_whole_statements_that_keep_their_negation(told) -> None:
    """D2, D11."""
    assert set(told) == FACTS


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("What should I not eat?", "用户对花生过敏"),  # below the English model's threshold
        ("Am I allergic to penicillin?", "The user is allergic to penicillin"),
        ("我对什么过敏？", "用户对花生过敏"),
        ("我喜欢喝咖啡吗？", "用户不喜欢咖啡"),
        ("Does the user like Python?", "The user does not like Python"),
    ],
)
async def test_every_surface_shows_the_statement(person, told, question, fact) -> None:
    """B1, K1, K2, K4-K6, K12, K13: in any language."""
    found = {name: "\n".join(await INTERFACES[name].find(person, question)) for name in RECALLING}

    # OmniRoute's clients expect a statement's object as its content; MCP shows at most three weak hits.
    is_weak = question.isascii() and not fact.isascii()
    assert {name for name, text in found.items() if fact not in text} <= {"OmniRoute", *["MCP"] * is_weak}


async def test_contradictions_in_a_word_a_number_or_a_date_are_shown_together(person, settled) -> None:
    """B11: the newer one first; each names the one it contradicts."""
    surfaces = iter(RECALLING)
    for _, older, newer in CONTRADICTIONS:
        await INTERFACES[next(surfaces)].save(person, older)
        await INTERFACES[next(surfaces)].save(person, newer)
    known = await settled(2 * len(CONTRADICTIONS))

    for question, older, newer in CONTRADICTIONS:
        answer = (await person.graphql(DISAGREEING, query=question))["recall"]
        hits = {hit["memory"]["content"]: hit["disagreesWith"] for hit in answer["hits"]}
        assert hits[older] == [known[newer]]
        assert hits[newer] == [known[older]]
        assert list(hits).index(newer) < list(hits).index(older)
        assert answer["resolution"]["merged"] == 0
        for name in RECALLING:
            text = "\n".join(await INTERFACES[name].find(person, question))
            assert [statement for statement in (older, newer) if statement not in text] == [], name
        for name, text in (await person.injected(question)).items():
            assert [statement for statement in (older, newer) if statement not in text] == [], name


async def test_a_deleted_memory_stays_deleted_until_it_is_restored(person, told, settled) -> None:
    """A10, D23: extracting its conversation again does not restore it."""
    fact = "The user is allergic to penicillin"
    await person.graphql("mutation($id: ID!) { deleteMemory(id: $id) }", id=told[fact])

    await person.graphql(EXTRACT)
    await person.says("By the way, thank you.")
    await person.graphql(EXTRACT)

    assert set(await settled(len(FACTS) - 1)) == FACTS - {fact}
    for name in RECALLING:
        assert fact not in "\n".join(await INTERFACES[name].find(person, "penicillin allergy")), name
    assert [
        name for name, text in (await person.injected("penicillin allergy")).items() if fact in text
    ] == []
    await person.graphql("mutation($id: ID!) { restoreMemory(id: $id) { id } }", id=told[fact])
    assert set(await settled(len(FACTS))) == FACTS


async def test_a_learnt_fact_is_undone_on_every_surface_and_not_learnt_again(person, told, settled) -> None:
    """Issue 36, point 7: the list of changes quotes its source in the original language."""
    listed = (await person.graphql(CHANGES))["automaticChanges"]["edges"]
    changes = {edge["node"]["memory"]["content"]: edge["node"] for edge in listed}
    assert {text: change["words"] for text, change in changes.items()} == {
        "The user does not like Python": SAID[0],
        "The user never skips tests": SAID[0],
        "The user is allergic to penicillin": SAID[1],
        "用户对花生过敏": SAID[2],
        "用户不喜欢咖啡": SAID[3],
    }
    by_command = json.loads(await person.command_line.ok("changes", "--kind", "learnt", "--json"))
    async with person.mcp() as session:
        by_tool = (await session.call_tool("list_changes", {"kinds": ["LEARNT"]})).structuredContent
        ids = [change["id"] for change in by_tool["changes"]]
        assert ids == [change["id"] for change in by_command] == [edge["node"]["id"] for edge in listed]
        undone = await session.call_tool("undo_change", {"id": changes["用户对花生过敏"]["id"]})
    assert not undone.isError
    await person.command_line.ok("undo", changes["用户不喜欢咖啡"]["id"])
    await person.graphql(UNDO, id=changes["The user is allergic to penicillin"]["id"])

    await person.graphql(EXTRACT)
    await person.says("By the way, thank you.")
    await person.graphql(EXTRACT)

    left = {"The user does not like Python", "The user never skips tests"}
    assert set(await settled(len(left))) == left
    assert len((await person.graphql(CHANGES))["automaticChanges"]["edges"]) == len(FACTS)


@pytest.mark.parametrize("question", ["What's the weather today?", "今天天气怎么样？", "Tell me a joke"])
async def test_small_talk_receives_no_memories(person, told, question) -> None:
    """J2, B9."""
    for name, text in (await person.injected(question)).items():
        assert not [fact for fact in FACTS if fact in text], name


@pytest.mark.parametrize(
    ("question", "fact"),
    [
        ("Am I allergic to penicillin?", "The user is allergic to penicillin"),
        ("我对什么过敏？", "用户对花生过敏"),
    ],
)
async def test_a_question_receives_its_memory(person, told, question, fact) -> None:
    """J2, B9."""
    assert [name for name, text in (await person.injected(question)).items() if fact not in text] == []


@pytest.mark.parametrize(
    ("question", "is_known"),
    [
        ("Does the user like Python?", True),
        ("What is the user allergic to?", True),
        ("Where does the user live?", False),
        ("What is the user's phone number?", False),
        ("When does the user get up?", False),
    ],
)
async def test_a_question_is_answered_from_stored_facts_only(person, told, question, is_known) -> None:
    """E10."""
    assert (await person.graphql(ASK, question=question))["ask"]["supported"] is is_known
