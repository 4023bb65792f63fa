"""Nodes deleted while they are read or written: retried once, and not reported as a defect."""

import pytest

from cypher import Statement
from cypher.header import parse
from graph.core.errors import Unavailable
from graph.core.rows import ATTEMPTS, Runner


def statement(text: str) -> Statement:
    return parse(
        "// name: meet_it\n// mode: write\n// returns: many\n// column: id string\n// unscoped: a node of its own\n"
        f"CYPHER 25\n{text}\n",
        folder="tests",
        stem="meet_it",
        path="cypher/tests/meet_it.cypher",
    )


GONE = statement("CREATE (n:Fleeting {id: 'x'}) WITH n, n.id AS id DELETE n RETURN n.id AS id")
THERE = statement("RETURN 'x' AS id")


@pytest.mark.parametrize("failures", [0, 1, ATTEMPTS - 1])
async def test_a_transaction_that_finds_a_deleted_node_is_retried(services, failures: int) -> None:
    calls = 0

    async def work(tx: Runner) -> list[str]:
        nonlocal calls
        calls += 1
        records = await tx.run(GONE if calls <= failures else THERE, {})
        return [record["id"] for record in records]

    assert await services.core.database.transaction(work) == ["x"]
    assert calls == failures + 1


async def test_a_node_deleted_in_every_attempt_makes_the_request_unavailable(services) -> None:
    """The caller may retry; the request itself is valid."""
    with pytest.raises(Unavailable):
        await services.core.database.run(GONE, {})
