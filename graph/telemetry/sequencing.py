"""Extends a sequence by new actions; pure, so that a transaction may repeat it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from graph.core.ids import new_id
from graph.core.models import Frozen
from graph.core.scope import SHARED, owner_properties
from graph.core.text.checks import is_identifier
from graph.telemetry.models import ActionDraft, Outcome
from graph.telemetry.noted import NOTED_SESSION

# The summary is embedded, so it spells identifiers as words. ``deploy_service`` on ``Service`` becomes "deploy service
# on service", whose vector, unlike that of the identifier, is near "rolling out a service".


MOST_STEPS = 200
"""Maximum number of distinct steps in a sequence; later ones are counted, but not described."""
_STEPS_AT_EACH_END = 8
_NONE = "-"  # identifiers cannot begin with it
_PARTS = re.compile(r"[_.:/\-\s]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDED = {
    Outcome.SUCCESS: "ended in success",
    Outcome.ERROR: "ended in error",
    Outcome.DEAD_END: "ended in a dead end",
}
_WENT = {Outcome.SUCCESS: "succeeded", Outcome.ERROR: "failed", Outcome.DEAD_END: "reached a dead end"}


class Step(NamedTuple):
    """A kind of action with its outcome."""

    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str | None


def read_steps(stored: Sequence[str]) -> dict[Step, int]:
    """Return the count of each distinct step, in order of first occurrence.

    >>> read_steps(["deploy Service ERROR E_QUOTA 2"])
    {Step(action_type='deploy', node_type='Service', outcome=<Outcome.ERROR: 'ERROR'>, error_code='E_QUOTA'): 2}
    """
    steps = {}
    for line in stored:
        action_type, node_type, outcome, code, count = line.split(" ")
        step = Step(action_type, node_type, Outcome(outcome), None if code == _NONE else code)
        steps[step] = int(count)
    return steps


def written_steps(steps: Mapping[Step, int]) -> list[str]:
    """Return steps in their stored form, the inverse of :func:`read_steps`."""
    return [
        f"{step.action_type} {step.node_type} {step.outcome} {step.error_code or _NONE} {count}"
        for step, count in steps.items()
    ]


def with_taken(steps: Mapping[Step, int], taken: Iterable[Step]) -> dict[Step, int]:
    """Return the steps including new ones."""
    counted = dict(steps)
    for step in taken:
        if step in counted or len(counted) < MOST_STEPS:
            counted[step] = counted.get(step, 0) + 1
    return counted


def intent_summary(steps: Mapping[Step, int], *, outcome: Outcome, action_count: int) -> str:
    """Return the attempted steps in order, and the outcome.

    >>> steps = {Step("deploy_service", "Service", Outcome.ERROR, "E_QUOTA"): 2}
    >>> intent_summary(steps, outcome=Outcome.ERROR, action_count=2)
    'deploy service on service failed with e quota, 2 times. 2 actions, ended in error.'
    """
    actions = "1 action" if action_count == 1 else f"{action_count} actions"
    return f"{_rendered_steps(steps)} {actions}, {_ENDED[outcome]}."


def kinds_summary(steps: Iterable[Step]) -> str:
    """Return the attempted steps in order, without counts and outcome.

    >>> kinds_summary({Step("deploy_service", "Service", Outcome.ERROR, "E_QUOTA"): 2})
    'deploy service on service failed with e quota.'
    """
    return _rendered_steps(dict.fromkeys(steps, 1))


def search_keys(steps: Mapping[Step, int]) -> str:
    """Return the original identifiers, for searches by the exact word."""
    names = (name for step in steps for name in (step.action_type, step.node_type, step.error_code) if name)
    return " ".join(dict.fromkeys(names))


def _rendered_steps(steps: Mapping[Step, int]) -> str:
    rendered = [_rendered_step(step, count) for step, count in steps.items()]
    if len(rendered) > 2 * _STEPS_AT_EACH_END:
        left_out = len(rendered) - 2 * _STEPS_AT_EACH_END
        rendered = [*rendered[:_STEPS_AT_EACH_END], f"{left_out} more steps", *rendered[-_STEPS_AT_EACH_END:]]
    return f"{'. '.join(rendered)}."


def _rendered_step(step: Step, count: int) -> str:
    code = f" with {_words(step.error_code)}" if step.error_code else ""
    times = "" if count == 1 else f", {count} times"
    return f"{_words(step.action_type)} on {_words(step.node_type)} {_WENT[step.outcome]}{code}{times}"


def _words(identifier: str) -> str:
    return " ".join(part for part in _PARTS.split(identifier) if part).lower()


class OpenSequence(Frozen):
    """A stored sequence, locked by the transaction that read it."""

    id: str
    session_id: str
    user_id: str
    search_text: str
    revision: int
    steps: Sequence[str]
    outcome: Outcome | None
    action_count: int
    success_count: int
    error_count: int
    dead_end_count: int
    total_latency_ms: float
    started_at: datetime | None
    ended_at: datetime | None


def sessions_to_open(agents: Mapping[tuple[str, str], str]) -> list[dict[str, str]]:
    """Return the rows of ``open_sequences`` for agents by user and session.

    The rows are sorted, so that all transactions lock sequences in the same order and cannot deadlock.
    """
    return [
        {**owner_properties(user_id, agent_id), "session_id": session_id, "id": new_id("seq")}
        for (user_id, session_id), agent_id in sorted(agents.items())
    ]


@dataclass(frozen=True)
class Extension:
    """Changes of a sequence by new actions.

    Attributes:
        actions: Rows of ``create_actions``.
        properties: New properties of the sequence.
        moments: Times of the new actions.
        says_something_new: True if the summary changed and needs a new vector.
    """

    sequence_id: str
    actions: Sequence[dict[str, Any]]
    properties: dict[str, Any]
    moments: Sequence[datetime]
    says_something_new: bool


def extended(
    sequence: OpenSequence, drafts: Sequence[tuple[str, ActionDraft]], *, now: datetime
) -> Extension:
    """Return the changes of a sequence by new actions.

    Args:
        sequence: Stored sequence.
        drafts: New ids and validated drafts, at least one, in order of arrival.
        now: Time of recording.
    """
    moments = [draft.occurred_at or now for _, draft in drafts]
    last = max(range(len(drafts)), key=lambda place: (moments[place], place))
    is_latest = sequence.ended_at is None or moments[last] >= sequence.ended_at
    # The outcome of a run is that of its last action by time; counts and steps include the earlier ones.
    outcome = drafts[last][1].outcome if is_latest else sequence.outcome
    assert outcome is not None  # noqa: S101 - a sequence that has ended has an outcome
    steps = with_taken(read_steps(sequence.steps), (_step(draft) for _, draft in drafts))
    count = sequence.action_count + len(drafts)
    # An automatic session never ends and may change every second, so its summary has no counts or outcome.
    is_noted = sequence.session_id.startswith(NOTED_SESSION)
    text = kinds_summary(steps) if is_noted else intent_summary(steps, outcome=outcome, action_count=count)
    went = Counter(draft.outcome for _, draft in drafts)
    is_new = text != sequence.search_text
    properties = {
        "steps": written_steps(steps),
        "search_text": text,
        "search_keys": search_keys(steps),
        "revision": sequence.revision + is_new,
        "outcome": outcome,
        "action_count": count,
        "success_count": sequence.success_count + went[Outcome.SUCCESS],
        "error_count": sequence.error_count + went[Outcome.ERROR],
        "dead_end_count": sequence.dead_end_count + went[Outcome.DEAD_END],
        "total_latency_ms": sequence.total_latency_ms + sum(draft.latency_ms or 0.0 for _, draft in drafts),
        "started_at": min(moments) if sequence.started_at is None else min(sequence.started_at, *moments),
        "ended_at": moments[last] if is_latest else sequence.ended_at,
    }
    rows = [
        _row(sequence, id_, draft, position=sequence.action_count + place, now=now)
        for place, (id_, draft) in enumerate(drafts)
    ]
    return Extension(sequence.id, rows, properties, moments, is_new)


def _step(draft: ActionDraft) -> Step:
    return Step(draft.action_type, draft.node_type, draft.outcome, draft.error_code)


def _row(
    sequence: OpenSequence, id_: str, draft: ActionDraft, *, position: int, now: datetime
) -> dict[str, Any]:
    return {
        "id": id_,
        "sequence_id": sequence.id,
        "target_id": draft.target_id,
        "also_touched": draft.also_touched,
        "properties": {
            "session_id": draft.session_id,
            "user_id": sequence.user_id,
            "agent_id": draft.agent_id or SHARED,
            "sequence_id": sequence.id,
            "position": position,
            "action_type": draft.action_type,
            "node_type": draft.node_type,
            # Do not store a target that is neither an entity nor an id: it may be a user's text.
            "target_id": draft.target_id if is_identifier(draft.target_id or "") else None,
            "outcome": draft.outcome,
            "error_code": draft.error_code,
            "latency_ms": draft.latency_ms,
            "occurred_at": draft.occurred_at or now,
            "recorded_at": now,
        },
    }
