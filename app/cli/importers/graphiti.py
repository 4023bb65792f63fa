"""Converts a Graphiti graph.

| Graphiti | Recollect |
|---|---|
| entity | entity of the same name, with its own label as type |
| edge | a memory with its fact and validity; and a relation, if the fact is still true |
| episode | a turn of a conversation for each group; memories of its facts are derived from it |
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, TypeVar

from neo4j import READ_ACCESS, Driver, GraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import DriverError, Neo4jError
from neo4j.time import DateTime
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from app.cli.importers.json_records import objects, read_document
from app.cli.importers.models import (
    Contents,
    EntityItem,
    LinkItem,
    Moment,
    Record,
    RelationItem,
    Remark,
    Scrubber,
    UnreadableFileError,
    first_reason,
    read_item,
)
from graph.core.errors import InvalidInput
from graph.knowledge.ontology.names import entity_type_name_of, relation_type_name_of


def _none_as_empty(value: Any) -> Any:
    return {} if value is None else value


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    uuid: str = Field(min_length=1)
    group_id: str | None = None
    created_at: Moment = None


class Entity(_Part):
    """A node; ``attributes`` are those of its own type."""

    name: str = Field(min_length=1)
    labels: tuple[str, ...] = ()
    summary: str | None = None
    attributes: Annotated[Mapping[str, Any], BeforeValidator(_none_as_empty)] = {}


class Edge(_Part):
    """A fact about two entities, true from ``valid_at`` until ``invalid_at``; ``attributes`` are those of its type."""

    source_node_uuid: str
    target_node_uuid: str
    name: str
    fact: str = Field(min_length=1)
    episodes: tuple[str, ...] | None = None
    valid_at: Moment = None
    invalid_at: Moment = None
    expired_at: Moment = None
    attributes: Annotated[Mapping[str, Any], BeforeValidator(_none_as_empty)] = {}


class Episode(_Part):
    """Source of facts; only Zep has ``role``."""

    content: str
    name: str | None = None
    source: str | None = None
    source_description: str | None = None
    valid_at: Moment = None
    role: str | None = None


@dataclass(frozen=True)
class Graph:
    """Unchecked records of each kind, and the numbers of kinds that are not imported."""

    entities: Sequence[Mapping[str, Any]]
    edges: Sequence[Mapping[str, Any]]
    episodes: Sequence[Mapping[str, Any]]
    others: Mapping[str, int] = field(default_factory=dict)


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
    """Return the graph in a file.

    Raises:
        UnreadableFileError: The file has no graph.
    """
    value = read_document(path)
    fields = value if isinstance(value, Mapping) else {}
    found = {kind: list(objects(_held(fields, names))) for kind, names in _NAMES.items()}
    if not any(isinstance(each.get("uuid"), str) for records in found.values() for each in records):
        raise UnreadableFileError(f"no graph found; {_EXPECTED}")
    named = {name for names in _NAMES.values() for name in names}
    others = {
        name: len(records)
        for name, value in fields.items()
        if name not in named and (records := list(objects(value)))
    }
    return Graph(**found, others=others)


def _held(fields: Mapping[str, Any], names: Sequence[str]) -> Any:
    return next((fields[name] for name in names if isinstance(fields.get(name), list)), [])


def read_neo4j(url: str, user: str, password: str | None, database: str | None) -> Graph:
    """Return the graph in a database, without writing to it.

    Raises:
        UnreadableFileError: The database does not answer, refuses the credentials, or has no graph of Graphiti.
    """
    try:
        with GraphDatabase.driver(
            url,
            auth=(user, password) if password else None,
            connection_timeout=_CONNECT_SECONDS,
            max_transaction_retry_time=_CONNECT_SECONDS,
            notifications_min_severity=NotificationMinimumSeverity.OFF,
        ) as driver:
            driver.verify_connectivity()  # fails immediately without a server; a transaction would retry
            found = {kind: _read(driver, kind, database) for kind in _NAMES}
            others = {each["kind"]: each["nodes"] for each in _read(driver, "others", database)}
    except (Neo4jError, DriverError, ValueError) as error:
        raise UnreadableFileError(f"the database cannot be read: {error}") from error
    if not any(found.values()):
        raise UnreadableFileError("the database holds no graph of Graphiti: no Entity and no Episodic nodes")
    return Graph(**found, others=others)


def _read(driver: Driver, kind: str, database: str | None) -> list[Mapping[str, Any]]:
    statement = files(__package__).joinpath(f"graphiti_{kind}.cypher").read_text("utf-8")
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


CONNECTION = "graphiti"
"""Connection of the imported entities and relations, by which they can be deleted together."""
_PLAIN_TYPE = "Thing"
_PLAIN_RELATION = "RELATED_TO"
_MOST_TEXT = 500
"""Maximum length of an entity's or a relation's texts, in characters."""
_OWN = frozenset({"uuid", "name", "group_id", "created_at", "summary", "labels", "name_embedding"})
_OWN_OF_EDGE = frozenset(
    {
        "uuid", "name", "group_id", "created_at", "fact", "fact_embedding", "episodes", "expired_at", "valid_at",
        "invalid_at", "reference_time", "source_node_uuid", "target_node_uuid",
    }
)  # fmt: skip
_Checked = TypeVar("_Checked", Entity, Edge, Episode)


@dataclass(frozen=True)
class Neo4jLogin:
    """Login of Graphiti's Neo4j; without a password, the server must require none."""

    user: str = "neo4j"
    password: str | None = None
    database: str | None = None


