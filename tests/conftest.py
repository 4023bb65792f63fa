"""Registers the fixtures of ``tests/fixtures``; none are defined here."""

pytest_plugins = [
    "tests.fixtures.neo4j",
    "tests.fixtures.redis",
]
