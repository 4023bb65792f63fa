"""Connections: where parts of the graph came from."""
