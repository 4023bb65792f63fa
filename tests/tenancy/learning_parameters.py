"""Parameter values for the queries of telemetry, benchmarks and outcomes that headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from tests.fixtures.graphs import NOW, SHARED_WORD, OneOfEach

LATER = NOW + timedelta(days=1)


def _fresh(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(8)}"


def _attempts(names: OneOfEach, _: str) -> Mapping[str, Any]:
    """Return attempts and failures of another workspace's sequence, of a known kind and of a new kind."""
    known = {**names.failure, "error_codes": [names.failure["error_code"]]}
    new = {
        "action_type": "new",
        "node_type": "New",
        "error_code": "NEW",
        "sequence_id": names.sequence_id,
        "id": _fresh("pat"),
        "first_at": NOW,
        "last_at": LATER,
    }
    return {"attempts": [{**known, **new}, {**new, **known}], "failures": [new, {**new, **names.failure}]}


def _sequence(names: OneOfEach, _: str) -> Mapping[str, Any]:
    action = {
        "sequence_id": names.sequence_id,
        "target_id": names.entity_id,
        "id": _fresh("act"),
        "also_touched": list(names.memory_ids),
    }
    return {
        "ids": [names.sequence_id],
        "sequence_ids": [names.sequence_id],
        "actions": [{**action, "properties": {"outcome": "SUCCESS", "occurred_at": LATER}}],
        "chains": [{"sequence_id": names.sequence_id, "since": NOW - timedelta(days=1), "until": LATER}],
        "sequences": [{"id": names.sequence_id, "properties": {"outcome": "SUCCESS"}}],
        "sessions": [
            {
                "session_id": names.session_id,
                "user_id": f"user_{names.mark}",
                "agent_id": "",
                "id": _fresh("seq"),
            }
        ],
    }


def _outcomes(names: OneOfEach, _: str) -> Mapping[str, Any]:
    use = {"sequence_id": names.sequence_id, "memory_id": names.memory_ids[2], "rank": 1, "at": LATER}
    return {
        "uses": [use],
        "sequence_ids": [names.sequence_id],
        "min_runs": 1,
        "prior_successes": 2.0,
        "prior_runs": 4.0,
    }


def _benchmarks(names: OneOfEach, _: str) -> Mapping[str, Any]:
    day = f"{NOW:%Y-%m-%d}"
    return {
        "metric": names.metric_name,
        "noted_type": "recollect.",
        "since": NOW - timedelta(days=1),
        "until": LATER,
        "since_day": day,
        "until_day": f"{LATER:%Y-%m-%d}",
        "id": names.metric_id,
        "name": names.metric_name,
        "properties": {"aggregate": "COUNT"},
        "unmeasured": [{"metric": names.metric_name, "day": day}],
        "benchmarks": [
            {"metric": names.metric_name, "day": day, "value": 2.0, "samples": 3, "id": _fresh("bmk")}
        ],
    }


def _new_metric(_: OneOfEach, __: str) -> Mapping[str, Any]:
    return {"id": _fresh("met"), "name": _fresh("metric"), "properties": {"aggregate": "COUNT"}, "most": 100}


def _pattern(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {
        "id": names.pattern_id,
        "pattern_ids": [names.pattern_id],
        "patterns": [{"id": names.pattern_id, "properties": {"state": "DEMOTED"}}],
        "properties": {"note": "x"},
        "states": ["PROMOTED"],
        "suppressed": None,
    }


LEARNING_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "annotate_pattern": _pattern,
    "chain_actions": _sequence,
    "close_tallies": _sequence,
    "count_attempts": _attempts,
    "count_failures": _attempts,
    "count_outcomes": _outcomes,
    "count_runs": _benchmarks,
    "create_actions": _sequence,
    "delete_actions": _sequence,
    "delete_metric": _benchmarks,
    "delete_sequences": _sequence,
    "lock_sequences": _sequence,
    "find_actions": lambda names, _: {"ids": list(names.action_ids)},
    "forget_outcomes": _outcomes,
    "link_uses": _outcomes,
    "list_action_groups": _benchmarks,
    "list_actions_of_sequence": lambda names, _: {"sequence_id": names.sequence_id},
    "list_actions_of_sequences": _sequence,
    "list_benchmarks": _benchmarks,
    "list_evidence": _pattern,
    "list_memory_outcomes": _outcomes,
    "list_patterns": _pattern,
    "list_repeated_failures": lambda names, _: {"attempts": [names.failure], "least": 1},
    "list_patterns_of_sequences": _sequence,
    "list_actions_of_targets": lambda names, _: {"target_ids": [names.entity_id]},
    "find_targets": lambda names, _: {
        "names": [names.entity_id, names.memory_ids[0]],
        "kinds": ["Entity", "Memory"],
    },
    "list_known_types": lambda names, _: {"names": ["Service", "Person"]},
    "list_target_types": lambda names, _: {"names": [names.entity_id]},
    "list_unsettled": _attempts,
    "list_untallied": lambda _n, _w: {"after_id": ""},
    "open_sequences": _sequence,
    "open_untallied": _sequence,
    "recount_attempts": _attempts,
    "search_sequences": lambda names, _: {
        "text_queries": [{"index": "sequence_text", "query": SHARED_WORD}],
        "vector": list(names.vector),
    },
    "settle_patterns": _pattern,
    "update_sequences": _sequence,
    "upsert_benchmarks": _benchmarks,
    "upsert_metric": _new_metric,
}
