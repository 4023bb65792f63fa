"""Patterns after any history of captures, jobs, promotions and deletions, compared with a full count."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from graph.operations.services import Services
from graph.telemetry.models import Outcome, PatternFilter, PatternState
from tests.fixtures.telemetry import Telemetry, action, claimed
from tests.fixtures.timeouts import scaled_timeout

SESSIONS = [f"s{number}" for number in range(8)]
KINDS = [("deploy", "Service"), ("dump", "Database")]
FINE = "fine"
CODES = ["E_ONE", "E_TWO", "", FINE]
# Sessions act in groups; otherwise no short history would come near a threshold.
TOGETHER = st.tuples(
    st.sets(st.sampled_from(SESSIONS), min_size=1), st.sampled_from(KINDS), st.sampled_from(CODES)
)

Failure = tuple[str, str, str]


class Histories(RuleBasedStateMachine):
    """State machine that recounts all tallied actions; its rules run in a separate thread from the engine."""

    def __init__(self, services: Services, telemetry: Telemetry, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self.services = services
        self.telemetry = telemetry
        self.loop = loop
        self.taken: dict[str, list[tuple[tuple[str, str], str]]] = {}
        self.tallied: dict[str, int] = {}
        self.states: dict[Failure, PatternState] = {}

    def done(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(scaled_timeout(30))

    @initialize()
    def open(self) -> None:
        created = self.done(self.services.tenancy.workspaces.create("histories", memory_enabled=True))
        self.workspace = created.id
        self.record([(set(SESSIONS[:5]), KINDS[0], CODES[0]), (set(SESSIONS[4:7]), KINDS[0], FINE)])

    @rule(waves=st.lists(TOGETHER, min_size=1, max_size=3))
    def record(self, waves) -> None:
        taken = [(session, kind, code) for sessions, kind, code in waves for session in sorted(sessions)]
        drafts = [
            action(
                session,
                Outcome.SUCCESS if code == FINE else Outcome.ERROR,
                action_type=kind[0],
                node_type=kind[1],
                error_code=None if code == FINE else code or None,
            )
            for session, kind, code in taken
        ]
        assert self.done(self.telemetry.recorder.record(self.workspace, drafts)) == len(taken)
        for session, kind, code in taken:
            self.taken.setdefault(session, []).append((kind, code))

    @rule(sessions=st.sets(st.sampled_from(SESSIONS), min_size=1), times=st.integers(1, 2))
    def run_jobs(self, sessions, times) -> None:
        ids = self.ids()
        jobs = [claimed(self.workspace, ids[session]) for session in sorted(sessions & ids.keys())]
        for _ in range(times):
            self.done(self.telemetry.promoter.run_jobs(jobs))
        self.tally(sessions)

    @rule()
    def promote(self) -> None:
        self.done(self.telemetry.promoter.promote(self.workspace))
        self.tally(self.taken)

    @rule()
    def preview(self) -> None:
        found = self.done(self.telemetry.promoter.promote(self.workspace, dry_run=True))

        tallied, states = dict(self.tallied), dict(self.states)
        self.tally(self.taken)
        expected = {failure for failure, state in self.states.items() if state is PatternState.PROMOTED}
        self.tallied, self.states = tallied, states
        promoted = [pattern for pattern in found if pattern.state is PatternState.PROMOTED]
        assert {failure_of(pattern) for pattern in promoted} == expected

    @rule(session=st.sampled_from(SESSIONS))
    def delete(self, session) -> None:
        id_ = self.ids().get(session, "seq_nobodys")
        assert self.done(self.telemetry.promoter.delete_sequence(self.workspace, id_)) is (
            session in self.taken
        )
        self.taken.pop(session, None)
        self.tallied.pop(session, None)
        self.tally(())

    @invariant()
    def the_store_says_what_a_full_count_says(self) -> None:
        page = self.done(
            self.telemetry.reader.patterns(
                self.workspace, PatternFilter(states=list(PatternState)), first=200
            )
        )
        evidence = self.done(
            self.telemetry.reader.evidence_of(
                self.workspace, [pattern.id for pattern in page.items], first=200
            )
        )
        found = {
            failure_of(pattern): (
                pattern.state,
                pattern.attempts,
                pattern.sequences,
                {sequence.session_id for sequence in evidence.get(pattern.id, [])},
            )
            for pattern in page.items
        }
        failed, attempted = self.counts()
        assert found == {
            failure: (
                state,
                len(attempted.get(failure[:2], ())),
                len(failed.get(failure, ())),
                failed.get(failure, set()),
            )
            for failure, state in self.states.items()
        }

    def ids(self) -> dict[str, str]:
        page = self.done(self.telemetry.reader.sequences(self.workspace, first=200)).page
        return {hit.sequence.session_id: hit.sequence.id for hit in page.items}

    def tally(self, sessions: Iterable[str]) -> None:
        for session in sessions:
            if session in self.taken:
                self.tallied[session] = len(self.taken[session])
        failed, attempted = self.counts()
        for failure in failed.keys() | self.states.keys():
            count, of = len(failed.get(failure, ())), len(attempted.get(failure[:2], ()))
            if count >= 5 and count / of >= 0.6:
                self.states[failure] = PatternState.PROMOTED
            elif failure in self.states:
                self.states[failure] = PatternState.DEMOTED

    def counts(self) -> tuple[dict[Failure, set[str]], dict[tuple[str, str], set[str]]]:
        """Return the sessions of each failure and of each attempt among the tallied actions."""
        failed: dict[Failure, set[str]] = {}
        attempted: dict[tuple[str, str], set[str]] = {}
        for session, taken in self.taken.items():
            for kind, code in taken[: self.tallied.get(session, 0)]:
                attempted.setdefault(kind, set()).add(session)
                if code != FINE:
                    failed.setdefault((*kind, code), set()).add(session)
        return failed, attempted


def failure_of(pattern) -> Failure:
    return pattern.action_type, pattern.node_type, pattern.error_code or ""


async def test_patterns_equal_a_count_of_all_actions(services, telemetry) -> None:
    """G4, G5, G17: after any order of recordings, repeated tallies, previews and deletions."""
    few = settings(
        max_examples=3,
        stateful_step_count=10,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    loop = asyncio.get_running_loop()
    await asyncio.to_thread(run_machine, lambda: Histories(services, telemetry, loop), settings=few)
