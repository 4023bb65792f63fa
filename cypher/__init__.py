"""Everything Neo4j is told: one query per ``.cypher`` file, handed out by name.

Only the standard library is needed. Query functions in ``graph`` call ``load`` once, at import.
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
