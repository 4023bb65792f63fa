"""Contradicting memories through GraphQL."""

import pytest

from tests.fixtures.waiting import until

SAVE = """mutation($content: String!) {
  saveMemory(input: {content: $content}, waitFor: EMBEDDED) { memory { id } }
}"""
CONTRADICTIONS = "{ contradictions { newer { content } older { content } } }"
KEEP_BOTH = """mutation($one: ID!, $two: ID!) {
  associate(input: {fromId: $one, toId: $two, type: CONTRADICTS}) { type }
}"""


@pytest.mark.usefixtures("patient_waits")
async def test_contradictions_are_listed_until_somebody_keeps_both(graphql) -> None:
    """Issue 17: an association records that both contradict each other and stay."""
    old, new = [
        (await graphql.ok(SAVE, content=content))["saveMemory"]["memory"]["id"]
        for content in ("The launch is on March 15", "The launch is on April 1")
    ]

    async def listed() -> list[dict[str, dict[str, str]]]:
        return (await graphql.ok(CONTRADICTIONS))["contradictions"]

    assert await until(listed) == [
        {"newer": {"content": "The launch is on April 1"}, "older": {"content": "The launch is on March 15"}}
    ]
    await graphql.ok(KEEP_BOTH, one=new, two=old)
    assert await listed() == []
    error = await graphql.error("{ contradictions(first: 0) { newer { id } } }")
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "first")
