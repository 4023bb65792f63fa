"""No feature of only one door: the README says which doors carry what, and why others do not."""

import pytest

from tests.fixtures.door_table import DOORS, OPERATIONS, Capability, called_by, table

# What is no use case of a caller: it wires, watches, runs in the background, or is a step of a use case.
INTERNAL = {
    "action_notes.close", "action_notes.flush", "action_notes.note", "action_notes.run",
    "access.authenticate", "access.authenticate_digest", "access.authorize",
    "access.ensure_admin_key", "access.ensure_key", "access.recognise",
    "access.note_failed_sign_in", "access.note_sign_in", "access.require_key",
    "agent_contexts.close", "agent_contexts.count_missing", "agent_contexts.warm_up", "embeddings.close",
    "entity_search.named_in",
    "announcer.jobs_changed", "announcer.memories_changed",
    "benchmarks.enqueue_due", "benchmarks.run_jobs",
    "body_work.run",
    "database.answers_within", "database.close", "database.run", "database.transaction",
    "distilling.run_jobs",
    "embeddings.building_target", "embeddings.embed", "embeddings.embed_memories", "embeddings.embed_query",
    "embeddings.mark_failed", "embeddings.refresh", "embeddings.require_dimension", "embeddings.targets",
    "embeddings.use",
    "extraction.run_facts_jobs", "extraction.run_jobs",
    "jobs.backlog", "jobs.run_due",
    "linking.mark_failed", "linking.run_jobs",
    "memories.note_duplicates", "memories.revise", "memories.sweep_expired",
    "ontology.filter_parameters",
    "outcomes.link",
    "recall.account", "recall.embed", "recall.for_injection", "recall.injection_threshold", "recall.note_use",
    "recall.question",
    "recall.rank", "recall.retention_window", "recall.use_reranker", "recall.warm_up",
    "request_limits.admit",
    "reruns.restate", "reruns.synthesize",
    "round_trip.check", "round_trip.close",
    "sessions.resume",
    "settings.refresh",
    "status.graph_answers",
    "telemetry.run_promotion_jobs", "telemetry.try_record",
    "text_work.run",
    "usage.flush", "usage.record", "usage.record_recall", "usage.run",
    "vector_tier.change_settings", "vector_tier.nearest", "vector_tier.refresh",
    "vector_tier.require_wanted", "vector_tier.try_out",
    "wake_up.ping", "wake_up.signal", "wake_up.wait",
    "working_set.clear_workspace",
    "workspaces.ensure_default", "workspaces.why_nothing_is_stored",
}  # fmt: skip
ROWS = table()


def test_every_operation_of_a_service_is_a_row_of_the_table_or_internal() -> None:
    """Each once."""
    listed = [operation for row in ROWS for operation in row.operations]

    assert len(listed) == len(set(listed))
    assert set(listed) | INTERNAL == OPERATIONS
    assert not set(listed) & INTERNAL


@pytest.mark.parametrize("row", ROWS, ids=[row.what for row in ROWS])
def test_a_row_names_the_doors_whose_code_calls_it(row: Capability) -> None:
    carrying = tuple(door for door in DOORS if row.operations & called_by(door))

    assert row.doors == carrying


@pytest.mark.parametrize("row", ROWS, ids=[row.what for row in ROWS])
def test_a_row_says_why_the_other_doors_do_not_carry_it(row: Capability) -> None:
    assert bool(row.why_not_others) is (row.doors != tuple(DOORS))
