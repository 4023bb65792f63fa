"""Reads graphs of Graphiti and Zep, from their Neo4j or as JSON."""

from app.cli.importers.graphiti.reading import read_graphiti

__all__ = ["read_graphiti"]