def read_graphiti(
    source: Path | str, max_chars: int, *, group_is_user: bool = False, login: Neo4jLogin = Neo4jLogin()
) -> Contents:
    """Return the records of a graph.

    Args:
        source: JSON file, or address of Graphiti's Neo4j, such as ``bolt://127.0.0.1:7687``.
        max_chars: Maximum length of an episode.
        group_is_user: True if ``group_id`` is the id of the owner.
        login: Login for the database.

    Raises:
        UnreadableFileError: The source has no graph of Graphiti.
    """
    if isinstance(source, Path):
        graph = read_json(source)
    else:
        graph = read_neo4j(source, login.user, login.password, login.database)
    return Contents(_Reading(graph, max_chars, group_is_user).records(), has_links=True)


class _Reading:
    """The conversion of one graph; lives as long as its records are read."""

    def __init__(self, graph: Graph, max_chars: int, group_is_user: bool) -> None:
        self._graph = graph
        self._max_chars = max_chars
        self._group_is_user = group_is_user
        self._names: dict[str, str] = {}
        self._now = datetime.now(UTC)

    def records(self) -> Iterator[Record]:
        """Yield the records of the graph; relations follow the entities that they connect."""
        for kind, count in self._graph.others.items():
            yield from (Remark(f"{kind} #{number}", f"{kind} left out") for number in range(1, count + 1))
        for entity in _checked(Entity, self._graph.entities):
            yield from [entity] if isinstance(entity, Remark) else self._entity(entity)
        edges: list[Edge] = []
        for edge in _checked(Edge, self._graph.edges):
            if isinstance(edge, Remark):
                yield edge
            else:
                edges.append(edge)
                yield from self._fact(edge)
        for episode in _checked(Episode, self._graph.episodes):
            yield from [episode] if isinstance(episode, Remark) else self._turn(episode)
        for edge in edges:
            yield from self._relation(edge)
        for edge in edges:
            for episode_id in edge.episodes or ():
                where = f"fact {edge.uuid} ← {episode_id}"
                yield LinkItem(where, _key(edge.uuid), _key(episode_id), "DERIVED_FROM")

    def _entity(self, entity: Entity) -> Iterator[Record]:
        where = f"entity {entity.uuid}"
        scrubber = Scrubber()
        properties = scrubber.scrub(_properties_of(entity, _OWN))
        yield from _left_out(where, entity, _OWN)
        summary = scrubber.scrub(entity.summary or "").strip()
        if len(summary) > _MOST_TEXT:
            yield Remark(where, f"summary cut to {_MOST_TEXT} characters", "changed")
        self._names[entity.uuid] = entity.name
        fields = {
            "type": _type_of(entity.labels),
            "name": scrubber.scrub(entity.name),
            "key": _key(entity.uuid),
            "summary": summary[:_MOST_TEXT] or None,
            "properties": properties or None,
            "connectionId": CONNECTION,
        }
        yield EntityItem(where, {name: value for name, value in fields.items() if value is not None})

    def _fact(self, edge: Edge) -> Iterator[Record]:
        ends = {"from": self._names.get(edge.source_node_uuid), "to": self._names.get(edge.target_node_uuid)}
        attributes = _properties_of(edge, _OWN_OF_EDGE)
        noted = {"relation": edge.name, **ends, "group_id": edge.group_id, "attributes": attributes}
        yield from _left_out(f"fact {edge.uuid}", edge, _OWN_OF_EDGE)
        fields = {
            "content": edge.fact,
            "key": _key(edge.uuid),
            "timestamp": edge.created_at,
            "t_valid": edge.valid_at,
            "t_invalid": edge.invalid_at or edge.expired_at,
            "user_id": self._user(edge.group_id),
            "metadata": {"graphiti": {name: value for name, value in noted.items() if value}},
            "dedup": False,
        }
        yield from read_item(f"fact {edge.uuid}", fields, max_chars=self._max_chars)

    def _relation(self, edge: Edge) -> Iterator[Record]:
        where = f"fact {edge.uuid}"
        ended = edge.invalid_at or edge.expired_at
        if ended and ended <= self._now:
            yield Remark(where, "holds no longer: a memory with its validity, and no relation", "changed")
        elif not {edge.source_node_uuid, edge.target_node_uuid} <= self._names.keys():
            yield Remark(where, "an entity is missing: a memory, and no relation", "changed")
        else:
            fields = {
                "from": _key(edge.source_node_uuid),
                "to": _key(edge.target_node_uuid),
                "type": _relation_type_of(edge.name),
                "properties": Scrubber().scrub(
                    {**_properties_of(edge, _OWN_OF_EDGE), "fact": edge.fact[:_MOST_TEXT]}
                ),
                "connectionId": CONNECTION,
            }
            yield RelationItem(where, fields)

    def _turn(self, episode: Episode) -> Iterator[Record]:
        group = episode.group_id or "default"
        noted = {"name": episode.name, "source": episode.source, "described": episode.source_description}
        fields = {
            "content": episode.content,
            "key": _key(episode.uuid),
            "speaker": episode.role,
            "timestamp": episode.valid_at or episode.created_at,
            "source_conversation_id": f"{CONNECTION}/{group}",
            "source_message_id": episode.uuid,
            "user_id": self._user(episode.group_id),
            "metadata": {"graphiti": {name: value for name, value in noted.items() if value}},
            "dedup": False,
        }
        yield from read_item(f"episode {episode.uuid}", fields, max_chars=self._max_chars)

    def _user(self, group_id: str | None) -> str | None:
        return (group_id or None) if self._group_is_user else None


