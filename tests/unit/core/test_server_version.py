"""Refusing old releases of Neo4j before the first statement, which they could not parse."""

from typing import cast

import pytest

from app.bootstrap.dependencies import _prepared
from graph.core.database import Database, is_too_old
from graph.core.errors import InvalidInput


@pytest.mark.parametrize(
    ("agent", "expected"),
    [
        ("Neo4j/4.4.38", True),
        ("Neo4j/5.26.12", True),
        ("Neo4j/2025.12.0", True),
        ("Neo4j/2026.07.1", True),
        ("Neo4j/2026.08.0", False),
        ("Neo4j/2026.10", False),
        ("Neo4j/2027.01.0", False),
        ("Neo4j/5.27-aura", False),
        ("Memgraph/3", False),
    ],
)
def test_a_version_below_the_documented_release_is_too_old(agent: str, expected: bool) -> None:
    assert is_too_old(agent) is expected


async def test_a_service_does_not_start_on_an_older_server_and_names_the_release_it_needs() -> None:
    """Formerly a syntax error of the first statement did not say what to do."""

    class Old:
        async def server_agent(self) -> str:
            return "Neo4j/5.26.12"

    with pytest.raises(
        InvalidInput, match=r"^the graph database is Neo4j/5\.26\.12; use Neo4j 2026\.08 or later$"
    ):
        await _prepared(cast("Database", Old()), 0)
