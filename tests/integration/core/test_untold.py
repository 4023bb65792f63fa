"""What statements are given is not put into words, whatever is logged."""

import logging

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


async def test_the_driver_does_not_word_lists_and_maps(services, caplog) -> None:
    """C16, N7: it does so for every statement, which takes longer than sending a batch, and is what users wrote."""
    parameters = {"texts": [MARK, MARK], "given": {"text": MARK}}

    async def work(tx: Runner) -> list[int]:
        return [record["count"] for record in await tx.run(COUNT, parameters)]

    with caplog.at_level(logging.DEBUG, logger="neo4j"):
        alone = [record["count"] for record in await services.database.run(COUNT, parameters)]
        together = await services.database.transaction(work)

    assert alone == together == [3]
    assert "C: RUN" in caplog.text
    assert MARK not in caplog.text
