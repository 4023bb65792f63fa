"""Durable background work, kept in the graph beside what caused it."""
