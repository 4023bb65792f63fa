"""The driver's log of statements, for which it formats no lists and maps."""

import io
import logging

import pytest

from cypher.header import parse
from graph.core.rows import Runner

MARK = "quokkamarmalade"
COUNT = parse(
    "// name: count_them\n// mode: read\n// returns: one\n// param: texts list<string>\n// param: given map\n"
    "// column: count integer\n// unscoped: nothing is read\n"
    "CYPHER 25\nRETURN size($texts) + size(keys($given)) AS count\n",
    folder="tests",
    stem="count_them",
    path="cypher/tests/count_them.cypher",
)


@pytest.fixture
def logged():
    """Yield the driver's log output, independent of other handlers."""
    written = io.StringIO()
    handler, logger = logging.StreamHandler(written), logging.getLogger("neo4j.io")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield written
    logger.setLevel(before)
    logger.removeHandler(handler)


async def test_lists_and_maps_are_not_formatted(services, logged) -> None:
    """C16, N7: formatting would take longer than sending a batch, and the values are users' texts."""
    parameters = {"texts": [MARK, MARK], "given": {"text": MARK}}

    async def work(tx: Runner) -> list[int]:
        return [record["count"] for record in await tx.run(COUNT, parameters)]

    alone = [record["count"] for record in await services.core.database.run(COUNT, parameters)]
    together = await services.core.database.transaction(work)

    assert alone == together == [3]
    assert "C: RUN" in logged.getvalue()
    assert MARK not in logged.getvalue()
