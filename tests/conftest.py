"""Registers the fixtures of ``tests/fixtures``; none are defined here."""

import pytest
from hypothesis import HealthCheck, settings

from tests.tiers import mark_second_tier

# How fast a machine is proves nothing about the code, and a loaded one must not fail the suite.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--generated", type=int, default=400, help="how many requests are generated of each document"
    )
    parser.addoption("--seed", type=int, default=1, help="from which generated requests are drawn")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_second_tier(items)


pytest_plugins = [
    "tests.fixtures.embedders",
    "tests.fixtures.audit",
    "tests.fixtures.upstream",
    "tests.fixtures.chat_proxy",
    "tests.fixtures.chat_server",
    "tests.fixtures.conversations",
    "tests.fixtures.embedding_server",
    "tests.fixtures.graphs",
    "tests.fixtures.logging",
    "tests.fixtures.mcp_agents",
    "tests.fixtures.neo4j",
    "tests.fixtures.redis",
    "tests.fixtures.app",
    "tests.fixtures.memories",
    "tests.fixtures.own_store",
    "tests.fixtures.qdrant_server",
    "tests.fixtures.rest_client",
    "tests.fixtures.served",
    "tests.fixtures.signed_in",
    "tests.fixtures.telemetry",
    "tests.fixtures.websockets",
]
