"""Registers the fixtures of ``tests/fixtures``; none are defined here."""

pytest_plugins = [
    "tests.fixtures.embedders",
    "tests.fixtures.embedding_server",
    "tests.fixtures.graphs",
    "tests.fixtures.neo4j",
    "tests.fixtures.redis",
    "tests.fixtures.app",
    "tests.fixtures.memories",
]
