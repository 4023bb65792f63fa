"""neo4j-graphrag: hybrid search over rows; it can filter by group only after the index search."""

import re
from collections.abc import Sequence

from neo4j import Driver, GraphDatabase, Record
from neo4j_graphrag.retrievers import HybridCypherRetriever  # type: ignore[import-not-found]  # the other environment
from neo4j_graphrag.types import RetrieverResultItem  # type: ignore[import-not-found]

from tests.bench.peers.processes.answering import Row, Store, Vectors, answer

_RATIO = 10  # ratio of hits requested from each index to hits returned
_NO_WORDS = re.compile(r"[^\w\s]")  # neo4j-graphrag passes the text to Lucene as query syntax
_SCHEMA = (
    """CYPHER 25 CREATE VECTOR INDEX row_vectors FOR (row:Row) ON row.embedding
    OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}""",
    "CREATE FULLTEXT INDEX row_texts FOR (row:Row) ON EACH [row.text]",
)
_SAVE = """
UNWIND $rows AS row
CREATE (:Row {id: row.id, text: row.text, group: $group, embedding: row.vector})
"""
_FILTER = """
WITH node, score
WHERE node.group = $group
RETURN node.id AS id, score
LIMIT $limit
"""


class Graphrag:
    """Retriever of neo4j-graphrag, with our own save: its saves require a language model."""

    def __init__(self, driver: Driver, vectors: Vectors) -> None:
        self._driver = driver
        self._vectors = vectors
        self._retriever = HybridCypherRetriever(
            driver, "row_vectors", "row_texts", _FILTER, result_formatter=_as_item
        )

    async def save(self, group: str, rows: Sequence[Row]) -> None:
        given = [{"id": row.id, "text": row.text, "vector": self._vectors.of(row.text)} for row in rows]
        self._driver.execute_query(_SAVE, {"rows": given, "group": group})

    async def search(self, group: str, text: str, limit: int) -> list[str]:
        found = self._retriever.search(
            query_text=_NO_WORDS.sub(" ", text),
            query_vector=self._vectors.of(text),
            top_k=limit,
            effective_search_ratio=_RATIO,
            query_params={"group": group, "limit": limit},
        )
        return [item.content for item in found.items]


def _as_item(record: Record) -> RetrieverResultItem:
    return RetrieverResultItem(content=record["id"])


async def open_graphrag(store: Store, vectors: Vectors) -> Graphrag:
    driver = GraphDatabase.driver(store.uri, auth=(store.user, store.password))
    for statement in _SCHEMA:
        driver.execute_query(statement, {"dimension": store.dimension})  # type: ignore[arg-type]  # literals above
    driver.execute_query("CALL db.awaitIndexes()")
    return Graphrag(driver, vectors)


answer(open_graphrag)
