"""The validation of recorded actions."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from graph.core.errors import InvalidInput
from graph.telemetry.models import ActionDraft, AgentAction, Outcome
from graph.telemetry.rules import validated
from tests.fixtures.telemetry import action

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
WORDS = "the user said hello"


@pytest.mark.parametrize("field", ["action_type", "node_type", "error_code", "session_id", "id"])
@pytest.mark.parametrize(
    "value",
    [
        WORDS,
        "",
        " x",
        "x ",
        "a\nb",
        "ada@example.com",
        "a,b",
        "naïve",
        "你好",
        "_x",
        "x" * 129,
        "a'b",
        "{}",
        "\x00",
    ],
    ids=repr,
)
def test_no_field_accepts_free_text(field, value) -> None:
    """G2, N7: the error does not repeat the text."""
    draft = action("s").model_copy(update={field: value})

    with pytest.raises(InvalidInput) as refused:
        validated(draft, NOW)

    assert refused.value.field.lower() == field.replace("_", "")
    assert not value.strip() or value not in refused.value.message


@pytest.mark.parametrize("key", ["Service:payments api", "支付", "x" * 512])
def test_a_target_may_be_named_by_any_key(key) -> None:
    """G17: it is looked up as stored, without surrounding spaces."""
    assert validated(action("s", target_id=f" {key} "), NOW).target_id == key


@pytest.mark.parametrize("key", ["", " ", "\x00", "x" * 513], ids=repr)
def test_an_invalid_key_names_no_target(key) -> None:
    """G2: the error does not repeat it."""
    with pytest.raises(InvalidInput) as refused:
        validated(action("s", target_id=key), NOW)

    assert refused.value.field == "targetId"
    assert not key.strip() or key not in refused.value.message


def test_there_is_no_field_for_arguments_and_results() -> None:
    """G1, G2: other fields are refused, and other touched nodes are edges."""
    assert set(ActionDraft.model_fields) == {
        *("session_id", "action_type", "node_type", "target_id", "outcome", "error_code", "latency_ms"),
        *("occurred_at", "id", "user_id", "agent_id", "also_touched"),
    }
    assert set(AgentAction.model_fields) - set(ActionDraft.model_fields) == {
        *("workspace_id", "sequence_id", "position", "recorded_at"),
    }
    with pytest.raises(ValidationError):
        action("s", arguments=WORDS)


@pytest.mark.parametrize(
    "value",
    ["deploy_service", "Service", "http.get", "E-42", "404", "db:write", "k8s/apply", "x" * 64],
)
def test_identifiers_pass(value) -> None:
    draft = action("ses-1", Outcome.ERROR, action_type=value, node_type=value, error_code=value)

    assert validated(draft, NOW).error_code == value


@pytest.mark.parametrize("latency", [-0.1, float("nan"), float("inf"), 1e9 + 1])
def test_a_latency_is_a_number_of_milliseconds(latency) -> None:
    """G1."""
    with pytest.raises(InvalidInput) as refused:
        validated(action("s", latency_ms=latency), NOW)

    assert refused.value.field == "latencyMs"


def test_times_are_utc_and_not_far_ahead() -> None:
    """G1: a time without an offset is UTC, and an omitted time is now."""
    naive = datetime(2026, 5, 1, 9)  # noqa: DTZ001 - what a caller may send

    assert validated(action("s"), NOW).occurred_at == NOW
    assert validated(action("s", occurred_at=naive), NOW).occurred_at == naive.replace(tzinfo=UTC)
    assert validated(action("s", occurred_at=NOW + timedelta(hours=23)), NOW).occurred_at is not None
    with pytest.raises(InvalidInput) as refused:
        validated(action("s", occurred_at=NOW + timedelta(days=1, seconds=1)), NOW)
    assert refused.value.field == "occurredAt"
