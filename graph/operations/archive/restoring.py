"""Writes a checked archive into a workspace: what is missing is made, what is there already stays as it is."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, Final

from graph.core.database import Database
from graph.core.giving_way import portions
from graph.core.ids import default_key_id
from graph.core.jobs import queries as jobs
from graph.core.jobs.models import JobKind
from graph.core.rows import Runner
from graph.core.scope import SHARED, search_term
from graph.core.silence import long_work
from graph.core.text.stemming import LANGUAGES
from graph.memories.saving.indexing import language_of_earlier
from graph.operations.archive import queries
from graph.operations.archive.checking import CheckedArchive, edges_in, nodes_in
from graph.operations.archive.format import EdgeLine, NodeLine
from graph.operations.archive.known import KnownNodes
from graph.operations.archive.labels import ARCHIVED
from graph.operations.archive.models import RestoreProgress
from graph.operations.archive.unpacking import Member, members_of
from graph.operations.archive.values import from_json, vector_from_text
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.models import VectorIndex

_NODES_PER_TRANSACTION: Final = 500
_EDGES_PER_TRANSACTION: Final = 2000
_OF_ITS_VECTOR: Final = (
    "embedded_revision",
    "embedding_signature",
    "embedded_whole_by",
    "placeholder_vector",
    "unembeddable_by",
)
_OF_USERS: Final = frozenset({"Memory", "Episode", "AgentSequence"})
_SEARCHABLE: Final = "Searchable"
_WITHOUT_VECTOR: Final = "STORED"


@dataclass(frozen=True)
class _NewNode:
    """A node to make."""

    number: int
    label: str
    labels: Sequence[str]
    properties: dict[str, Any]
    vector: list[float] | None

    @property
    def lacks_vector(self) -> bool:
        return _SEARCHABLE in self.labels and self.vector is None and bool(self.properties.get("active"))

    @property
    def lacks_links(self) -> bool:
        return (
            self.label == "Memory"
            and not self.properties.get("enriched")
            and bool(self.properties.get("active"))
        )


@dataclass
class Restore:
    """One restore of one archive; used once.

    Attributes:
        index: Where the archive's vectors go; None: they are of another embedder, or there are none.
        resumes: Whether a restore of the same archive was cut short here.
    """

    database: Database
    mirroring: Mirroring
    archive: CheckedArchive
    workspace_id: str
    index: VectorIndex | None
    known: KnownNodes
    resumes: bool
    now: datetime
    _refs: dict[int, str] = field(default_factory=dict)
    _were_there: set[int] = field(default_factory=set)
    _elsewhere: set[str] = field(default_factory=set)
    _users: dict[str, str] = field(default_factory=dict)

    async def run(self, file: BinaryIO) -> AsyncIterator[RestoreProgress]:
        """Write all of it, in bounded transactions, and yield how far it has come."""
        progress = RestoreProgress(
            workspace_id=self.workspace_id,
            total_nodes=self.archive.node_count,
            total_edges=self.archive.manifest.edges,
        )
        members = await asyncio.to_thread(_opened, file)
        while (member := await asyncio.to_thread(next, members, None)) is not None:
            for nodes in portions(await asyncio.to_thread(_listed, nodes_in(member)), _NODES_PER_TRANSACTION):
                progress = await self._write_nodes(nodes, progress)
                yield progress
            for edges in portions(await asyncio.to_thread(_listed, edges_in(member)), _EDGES_PER_TRANSACTION):
                progress = await self._write_edges(edges, progress)
                yield progress

    async def _write_nodes(self, lines: Sequence[NodeLine], progress: RestoreProgress) -> RestoreProgress:
        prepared = await asyncio.to_thread(lambda: [self._prepared(line) for line in lines])
        new = [node for node in prepared if node is not None and self._is_new(node)]
        skipped = sum(line.number not in self._refs for line in lines) - len(new)

        async def work(tx: Runner) -> list[queries.CreateArchiveNodesRow]:
            made = []
            for part in portions(new):
                made += await queries.create_archive_nodes(
                    tx,
                    workspace_id=self.workspace_id,
                    rows=[_as_row(node) for node in part],
                    vector_property=self.index.vector_property if self.index else "embedding_a",
                )
            await self._ask_for_work(tx, new)
            return made

        with long_work():
            made = await self.database.transaction(work) if new else []
        refs = {row.number: row.ref for row in made}
        self._refs.update(refs)
        for node in new:
            self.known.add(node.label, node.properties, refs[node.number])
        return progress.model_copy(
            update={
                "nodes": progress.nodes + len(lines),
                "created_nodes": progress.created_nodes + len(made),
                "skipped_nodes": progress.skipped_nodes + skipped,
                "embedding": progress.embedding + sum(node.lacks_vector for node in new),
            }
        )

    def _prepared(self, line: NodeLine) -> _NewNode | None:
        """Return a node as it is made here; None for a passage, which is nothing without its vector."""
        label = line.labels[0]
        properties = _without_lock(label, from_json(line.properties))
        # An early archive lacks what searches know users by.
        if label in _OF_USERS and _SEARCHABLE in line.labels:
            user_id = properties.get("user_id") or SHARED
            properties = {"search_user": search_term(user_id), **properties}
            self._users[properties["id"]] = user_id
        if properties.get("api_key_id") == default_key_id(self.archive.workspace.workspace_id):
            properties["api_key_id"] = default_key_id(self.workspace_id)
        if label == "Memory" and "language" not in properties:
            properties |= _language_of_earlier(properties)
        vector = vector_from_text(line.vector) if self.index and line.vector else None
        if label == "Passage":
            if vector is None or self.index is None:
                return None
            properties["slot"] = self.index.slot
            properties = {"user_id": self._users.get(properties["memory_id"], SHARED), **properties}
        elif self.index is None and _SEARCHABLE in line.labels:
            _forget_vector(properties)
        language = LANGUAGES.get(str(properties.get("language"))) if label == "Memory" else None
        labels = list(dict.fromkeys([*line.labels, language.label])) if language else line.labels
        return _NewNode(line.number, label, labels, properties, vector)

    def _is_new(self, node: _NewNode) -> bool:
        """Tell whether a node is to be made; note which one it is otherwise."""
        owner = ARCHIVED[node.label].owner
        if owner is not None and node.properties.get(owner) in self._elsewhere:
            return False
        found = self.known.find(node.label, node.properties)
        if found is None:
            return True
        self._refs[node.number], is_same_id = found
        self._were_there.add(node.number)
        if not is_same_id and "id" in node.properties:
            self._elsewhere.add(node.properties["id"])
        return False

    async def _ask_for_work(self, tx: Runner, nodes: Sequence[_NewNode]) -> None:
        """Have nodes embedded, linked and mirrored that are not, in the transaction that makes them."""
        wanted = {
            JobKind.EMBED: [node.properties["id"] for node in nodes if node.lacks_vector],
            JobKind.LINK: [node.properties["id"] for node in nodes if node.lacks_links],
        }
        for kind, ids in wanted.items():
            if ids:
                await jobs.enqueue_jobs(
                    tx,
                    workspace_id=self.workspace_id,
                    kind=kind,
                    subject_ids=ids,
                    now=self.now,
                    due_at=self.now,
                )
        with_vectors = [node.properties["id"] for node in nodes if node.label == "Memory" and node.vector]
        await self.mirroring.enqueue(tx, self.workspace_id, with_vectors, self.now)

    async def _write_edges(self, lines: Sequence[EdgeLine], progress: RestoreProgress) -> RestoreProgress:
        rows = [row for line in lines if (row := self._edge(line)) is not None]

        async def work(tx: Runner) -> int:
            created = 0
            for part in portions(rows):
                created += await queries.create_archive_edges(tx, workspace_id=self.workspace_id, rows=part)
            return created

        with long_work():
            created = await self.database.transaction(work) if rows else 0
        return progress.model_copy(
            update={"edges": progress.edges + len(lines), "created_edges": progress.created_edges + created}
        )

    def _edge(self, line: EdgeLine) -> dict[str, Any] | None:
        """Return an edge to make; None where an end is not there, or both were there before with what joined them."""
        source, target = self._refs.get(line.source), self._refs.get(line.target)
        were_there = line.source in self._were_there and line.target in self._were_there
        if source is None or target is None or (were_there and not self.resumes):
            return None
        properties = from_json(line.properties)
        return {
            "source": source,
            "target": target,
            "type": line.type,
            "properties": properties,
            "may_exist": were_there,
        }


def _without_lock(label: str, properties: dict[str, Any]) -> dict[str, Any]:
    """Leave out what an early archive holds of locks; of a thread it was when that was last saved."""
    locked_at = properties.pop("locked_at", None)
    return {"updated_at": locked_at, **properties} if label == "AgentCheckpointThread" else properties


def _language_of_earlier(properties: Mapping[str, Any]) -> dict[str, Any]:
    searched = f"{properties.get('search_text') or ''} {properties.get('search_keys') or ''}"
    return language_of_earlier(str(properties.get("content") or ""), searched)


def _opened(file: BinaryIO) -> Iterator[Member]:
    file.seek(0)
    return members_of(file)


def _listed(lines: Iterator[Any]) -> list[Any]:
    return list(lines)


def _as_row(node: _NewNode) -> Mapping[str, Any]:
    return {
        "number": node.number,
        "labels": list(node.labels),
        "properties": node.properties,
        "vector": node.vector,
    }


def _forget_vector(properties: dict[str, Any]) -> None:
    for name in _OF_ITS_VECTOR:
        properties.pop(name, None)
    if "state" in properties:
        properties["state"] = _WITHOUT_VECTOR
