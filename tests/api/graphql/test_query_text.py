"""Queries with any characters: a user's words are never syntax and never an error."""

import secrets

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.fixtures.waiting import until

SAVE = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
RECALL = """
query($text: String) {
  recall(input: {query: $text, limit: 3}) { hits { memory { id } score textScore } resolution { tier degraded } }
}
"""
SYNTAX = [
    "+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\", "/", "<", ">", "=",
    "AND", "OR", "NOT", "TO", "&", "|", "'", "`", "$", ";", "//", "/*", "*/", "%", "_", "#", "@", "^2", "~1", "{a TO",
    "[* TO *]", "workspace_id:", "search_text:(", '+workspace_id:"', "*:*", "_exists_:x", "\u2028", "\ufeff", "\u200b",
]  # fmt: skip
EMPTY = ["", " ", "\u3000", "???", "()", '"', "\\", "AND", "+ - !", "\u200d", "a", "the of and", "\U0001f600"]


@pytest.fixture
async def needle(graphql) -> tuple[str, str]:
    """Save a memory with a unique word, among others; return the word and the memory's id."""
    word = "zq" + secrets.token_hex(4)
    contents = [
        f"The code word is {word}",
        "AND OR NOT are operators",
        "Nothing to see here",
        "A fourth one",
    ]
    data = await graphql.ok(SAVE, inputs=[{"content": content} for content in contents])

    async def is_embedded() -> bool:
        counted = await graphql.ok("{ engine { workspaces { embedded } } }")
        return counted["engine"]["workspaces"] == [{"embedded": len(contents)}]

    await until(is_embedded)
    return word, data["saveMemories"][0]["memory"]["id"]


async def the_first(graphql, query: str) -> str:
    return (await graphql.ok(RECALL, text=query))["recall"]["hits"][0]["memory"]["id"]


@pytest.mark.parametrize("frame", ["{m} {w}", "{w} {m}", "{m}{w}", "{w}{m}", "{m}{w}{m}", "{m} {m} {w} {m}"])
async def test_a_rare_word_is_found_beside_any_other_words(graphql, needle, frame) -> None:
    word, id_ = needle
    glued = {"_", "\u200b", "\u200d"}  # these join words, so an adjacent word becomes another one

    found = {
        mark: await the_first(graphql, frame.format(m=mark, w=word))
        for mark in SYNTAX
        if " " in frame or not (mark in glued or mark[-1].isalnum() or mark[0].isalnum())
    }

    assert {mark for mark, first in found.items() if first != id_} == set()


@pytest.mark.parametrize("query", EMPTY, ids=repr)
async def test_a_query_of_common_words_is_answered(graphql, needle, query) -> None:
    assert needle
    body = await graphql.ok(RECALL, text=query)

    assert len(body["recall"]["hits"]) == 3


@pytest.mark.parametrize(
    "query",
    [
        '" OR workspace_id:*',
        'x") OR (workspace_id:"{other}',
        "*:* OR workspace_id:{other}",
        "{other}",
        'workspace_id:"{other}"',
        "secretword workspace_id:{other}",
    ],
)
async def test_no_query_reaches_another_workspace(graphql, admin, other_workspace_id, query) -> None:
    await admin.ok(
        'mutation($ws: ID) { saveMemory(input: {content: "secretword of theirs"}, workspaceId: $ws) { outcome } }',
        ws=other_workspace_id,
    )

    found = await graphql.ok(RECALL, text=query.replace("{other}", other_workspace_id))

    assert found["recall"]["hits"] == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    query=st.one_of(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=80),
        st.lists(st.sampled_from([*SYNTAX, "word", "\u6771\u4eac", "12"]), max_size=12).map("".join),
        st.lists(st.sampled_from([*SYNTAX, "word", "\u6771\u4eac", "12"]), max_size=12).map(" ".join),
    )
)
@example("a " * 3000)
@example(" ".join(f"word{number}" for number in range(700)))
@example("x" * 8000)
@example("\\" * 4001)
@example("\u6771" * 2000)
async def test_any_query_text_is_accepted(graphql, query) -> None:
    found = await graphql.ok(RECALL, text=query)

    assert found["recall"]["hits"] == []
    assert [note for note in found["recall"]["resolution"]["degraded"] if "cannot be searched" in note] == []
