"""Sources of a Graphiti graph: a Neo4j over Bolt, or a JSON file."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from neo4j import READ_ACCESS, Driver, GraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import DriverError, Neo4jError
from neo4j.time import DateTime

from app.cli.importers.document import objects, read_document
from app.cli.importers.graphiti.graph import Graph
from app.cli.importers.models import UnreadableFileError

_CONNECT_SECONDS = 10.0
_EXPECTED = (
    "a Graphiti graph in JSON is {entities: [{uuid, name, …}], edges: [{uuid, fact, source_node_uuid, …}], "
    "episodes: [{uuid, content, …}]}"
)
_NAMES: Mapping[str, Sequence[str]] = {
    "entities": ("entities", "nodes", "entity_nodes"),
    "edges": ("edges", "facts", "entity_edges"),
    "episodes": ("episodes", "episodic_nodes"),
}


def read_json(path: Path) -> Graph:
    """Return the graph that a file holds.

    Raises:
        UnreadableFileError: It holds none.
    """
    value = read_document(path)
    given = value if isinstance(value, Mapping) else {}
    found = {kind: list(objects(_held(given, names))) for kind, names in _NAMES.items()}
    if not any(isinstance(each.get("uuid"), str) for records in found.values() for each in records):
        raise UnreadableFileError(f"no graph found; {_EXPECTED}")
    named = {name for names in _NAMES.values() for name in names}
    others = {
        name: len(records)
        for name, value in given.items()
        if name not in named and (records := list(objects(value)))
    }
    return Graph(**found, others=others)


def _held(given: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((given[name] for name in names if isinstance(given.get(name), list)), [])


def read_neo4j(url: str, user: str, password: str | None, database: str | None) -> Graph:
    """Return the graph of a database; nothing is written there.

    Raises:
        UnreadableFileError: The database does not answer, refuses the credentials, or holds no such graph.
    """
    try:
        with GraphDatabase.driver(
            url,
            auth=(user, password) if password else None,
            connection_timeout=_CONNECT_SECONDS,
            max_transaction_retry_time=_CONNECT_SECONDS,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
        ) as driver:
            driver.verify_connectivity()  # says at once that nobody is there; a transaction would be tried again
            found = {kind: _read(driver, kind, database) for kind in _NAMES}
            others = {each["kind"]: each["nodes"] for each in _read(driver, "others", database)}
    except (Neo4jError, DriverError, ValueError) as error:
        raise UnreadableFileError(f"the database cannot be read: {error}") from error
    if not any(found.values()):
        raise UnreadableFileError("the database holds no graph of Graphiti: no Entity and no Episodic nodes")
    return Graph(**found, others=others)


def _read(driver: Driver, kind: str, database: str | None) -> list[Mapping[str, Any]]:
    statement = files(__package__).joinpath(f"{kind}.cypher").read_text("utf-8")
    with driver.session(database=database, default_access_mode=READ_ACCESS) as session:
        return session.execute_read(
            lambda tx: [_record(record.keys(), record.values()) for record in tx.run(statement)]
        )


def _record(names: Sequence[str], values: Sequence[Any]) -> Mapping[str, Any]:
    return {name: _native(value) for name, value in zip(names, values, strict=True)}


def _native(value: Any) -> Any:
    if isinstance(value, DateTime):
        return value.to_native()
    if isinstance(value, Mapping):
        return {name: _native(each) for name, each in value.items()}
    return value
