"""``recollect bench telemetry``: what promotion costs as new sequences come, on top of a short and a long history."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from neo4j import AsyncDriver

from graph.operations.services import Services
from graph.telemetry.models import ActionDraft
from graph.telemetry.models import Outcome as ActionOutcome
from tests.bench.engine import engine, servers
from tests.bench.filling import fill, open_driver
from tests.bench.retrieval import Outcome
from tests.bench.service import Timings, timed
from tests.bench.tables import Table, against

_ACTIONS = (Path(__file__).parent / "actions.cypher").read_text(encoding="utf-8")
_SHARES = (0.01, 0.1, 1.0)
_NEW_ACTIONS = 1000
_LENGTH = 10  # actions of a sequence
_KINDS = 100  # of actions, each with a way to fail that is a pattern
_SEQUENCES_TOGETHER = 1000
_WARM_UP = 3
_FIRST_WARM_UP = 30  # until the server's compiler has done its work, which the first row would be blamed for
_MOST_GROWTH = 1.5  # hundredfold history must not cost half as much again; noise of a shared machine included


@dataclass(frozen=True)
class _Stage:
    """What was measured on top of so many actions."""

    history: int
    recording: Timings
    promotion: Timings


async def measure_promotion(actions: int, rounds: int) -> Outcome:
    """Measure the promotion of 1,000 new actions at 1 %, 10 % and 100 % of a history of so many actions."""
    async with servers(heap_mb=2048, pagecache_mb=1024) as settings, engine(settings) as runtime:
        services = runtime.services
        warm_up = await services.tenancy.workspaces.create("warm-up", memory_enabled=True)
        workspace = await services.tenancy.workspaces.create("telemetry", memory_enabled=True)
        stages: list[_Stage] = []
        async with open_driver(settings) as driver:
            await _fill(driver, warm_up.id, 0, _SEQUENCES_TOGETHER)
            await _measured(services, warm_up.id, 0, 0, _FIRST_WARM_UP)
            filled = 0
            for share in _SHARES:
                wanted = max(round(actions * share) // _LENGTH, 1)
                await _fill(driver, workspace.id, filled, wanted)
                filled = wanted
                stages.append(await _measured(services, workspace.id, len(stages), filled * _LENGTH, rounds))
    return _outcome(stages)


async def _fill(driver: AsyncDriver, workspace_id: str, first: int, end: int) -> None:
    """Write sequences that are tallied already, as a promotion of them would have left them."""
    now = datetime.now(UTC)
    for start in range(first, end, _SEQUENCES_TOGETHER):
        last = min(start + _SEQUENCES_TOGETHER, end) - 1
        await fill(
            driver,
            _ACTIONS,
            workspace_id=workspace_id,
            first=start,
            last=last,
            length=_LENGTH,
            kinds=_KINDS,
            now=now,
        )


async def _measured(services: Services, workspace_id: str, stage: int, history: int, rounds: int) -> _Stage:
    recording: list[float] = []
    promotion: list[float] = []
    for number in range(rounds + _WARM_UP):
        drafts = _new_actions(f"new-{stage}-{number}")
        recording.append((await timed(services.telemetry.recorder.record(workspace_id, drafts)))[0])
        seconds, patterns = await timed(services.telemetry.promoter.promote(workspace_id))
        assert patterns, "the history must have patterns, which the new sequences change"
        promotion.append(seconds)
    return _Stage(history, Timings(recording[_WARM_UP:]), Timings(promotion[_WARM_UP:]))


def _new_actions(session: str) -> list[ActionDraft]:
    """Return new sequences of the same kinds of actions, which fail as those of the history do."""
    return [
        ActionDraft(
            session_id=f"{session}-{number}",
            action_type=f"action{(number + position) % _KINDS}",
            node_type="Service",
            outcome=ActionOutcome.ERROR
            if (failed := (number * 7 + position) % 10 < 7)
            else ActionOutcome.SUCCESS,
            error_code="E_QUOTA" if failed else None,
            latency_ms=10.0,
        )
        for number in range(_NEW_ACTIONS // _LENGTH)
        for position in range(_LENGTH)
    ]


def _outcome(stages: Sequence[_Stage]) -> Outcome:
    least = stages[0]
    table = Table(
        f"{_NEW_ACTIONS:,} new actions in {_NEW_ACTIONS // _LENGTH} sequences, on top of a history",
        ["actions before", "record p50 ms", "ratio", "promote p50 ms", "p95 ms", "ratio", "target"],
        note=(
            f"{_KINDS} kinds of actions, each with a pattern that the new sequences change. The measuring of a "
            "row adds to its history. Ratios are to the first row; through the service, without HTTP or workers."
        ),
    )
    for stage in stages:
        growth = stage.promotion.ms(50) / least.promotion.ms(50)
        table.rows.append(
            [
                f"{stage.history:,}",
                f"{stage.recording.ms(50):.0f}",
                f"{stage.recording.ms(50) / least.recording.ms(50):.2f}",
                f"{stage.promotion.ms(50):.0f}",
                f"{stage.promotion.ms(95):.0f}",
                f"{growth:.2f}",
                "" if stage is least else against(growth, _MOST_GROWTH, at_most=True),
            ]
        )
    figures = {
        str(stage.history): {"record_ms": stage.recording.ms(50), "promote_ms": stage.promotion.ms(50)}
        for stage in stages
    }
    return Outcome([table], figures)
