"""All queries to Neo4j, one per ``.cypher`` file, available by name.

The package needs only the standard library. Query functions in ``graph`` call ``load`` once, at their first call.
"""

from cypher.catalogue import browser_style, catalogue, load
from cypher.header import FOR_PEOPLE, VECTOR_INDEXES, Cardinality, Column, HeaderError, Mode, Param, Statement

__all__ = [
    "FOR_PEOPLE",
    "VECTOR_INDEXES",
    "Cardinality",
    "Column",
    "HeaderError",
    "Mode",
    "Param",
    "Statement",
    "browser_style",
    "catalogue",
    "load",
]
