"""Registers the fixtures of ``tests/fixtures``; none are defined here."""

import asyncio
import gc
from collections.abc import Iterator
from typing import Any

import pytest
import uvloop
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

from tests.fixtures.timeouts import scaled_timeout
from tests.lane_of import mark_lanes, put_longest_first

# A slow or loaded machine must not fail the suite: its speed proves nothing about the code.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# Nor may a random example fail an unrelated change: `--hypothesis-profile search` looks for new ones.
settings.register_profile("same", settings.get_profile("search"), derandomize=True, database=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--generated", type=int, default=400, help="how many requests are generated of each document"
    )
    parser.addoption(
        "--seed",
        type=int,
        default=1,
        help="of generated requests and of the moments when processes are killed",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    config.option.timeout = scaled_timeout(float(config.getini("timeout")))
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())  # the service's event loop, too


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Exclude the collected tests, which live to the end of the run, from garbage collection."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_lanes(items)
    put_longest_first(items)


class _Together(LoadFileScheduling):
    """Keeps files together that ask the same of servers, so that each server makes fewer query plans.

    The first worker takes files from the front of the list, the others from its end: one runs the tests of the API, the
    other those below it. The files of ``tests/faults`` share servers, so one worker gets all of them.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "tests/faults" if nodeid.startswith("tests/faults/") else super()._split_scope(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        if node is not self.nodes[0]:
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    return _Together(config, log) if config.getoption("dist") == "loadfile" else None


pytest_plugins = [  # those that others import come before them
    "tests.fixtures.embedders",
    "tests.fixtures.graphs",
    "tests.fixtures.neo4j",
    "tests.fixtures.app",
    "tests.fixtures.own_store",
    "tests.fixtures.served",
    "tests.fixtures.audit",
    "tests.fixtures.certificates",
    "tests.fixtures.upstream",
    "tests.fixtures.chat_proxy",
    "tests.fixtures.chat_server",
    "tests.fixtures.conversations",
    "tests.fixtures.embedding_server",
    "tests.fixtures.generated_requests",
    "tests.fixtures.logging",
    "tests.fixtures.mcp_agents",
    "tests.fixtures.redis",
    "tests.fixtures.memories",
    "tests.fixtures.qdrant_server",
    "tests.fixtures.rest_client",
    "tests.fixtures.signed_in",
    "tests.fixtures.telemetry",
    "tests.fixtures.websockets",
]