def _checked(model: type[_Checked], records: Sequence[Mapping[str, Any]]) -> Iterator[_Checked | Remark]:
    for position, record in enumerate(records, start=1):
        try:
            yield model.model_validate(record)
        except ValidationError as error:
            where = record.get("uuid") or f"#{position}"
            yield Remark(f"{model.__name__.lower()} {where}", first_reason(error))


def _key(uuid: str) -> str:
    return f"{CONNECTION}/{uuid}"


def _properties_of(part: Entity | Edge, own: Collection[str]) -> Mapping[str, Any]:
    """Return the importable attributes of a part's type, without Graphiti's common fields."""
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in part.attributes.items()
        if name not in own and value is not None and _why_left_out(value) is None
    }


def _left_out(where: str, part: Entity | Edge, own: Collection[str]) -> Iterator[Remark]:
    """Yield a remark on each attribute that is not imported."""
    for name, value in part.attributes.items():
        if name not in own and (reason := _why_left_out(value)) is not None:
            yield Remark(f"{where} {name}", reason, "changed")


def _why_left_out(value: Any) -> str | None:
    texts = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in texts):
        is_plain = value is None or isinstance(value, bool | int | float | datetime)
        return None if is_plain else "attribute that is no text, number or list of texts left out"
    if any(len(each) > _MOST_TEXT for each in texts):
        return f"attribute of more than {_MOST_TEXT} characters left out"
    return None


def _type_of(labels: Sequence[str]) -> str:
    """Return the entity's own type; all have the label ``Entity``, in some versions with the group as a suffix."""
    own = next((label for label in labels if label != "Entity" and not label.startswith("Entity_")), None)
    try:
        return entity_type_name_of(own) if own else _PLAIN_TYPE
    except InvalidInput:
        return _PLAIN_TYPE


def _relation_type_of(name: str) -> str:
    try:
        return relation_type_name_of(name)
    except InvalidInput:
        return _PLAIN_RELATION
