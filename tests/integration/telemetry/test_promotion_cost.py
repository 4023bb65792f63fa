"""The cost of promotion, which depends on new actions, not on the history."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from graph.telemetry.models import Outcome
from graph.telemetry.promoting import PatternPromoter
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock
from tests.fixtures.telemetry import LATER, action, failing

TALLIED = (Path(__file__).parents[2] / "fixtures" / "tallied_actions.cypher").read_text(encoding="utf-8")
KINDS = 20


def hits_of(plan: dict[str, Any]) -> int:
    return plan.get("dbHits", 0) + sum(map(hits_of, plan.get("children", ())))


class Profiled:
    """Runs statements as the engine's database does, and counts the database hits of each."""

    def __init__(self, driver) -> None:
        self.driver = driver
        self.hits: Counter[str] = Counter()

    async def run(self, statement, parameters):
        async with self.driver.session() as session:
            return await self._profiled(session, statement, parameters)

    async def transaction(self, work, *, attempts=1):
        profiled = self

        async with self.driver.session() as session, await session.begin_transaction() as tx:

            class Runner:
                async def run(self, statement, parameters):
                    return await profiled._profiled(tx, statement, parameters)

            result = await work(Runner())
            await tx.commit()
            return result

    async def _profiled(self, runner, statement, parameters):
        result = await runner.run(f"PROFILE {statement.text}", dict(parameters))
        records = [record async for record in result]
        self.hits[statement.name] += hits_of((await result.consume()).profile)
        return records


async def test_promotion_cost_does_not_depend_on_the_history(
    services, telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G4, G5: in database hits, which are the same on any machine."""
    driver = stored_telemetry.driver
    now = datetime.now(UTC)

    async def tallied(first: int, last: int) -> None:
        given = {"first": first, "last": last, "length": 5, "kinds": KINDS, "now": now}
        await run(driver, TALLIED, workspace_id=agents_workspace_id, **given)

    async def hits(name: str) -> Counter[str]:
        drafts = [failing(f"{name}{n}", action_type=f"action{n}") for n in range(5)]
        drafts += [action(f"{name}{n}", Outcome.SUCCESS, action_type=f"action{n + 5}") for n in range(5)]
        await telemetry.recorder.record(agents_workspace_id, drafts)
        profiled = Profiled(driver)
        await PatternPromoter(profiled, MovingClock(LATER)).promote(agents_workspace_id)
        return profiled.hits

    await tallied(0, 199)
    await hits("warm-up")  # creates the history's patterns
    short = await hits("short")
    for first in range(200, 4000, 1000):
        await tallied(first, min(first + 1000, 4000) - 1)
    await hits("again")  # updates the patterns
    long = await hits("long")

    assert short["count_attempts"] > 0
    assert short["settle_patterns"] > 0
    assert short.keys() == long.keys()
    # An operator may read an edge from its other end; reading the history would cost at least 4,000 hits.
    assert long.total() < short.total() + 500
    await services.tenancy.workspaces.delete(agents_workspace_id, hard=True)
