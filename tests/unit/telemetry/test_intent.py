"""The summary of a sequence."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.telemetry.models import Outcome
from graph.telemetry.sequencing import (
    MOST_STEPS,
    Step,
    intent_summary,
    read_steps,
    search_keys,
    with_taken,
    written_steps,
)

TYPES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.:/\-]{0,63}", fullmatch=True)
STEPS = st.builds(Step, TYPES, TYPES, st.sampled_from(Outcome), st.none() | TYPES)
DEPLOY = Step("deploy_service", "Service", Outcome.ERROR, "E_QUOTA")


@given(st.dictionaries(STEPS, st.integers(1, 10**9), max_size=20))
def test_steps_are_parsed_as_they_were_written(steps) -> None:
    assert read_steps(written_steps(steps)) == steps
    assert list(read_steps(written_steps(steps))) == list(steps)


def test_a_summary_lists_steps_with_counts_and_outcome() -> None:
    """G3."""
    steps = with_taken(
        {},
        [
            Step("buildImage", "ContainerImage", Outcome.SUCCESS, None),
            DEPLOY,
            DEPLOY,
            Step("http.get", "HTTPEndpoint", Outcome.DEAD_END, None),
        ],
    )

    assert intent_summary(steps, outcome=Outcome.DEAD_END, action_count=4) == (
        "build image on container image succeeded. deploy service on service failed with e quota, 2 times. "
        "http get on http endpoint reached a dead end. 4 actions, ended in a dead end."
    )
    assert search_keys(steps) == (
        "buildImage ContainerImage deploy_service Service E_QUOTA http.get HTTPEndpoint"
    )


def test_a_long_summary_shows_its_beginning_and_end() -> None:
    """G3: both the text that is embedded and the steps that a sequence keeps are bounded."""
    taken = [Step(f"step{number}", "N", Outcome.SUCCESS, None) for number in range(MOST_STEPS + 50)]

    steps = with_taken({}, taken)
    told = intent_summary(steps, outcome=Outcome.SUCCESS, action_count=len(taken)).split(". ")

    assert len(steps) == MOST_STEPS
    assert told[:8] == [f"step{number} on n succeeded" for number in range(8)]
    assert told[8] == "184 more steps"
    assert told[9:17] == [f"step{number} on n succeeded" for number in range(192, 200)]
    assert told[17:] == ["250 actions, ended in success."]


@given(st.lists(STEPS, min_size=1, max_size=30))
def test_a_summary_consists_of_identifiers_and_a_few_fixed_words(taken) -> None:
    """G2, G3: it can contain nothing else."""
    steps = with_taken({}, taken)

    summary = intent_summary(steps, outcome=taken[-1].outcome, action_count=len(taken))

    given_words = {
        word for step in taken for name in step if name for word in re.findall(r"[a-z0-9]+", name.lower())
    }
    fixed = set(
        "on succeeded failed reached a dead end with times more steps action actions ended in success error".split()
    )
    pieces = re.findall(r"[a-z0-9]+", summary)
    assert all(
        piece in fixed or piece.isdigit() or any(piece in word for word in given_words) for piece in pieces
    )


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 action, ended in success."), (2, "2 actions, ended in success.")]
)
def test_one_action_is_written_in_the_singular(count, said) -> None:
    steps = {Step("a", "B", Outcome.SUCCESS, None): count}

    assert intent_summary(steps, outcome=Outcome.SUCCESS, action_count=count).endswith(said)
