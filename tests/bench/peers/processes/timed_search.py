"""Answers searches with neo4j-graphrag, in an environment of its own; nothing of it is a dependency of the project.

The first line of the standard input says which store it is, each further one what is searched for; each answer is a
line with the seconds the search took and how many hits it has. All lines are JSON.
"""

import json
import re
import sys
import time
from typing import Any

from neo4j import GraphDatabase
from neo4j_graphrag.retrievers import HybridCypherRetriever  # type: ignore[import-not-found]  # the other environment

_HITS = 10
_FILTER = """
WITH node, score
WHERE node:Memory AND node.workspace_id = $workspace_id
RETURN node.id AS id, node.content AS content, score
LIMIT $limit
"""
_NO_WORDS = re.compile(r"[^\w\s]")  # it hands the text to Lucene as syntax


def main() -> None:
    """Answer until the input ends."""
    store: dict[str, Any] = json.loads(sys.stdin.readline())
    driver = GraphDatabase.driver(store["uri"], auth=(store["user"], store["password"]))
    retriever = HybridCypherRetriever(driver, store["vector_index"], "memory_text", _FILTER)
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        start = time.perf_counter()
        found = retriever.search(
            query_text=_NO_WORDS.sub(" ", asked["text"]),
            query_vector=asked["vector"],
            top_k=_HITS,
            effective_search_ratio=asked["ratio"],
            query_params={"workspace_id": asked["workspace_id"], "limit": _HITS},
        )
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, "hits": len(found.items)}), flush=True)
    driver.close()


main()
