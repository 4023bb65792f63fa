"""The extension of a run with further actions."""

from datetime import UTC, datetime, timedelta

from graph.telemetry.models import ActionDraft, Outcome
from graph.telemetry.noted import NOTED_SESSION
from graph.telemetry.sequencing import OpenSequence, extended

NOW = datetime(2026, 5, 1, tzinfo=UTC)
NEW = OpenSequence(
    id="seq_1",
    session_id="run-1",
    user_id="",
    search_text="",
    revision=0,
    steps=(),
    outcome=None,
    action_count=0,
    success_count=0,
    error_count=0,
    dead_end_count=0,
    total_latency_ms=0.0,
    started_at=None,
    ended_at=None,
)


def after(sequence: OpenSequence, *outcomes: Outcome) -> OpenSequence:
    """Return the sequence with one more action of each outcome."""
    for outcome in outcomes:
        draft = ActionDraft(
            session_id=sequence.session_id, action_type="recall", node_type="Memory", outcome=outcome
        )
        at = NOW + timedelta(seconds=sequence.action_count)
        extension = extended(sequence, [(f"act_{sequence.action_count}", draft)], now=at)
        changed = {
            name: extension.properties[name]
            for name in OpenSequence.model_fields
            if name in extension.properties
        }
        sequence = sequence.model_copy(update=changed)
    return sequence


def test_a_runs_summary_has_counts_and_outcome() -> None:
    """G3: whichever actions join it."""
    run = after(NEW, Outcome.SUCCESS, Outcome.ERROR, Outcome.SUCCESS)

    assert run.search_text == (
        "recall on memory succeeded, 2 times. recall on memory failed. 3 actions, ended in success."
    )
    assert run.revision == 3


def test_a_search_summary_has_no_counts_and_outcome() -> None:
    """G3: it is renewed and embedded again only for a new kind of action."""
    run = after(
        NEW.model_copy(update={"session_id": f"{NOTED_SESSION}key_1"}),
        Outcome.SUCCESS,
        Outcome.ERROR,
        *[Outcome.SUCCESS] * 30,
    )

    assert (run.outcome, run.action_count, run.revision) == (Outcome.SUCCESS, 32, 2)
    assert run.search_text == "recall on memory succeeded. recall on memory failed."
