"""Times in variables and in queries."""

import pytest
from graphql import parse, validate
from graphql.execution.values import get_variable_values

from app.surfaces.graphql.schema import schema
from graph.core.exact import EXPECTED_TIME

GRAPH = schema._schema
CLEAR = "mutation($input: ClearMemoriesInput!) { clearMemories(input: $input) { cleared } }"


def errors_of(older_than: object) -> list[str]:
    """Return the errors of a variable that contains a time."""
    (operation,) = parse(CLEAR).definitions
    read = get_variable_values(GRAPH, operation.variable_definitions, {"input": {"olderThan": older_than}})
    return [error.message for error in read] if isinstance(read, list) else []


@pytest.mark.parametrize("value", ["20260101000000", "1700000000", 2026, True, {}])
def test_an_invalid_time_is_refused_with_field_and_form(value: object) -> None:
    """A11, K1: as in REST and MCP."""
    (message,) = errors_of(value)

    assert ".olderThan" in message
    assert "must be a time in ISO 8601, such as 2026-03-07T12:00:00Z" in message


@pytest.mark.parametrize(
    "value",
    [
        "2026",
        "2026-01",
        "2026-01-01",
        "20260101T000000Z",
        "2026-01-01T00:00:00+01:00",
        1.7e9,
        1_700_000_000_000,
    ],
)
def test_iso_and_epoch_times_are_accepted(value: object) -> None:
    """A11, issue 35."""
    assert errors_of(value) == []


def messages_of(older_than: str) -> list[str]:
    """Return the errors of a query that contains a time."""
    query = f"mutation {{ clearMemories(input: {{olderThan: {older_than}}}) }}"
    return [error.message for error in validate(GRAPH, parse(query))]


def test_times_in_the_query_itself_are_read_likewise() -> None:
    """A11, issue 35."""
    assert messages_of('"1700000000"') == [f"DateTime {EXPECTED_TIME}, not '1700000000'"]
    assert messages_of("2026") == [f"DateTime {EXPECTED_TIME}, not '2026'"]
    assert messages_of("1700000000") == messages_of('"2026"') == []
