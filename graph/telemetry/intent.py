"""Description of a sequence: its distinct steps, and a summary of types, outcomes and codes only.

The summary is embedded, so it spells identifiers as words: ``deploy_service`` on ``Service`` becomes "deploy service on
service", which is near "rolling out a service"; the identifier would not be.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from graph.telemetry.models import Outcome

MOST_STEPS = 200
"""Maximum number of distinct steps in a sequence; later ones are counted, but not described."""
_KEPT_AT_EACH_END = 8
_NONE = "-"  # no identifier begins with it
_PARTS = re.compile(r"[_.:/\-\s]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDED = {
    Outcome.SUCCESS: "ended in success",
    Outcome.ERROR: "ended in error",
    Outcome.DEAD_END: "ended in a dead end",
}
_WENT = {Outcome.SUCCESS: "succeeded", Outcome.ERROR: "failed", Outcome.DEAD_END: "reached a dead end"}


class Step(NamedTuple):
    """A kind of action with how it went."""

    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str | None


def read_steps(stored: Sequence[str]) -> dict[Step, int]:
    """Return how often each distinct step was taken, in the order of their first time.

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
    """Return what :func:`read_steps` reads."""
    return [
        f"{step.action_type} {step.node_type} {step.outcome} {step.error_code or _NONE} {count}"
        for step, count in steps.items()
    ]


def with_taken(steps: Mapping[Step, int], taken: Iterable[Step]) -> dict[Step, int]:
    """Return the steps with those taken now."""
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
    if len(rendered) > 2 * _KEPT_AT_EACH_END:
        left_out = len(rendered) - 2 * _KEPT_AT_EACH_END
        rendered = [*rendered[:_KEPT_AT_EACH_END], f"{left_out} more steps", *rendered[-_KEPT_AT_EACH_END:]]
    return f"{'. '.join(rendered)}."


def _rendered_step(step: Step, count: int) -> str:
    code = f" with {_words(step.error_code)}" if step.error_code else ""
    times = "" if count == 1 else f", {count} times"
    return f"{_words(step.action_type)} on {_words(step.node_type)} {_WENT[step.outcome]}{code}{times}"


def _words(identifier: str) -> str:
    return " ".join(part for part in _PARTS.split(identifier) if part).lower()
