"""Times in variables and in the query itself."""

import pytest
from graphql import parse, validate
from graphql.execution.values import get_variable_values

from app.surfaces.graphql.schema import schema

GRAPH = schema._schema
CLEAR = "mutation($input: ClearMemoriesInput!) { clearMemories(input: $input) { cleared } }"


def errors_of(older_than: str) -> list[str]:
    """Return what is wrong with a variable that holds a time."""
    (operation,) = parse(CLEAR).definitions
    read = get_variable_values(GRAPH, operation.variable_definitions, {"input": {"olderThan": older_than}})
    return [error.message for error in read] if isinstance(read, list) else []


@pytest.mark.parametrize("text", ["2026", "20260101", "20260101000000"])
def test_a_number_is_no_time_and_the_error_names_field_and_form(text: str) -> None:
    """A11, K1: as REST and MCP have it."""
    (message,) = errors_of(text)

    assert ".olderThan" in message
    assert "must be a time in ISO 8601, such as 2026-03-07T12:00:00Z" in message


@pytest.mark.parametrize("text", ["2026-01-01", "20260101T000000Z", "2026-01-01T00:00:00+01:00"])
def test_a_time_of_iso_is_taken(text: str) -> None:
    """A11."""
    assert errors_of(text) == []


def test_a_number_is_no_time_in_the_query_itself() -> None:
    """A11."""
    query = 'mutation { clearMemories(input: {olderThan: "2026"}) }'

    messages = [error.message for error in validate(GRAPH, parse(query))]

    assert "DateTime must be a time in ISO 8601, such as 2026-03-07T12:00:00Z, not '2026'" in messages
