"""The wording of patterns for an agent (formats F§5)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.telemetry.models import AgentPattern, PatternState, pattern_block, pattern_line

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def pattern(**fields: Any) -> AgentPattern:
    values = {
        "id": "pat_1",
        "workspace_id": "ws_1",
        "action_type": "deploy",
        "node_type": "Service",
        "error_code": "E_QUOTA",
        "state": PatternState.PROMOTED,
        "sequences": 6,
        "attempts": 9,
        "confidence": 6 / 9,
        "note": None,
        "suppressed": False,
        **dict.fromkeys(("first_seen_at", "last_seen_at", "promoted_at", "updated_at"), NOW),
        "demoted_at": None,
        **fields,
    }
    return AgentPattern(**values)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({}, "deploy on Service → E_QUOTA (6 sequences, 66%)"),
        ({"error_code": ""}, "deploy on Service → no error code (6 sequences, 66%)"),
        (
            {"note": "raise the quota first"},
            "deploy on Service → E_QUOTA (6 sequences, 66%): raise the quota first",
        ),
        ({"sequences": 599, "attempts": 1000}, "deploy on Service → E_QUOTA (599 sequences, 59%)"),
        ({"sequences": 1, "attempts": 1}, "deploy on Service → E_QUOTA (1 sequence, 100%)"),
        ({"sequences": 0, "attempts": 0}, "deploy on Service → E_QUOTA (0 sequences, 0%)"),
    ],
)
def test_a_pattern_is_one_line(fields, line) -> None:
    """G12."""
    assert pattern_line(pattern(**fields)) == line


def test_a_block_groups_by_node_type_in_the_order_given() -> None:
    """G12."""
    block = pattern_block(
        [pattern(), pattern(node_type="Database", action_type="migrate"), pattern(action_type="restart")]
    )

    assert block == (
        "Known failure patterns for Service:\n"
        "- deploy on Service → E_QUOTA (6 sequences, 66%)\n"
        "- restart on Service → E_QUOTA (6 sequences, 66%)\n"
        "Known failure patterns for Database:\n"
        "- migrate on Database → E_QUOTA (6 sequences, 66%)"
    )
    assert pattern_block([]) == ""
