"""The indexes of a store: a start creates only the missing ones, and operators can inspect them."""

from collections.abc import Mapping
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase, Record

from cypher import Statement
from graph.core.database import Database
from graph.core.rows import Runner
from graph.operations import queries
from graph.operations.admin import apply_schema, declared_indexes, inspect_indexes
from tests.fixtures.timeouts import scaled_timeout


@pytest.fixture(scope="module")
async def database(neo4j_address):
    auth = (neo4j_address.user, neo4j_address.password)
    opened = Database(
        AsyncGraphDatabase.driver(neo4j_address.uri, auth=auth),
        name="neo4j",
        timeout_seconds=scaled_timeout(60),
    )
    await apply_schema(opened)
    yield opened
    await opened.close()


class Recorder:
    """Runs and records statements on the real server; hides one of the store's indexes."""

    def __init__(self, runner: Runner, *, hidden: str | None = None) -> None:
        self.names: list[str] = []
        self.parts: tuple[str, ...] = ()
        self._runner = runner
        self._hidden = hidden

    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> list[Record]:
        self.names.append(statement.name)
        self.parts = statement.parts
        records = await self._runner.run(statement, parameters)
        return [record for record in records if record.get("name") != self._hidden]


async def test_a_complete_store_stays_unchanged(database) -> None:
    recorder = Recorder(database)

    await apply_schema(recorder)

    assert recorder.names == ["list_indexes"]


async def test_only_the_missing_index_is_created(database) -> None:
    recorder = Recorder(database, hidden="job_due")

    await apply_schema(recorder)

    assert recorder.names == ["list_indexes", "core"]
    (created,) = recorder.parts
    assert "CREATE INDEX job_due " in created


async def test_every_declared_index_is_found_online(database) -> None:
    report = await inspect_indexes(database)

    assert (report.missing, report.failed) == ([], [])
    assert {*report.online, *report.building} >= set(declared_indexes())


async def test_a_missing_index_is_reported_by_name(database) -> None:
    report = await inspect_indexes(Recorder(database, hidden="job_due"))

    assert report.missing == ["job_due"]


async def test_the_server_reports_its_version_and_edition(database) -> None:
    server = await queries.get_server(database)

    assert (server.version, server.edition) == ("2026.08.1", "community")
