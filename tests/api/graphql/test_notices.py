"""The notices of a response, if an operation succeeded without storing anything."""

import pytest

APPEND = """mutation { answer: appendMessages(input: {conversationId: "c", messages: [{content: "hello"}]}) { id } }"""
RECORD = """mutation { answer: recordActions(inputs: [
  {id: "a", sessionId: "s", actionType: "deploy", nodeType: "Service", outcome: SUCCESS}
]) }"""
DISTIL = """mutation($text: String = "We decided to keep the orders in Postgres.") {
  answer: distill(input: {source: TOOL, text: $text})
}"""
OFF = "memory is off in this workspace"


@pytest.mark.parametrize("operation", [APPEND, RECORD, DISTIL], ids=["messages", "actions", "distilling"])
async def test_the_response_has_a_notice_that_memory_is_off(graphql, operation) -> None:
    """I5, N1: for any selection."""
    answer = (await graphql.post(operation)).json()

    assert answer["extensions"] == {"notices": [OFF]}
    assert "errors" not in answer


@pytest.mark.parametrize("operation", [APPEND, RECORD, DISTIL], ids=["messages", "actions", "distilling"])
async def test_a_stored_write_has_no_notice(graphql, services, workspace_id, operation) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)

    answers = [(await graphql.post(operation)).json() for _ in range(2)]

    assert [set(answer) for answer in answers] == [{"data"}] * 2


async def test_equal_notices_appear_once(graphql) -> None:
    both = (
        "mutation { "
        + " ".join(
            f'{name}: appendMessages(input: {{conversationId: "c", messages: [{{content: "hello"}}]}}) {{ skipped }}'
            for name in "ab"
        )
        + " }"
    )

    answer = (await graphql.post(both)).json()

    assert answer == {
        "data": {"a": {"skipped": OFF}, "b": {"skipped": OFF}},
        "extensions": {"notices": [OFF]},
    }


async def test_a_skipped_text_is_reported_with_the_reason(graphql, services, workspace_id) -> None:
    """D4, A43."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)

    answer = (await graphql.post(DISTIL, text="the key is AKIAIOSFODNN7EXAMPLE")).json()

    assert answer["data"] == {"answer": False}
    assert answer["extensions"] == {"notices": ["text seems to hold a credential (AWS Access Key)"]}


async def test_a_truncated_query_is_reported(graphql) -> None:
    """Issue 35, point 9: a list of patterns has no other place for the report."""
    search = "query($text: String!) { searchPatterns(query: $text) { id } }"

    long, short = [(await graphql.post(search, text="deploy " * count)).json() for count in (2000, 2)]

    assert long == {
        "data": {"searchPatterns": []},
        "extensions": {"notices": ["query: only its last 8,000 characters were read"]},
    }
    assert short == {"data": {"searchPatterns": []}}
