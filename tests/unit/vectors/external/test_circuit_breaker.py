"""The gate before the external tier: shut by a failure, opened by a probe, slower each time it does not help."""

from graph.vectors.external.connection import CircuitBreaker
from tests.fixtures.memories import MovingClock


def test_a_failure_shuts_the_gate_until_a_probe():
    """C2: while it is shut nobody asks; after a second it is worth a probe."""
    clock = MovingClock()
    gate = CircuitBreaker(clock)
    assert (gate.is_open, gate.reason, gate.is_worth_a_probe) == (True, None, False)

    gate.failed("away")
    assert (gate.is_open, gate.reason, gate.is_worth_a_probe) == (False, "away", False)
    clock.move(seconds=1)
    assert (gate.is_open, gate.is_worth_a_probe) == (False, True)

    gate.probed()
    assert (gate.is_open, gate.reason, gate.is_worth_a_probe) == (True, None, False)


def test_a_store_that_only_claims_to_be_ready_is_called_less_and_less_often():
    """C2: a probe that succeeds proves nothing; work that succeeds makes the pauses short again."""
    clock = MovingClock()
    gate = CircuitBreaker(clock)
    pauses = []

    for _ in range(9):
        gate.failed("full")
        pauses.append(_seconds_until_probe(gate, clock))
        gate.probed()
    gate.worked()
    gate.failed("full")
    pauses.append(_seconds_until_probe(gate, clock))

    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60, 1]


def _seconds_until_probe(gate: CircuitBreaker, clock: MovingClock) -> int:
    seconds = 0
    while not gate.is_worth_a_probe:
        clock.move(seconds=1)
        seconds += 1
    return seconds
