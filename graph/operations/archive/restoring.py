"""Writes a checked archive into a workspace: creates missing nodes and leaves existing ones unchanged."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, BinaryIO, Final, NamedTuple

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from graph.core import queries as jobs
from graph.core.background import portions
from graph.core.database import Database
from graph.core.deadlines import long_work
from graph.core.errors import Conflict
from graph.core.ids import default_key_id
from graph.core.models import JobKind
from graph.core.rows import Runner
from graph.core.text.stemming import LANGUAGES
from graph.knowledge.ontology.names import relation_id, triple_of
from graph.memories.saving.indexing import SEARCHED
from graph.operations import queries
from graph.operations.archive.chains import LINK, Chain, Chains, chain_of
from graph.operations.archive.checking import ArchiveMember, CheckedArchive, edges_in, members_of, nodes_in
from graph.operations.archive.format import (
    ARCHIVED,
    REFERENCES,
    EdgeLine,
    NodeLine,
    from_json,
    vector_from_text,
)
from graph.operations.models import RestoreProgress
from graph.telemetry.promoting import Attempt, PatternPromoter
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.models import VectorIndex

_COUNTED: Final = frozenset({"AgentTally", "AgentFailure"})
_FROM_SEQUENCES: Final = frozenset({"TRIED", "USED"})
_TO_SEQUENCES: Final = "EVIDENCED_BY"
_SCHEDULED_TOGETHER: Final = 500


@dataclass
class Completion:
    """Remaining work of one restore, recorded while nodes and edges are written.

    Jobs are scheduled at the end. Earlier, a worker could read a conversation before its messages are restored, or
    count a run and create edges that the restore is about to write.
    """

    database: Database
    promoter: PatternPromoter
    workspace_id: str
    now: datetime
    _owed: dict[JobKind, list[str]] = field(default_factory=lambda: defaultdict(list))
    _attempts: dict[int, Attempt] = field(default_factory=dict)
    _touched: set[int] = field(default_factory=set)

    def note_counted(self, number: int, label: str, properties: Mapping[str, Any]) -> None:
        """Record a node of the archive if it counts sequences."""
        if label in _COUNTED:
            self._attempts[number] = properties["action_type"], properties["node_type"]

    def note_owed(self, label: str, properties: Mapping[str, Any]) -> None:
        """Record the pending jobs of a restored node."""
        if (kind := _owed_to(label, properties)) is not None:
            self._owed[kind].append(properties["id"])
        if label == "Memory":
            self._owed[JobKind.TIMELINE] += properties.get("slot_keys") or ()

    def note_touched(self, number: int) -> None:
        """Record a node whose count no longer matches its edges."""
        self._touched.add(number)

    async def run(self, refs: Mapping[int, str]) -> None:
        """Recount and schedule pending work; idempotent.

        Args:
            refs: Element ids of the archive's nodes by their numbers.
        """
        attempts = {self._attempts[number] for number in self._touched if number in self._attempts}
        await self.promoter.recount(self.workspace_id, attempts)
        memories = sorted(refs[number] for number in self._touched if number not in self._attempts)
        with long_work():
            for some in portions(memories):
                await queries.recount_runs(self.database, workspace_id=self.workspace_id, refs=some)
        for kind, ids in self._owed.items():
            for subject_ids in portions(sorted(set(ids)), _SCHEDULED_TOGETHER):  # other writers sort too
                await jobs.enqueue_jobs(
                    self.database,
                    workspace_id=self.workspace_id,
                    kind=kind,
                    subject_ids=subject_ids,
                    now=self.now,
                    due_at=self.now,
                )


def ends_of_evidence(edge: EdgeLine) -> tuple[int, int] | None:
    """Return the sequence and the counting node of an edge between these; None for other edges."""
    if edge.type in _FROM_SEQUENCES:
        return edge.source, edge.target
    if edge.type == _TO_SEQUENCES:
        return edge.target, edge.source
    return None


def _owed_to(label: str, properties: Mapping[str, Any]) -> JobKind | None:
    if label == "Distillation":
        return JobKind.DISTILL
    if label == "AgentSequence" and properties.get("untallied"):
        return JobKind.PROMOTE
    if label == "Conversation" and _is_unread(properties):
        return JobKind.EXTRACT  # includes the work of EXTRACT_FACTS, extraction by rules
    return None


def _is_unread(conversation: Mapping[str, Any]) -> bool:
    """Tell whether a conversation has messages without extraction, or a requested extraction."""
    last = (conversation.get("next_position") or 0) - 1
    read = conversation.get("extracted_up_to")
    return (-1 if read is None else read) < last or conversation.get("extraction_wished_at") is not None


_Identity = tuple[Hashable, ...]


class Found(NamedTuple):
    """A node of the workspace; ``id`` is None if its label has only one identity."""

    ref: str
    is_same_id: bool
    id: str | None


class KnownNodes:
    """The nodes of a workspace, including those restored so far.

    Attributes:
        chains: Chains of turns and messages that existed before the restore.
    """

    def __init__(self) -> None:
        self._refs: dict[_Identity, str] = {}
        self._ids: dict[str, str] = {}
        self.chains: set[Chain] = set()

    def add(self, label: str, properties: Mapping[str, Any], ref: str) -> None:
        """Record a node under each of its identities."""
        for identity in _identities(label, properties):
            self._refs[identity] = ref
        if len(ARCHIVED[label].identities) > 1 and "id" in properties:
            self._ids[ref] = properties["id"]

    def add_stored(self, label: str, properties: Mapping[str, Any], ref: str) -> None:
        """Record an existing node of the workspace."""
        self.add(label, properties, ref)
        if (chain := chain_of(label, properties)) is not None:
            self.chains.add(chain)

    def find(self, label: str, properties: Mapping[str, Any]) -> Found | None:
        """Return the existing node with one of the identities, and whether its id is equal; or None."""
        for place, identity in enumerate(_identities(label, properties)):
            if (ref := self._refs.get(identity)) is not None:
                return Found(ref, place == 0, self._ids.get(ref))
        return None


def _identities(label: str, properties: Mapping[str, Any]) -> Iterator[_Identity]:
    for names in ARCHIVED[label].identities:
        values = tuple(properties.get(name) for name in names)
        if None not in values:
            yield (label, names, *values)


_NODES_PER_TRANSACTION: Final = 500
_EDGES_PER_TRANSACTION: Final = 2000
_ATTEMPTS: Final = 5
_OF_ITS_VECTOR: Final = (
    "embedded_revision",
    "embedding_signature",
    "embedded_whole_by",
    "placeholder_vector",
    "unembeddable_by",
)
_OF_PARTS: Final = frozenset({"Document", "Memory"})
_SEARCHABLE: Final = "Searchable"
_WITHOUT_VECTOR: Final = "STORED"


@dataclass(frozen=True)
class _NewNode:
    """A node to create.

    A deleted or expired memory also gets jobs for its vector and links: if somebody undeletes it later, its text does
    not change, so nothing would schedule them then.
    """

    number: int
    label: str
    labels: Sequence[str]
    properties: dict[str, Any]
    vector: list[float] | None

    @property
    def lacks_vector(self) -> bool:
        # A vector of an earlier text, or a placeholder, lacks the mark of the current text.
        is_current = self.vector is not None and self.properties.get(
            "embedded_revision"
        ) == self.properties.get("revision")
        return _SEARCHABLE in self.labels and not is_current

    @property
    def lacks_links(self) -> bool:
        return self.label == "Memory" and not self.properties.get("enriched")


@dataclass
class Restore:
    """One restore of one archive; used once.

    Attributes:
        index: Index for the archive's vectors; None: another embedder, or no vectors.
        known: Existing nodes of the workspace.
        list_known: Reads the existing nodes again, after concurrent writes.
        resumes: True if an earlier restore of the same archive was interrupted.
    """

    database: Database
    mirroring: Mirroring
    archive: CheckedArchive
    workspace_id: str
    index: VectorIndex | None
    known: KnownNodes
    list_known: Callable[[], Awaitable[KnownNodes]]
    resumes: bool
    now: datetime
    completion: Completion
    chains: Chains
    _refs: dict[int, str] = field(default_factory=dict)
    _were_there: set[int] = field(default_factory=set)
    _elsewhere: dict[str, str] = field(default_factory=dict)  # ids in the workspace by ids in the archive
    _stayed: set[str] = field(default_factory=set)
    _conversations: set[str] = field(default_factory=set)
    _parts: dict[int, str] = field(default_factory=dict)
    _chained: set[int] = field(default_factory=set)
    _other_runs: set[int] = field(default_factory=set)

    async def run(self, file: BinaryIO) -> AsyncIterator[RestoreProgress]:
        """Write the archive in bounded transactions; yield the progress."""
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
        parts = [self._part_of(number, ref) for number, ref in self._parts.items()]
        for rows in portions(parts, _EDGES_PER_TRANSACTION):
            await self._create_edges(rows)
        await self.chains.draw()
        await self.completion.run(self._refs)

    async def _write_nodes(self, lines: Sequence[NodeLine], progress: RestoreProgress) -> RestoreProgress:
        prepared = await asyncio.to_thread(lambda: [self._prepared(line) for line in lines])
        claimed = AsyncRetrying(
            stop=stop_after_attempt(_ATTEMPTS), retry=retry_if_exception_type(Conflict), reraise=True
        )
        new: Sequence[_NewNode] = []
        made: Sequence[queries.CreateArchiveNodesRow] = []
        async for attempt in claimed:
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    self.known = await self.list_known()
                new = [node for node in prepared if node is not None and self._is_new(node)]
                made = await self._create(new)
        skipped = sum(line.number not in self._refs for line in lines) - len(new)
        refs = {row.number: row.ref for row in made}
        self._refs.update(refs)
        for node in new:
            self.known.add(node.label, node.properties, refs[node.number])
        self._note(prepared)
        return progress.model_copy(
            update={
                "nodes": progress.nodes + len(lines),
                "created_nodes": progress.created_nodes + len(made),
                "skipped_nodes": progress.skipped_nodes + skipped,
                "embedding": progress.embedding + sum(node.lacks_vector for node in new),
            }
        )

    async def _create(self, nodes: Sequence[_NewNode]) -> Sequence[queries.CreateArchiveNodesRow]:
        """Create nodes, and enqueue their pending jobs.

        Raises:
            Conflict: Another writer has created one of the nodes since the existing nodes were read.
        """

        async def work(tx: Runner) -> list[queries.CreateArchiveNodesRow]:
            made = []
            for part in portions(nodes):
                made += await queries.create_archive_nodes(
                    tx,
                    workspace_id=self.workspace_id,
                    rows=[_as_row(node) for node in part],
                    vector_property=self.index.vector_property if self.index else "embedding_a",
                )
            await self._ask_for_work(tx, nodes)
            return made

        with long_work():
            return await self.database.transaction(work) if nodes else []

    def _note(self, nodes: Sequence[_NewNode | None]) -> None:
        """Record the remaining work for nodes that this restore or the interrupted one created."""
        for node in nodes:
            if node is None:
                continue
            self.completion.note_counted(node.number, node.label, node.properties)
            was_there = node.number in self._were_there
            if node.number in self._refs and (self.resumes or not was_there):
                self.completion.note_owed(node.label, node.properties)
                self._note_place(node)

    def _note_place(self, node: _NewNode) -> None:
        """Record the position of a turn or message, if it is among existing ones."""
        chain = chain_of(node.label, node.properties)
        if chain is None:
            return
        if self._is_foreign_message(node) and (conversation := self._conversation_of(node)) is not None:
            self._parts[node.number] = conversation.ref
        if chain in self.known.chains:
            self.chains.note(chain, node.properties)
            self._chained.add(node.number)

    def _prepared(self, line: NodeLine) -> _NewNode | None:
        """Return the node to create; None for a passage without a usable vector."""
        label = line.labels[0]
        properties = from_json(line.properties)
        properties |= {
            name: self._here(properties[name]) for name in REFERENCES.get(label, ()) if name in properties
        }
        if properties.get("api_key_id") == default_key_id(self.archive.workspace.workspace_id):
            properties["api_key_id"] = default_key_id(self.workspace_id)
        if label == "Memory" and not properties.get("active"):
            properties |= dict.fromkeys(SEARCHED)
        # Nodes that belong to nobody counted the user's runs, and a user's archive does not contain them.
        if label == "AgentSequence" and self.archive.workspace.user_id is not None:
            properties |= {"tallied_actions": 0, "untallied": True}
        vector = vector_from_text(line.vector) if self.index and line.vector else None
        if label == "Passage":
            if vector is None or self.index is None:
                return None
            properties["slot"] = self.index.slot
        elif self.index is None and _SEARCHABLE in line.labels:
            _forget_vector(properties)
        language = LANGUAGES.get(str(properties.get("language"))) if label == "Memory" else None
        labels = list(dict.fromkeys([*line.labels, language.label])) if language else line.labels
        return _NewNode(line.number, label, labels, properties, vector)

    def _is_foreign_message(self, node: _NewNode) -> bool:
        """Tell whether a node belongs to another user's conversation, which is not in a user's archive."""
        return (
            node.label == "Message"
            and self.archive.workspace.user_id is not None
            and node.properties["conversation_id"] not in self._conversations
        )

    def _conversation_of(self, message: _NewNode) -> Found | None:
        return self.known.find("Conversation", {"id": message.properties["conversation_id"]})

    def _is_new(self, node: _NewNode) -> bool:
        """Tell whether to create a node; otherwise record the existing node that it corresponds to."""
        if node.label == "Conversation":
            self._conversations.add(node.properties["id"])
        rule = ARCHIVED[node.label]
        owner_id = None if rule.owner is None else node.properties.get(rule.owner)
        if owner_id in self._elsewhere:
            return False
        found = self.known.find(node.label, node.properties)
        if found is None:
            if self._is_foreign_message(node) and self._conversation_of(node) is None:
                return False
            # If an earlier restore was interrupted, an existing owner may lack parts.
            return not rule.is_text or self.resumes or owner_id not in self._stayed
        self._refs[node.number] = found.ref
        self._were_there.add(node.number)
        if node.label in _OF_PARTS:
            self._stayed.add(node.properties["id"])
        if not found.is_same_id and found.id is not None:
            self._elsewhere[node.properties["id"]] = found.id
            if node.label == "AgentSequence":
                self._other_runs.add(node.number)
            if chain_of(node.label, node.properties) is not None:
                self._chained.add(node.number)  # the existing node has its own chain
        return False

    async def _ask_for_work(self, tx: Runner, nodes: Sequence[_NewNode]) -> None:
        """Enqueue embedding, linking and mirroring of new nodes, in the transaction that creates them."""
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
        created = await self._create_edges(rows)
        return progress.model_copy(
            update={"edges": progress.edges + len(lines), "created_edges": progress.created_edges + created}
        )

    async def _create_edges(self, rows: Sequence[Mapping[str, Any]]) -> int:
        async def work(tx: Runner) -> int:
            created = 0
            for part in portions(rows):
                created += await queries.create_archive_edges(tx, workspace_id=self.workspace_id, rows=part)
            return created

        with long_work():
            return await self.database.transaction(work) if rows else 0

    def _part_of(self, number: int, ref: str) -> Mapping[str, Any]:
        """Return the edge from a message to its conversation."""
        ends = {"source": self._refs[number], "target": ref, "type": "PART_OF"}
        return {**ends, "properties": {}, "may_exist": True}

    def _edge(self, line: EdgeLine) -> dict[str, Any] | None:
        """Return the edge to create; None if an end is missing, both ends existed, or it links a rebuilt chain."""
        source, target = self._refs.get(line.source), self._refs.get(line.target)
        were_there = line.source in self._were_there and line.target in self._were_there
        if source is None or target is None or (were_there and not self.resumes):
            return None
        if line.type == LINK and not self._chained.isdisjoint((line.source, line.target)):
            return None
        if (evidence := ends_of_evidence(line)) is not None:
            sequence, counting = evidence
            if counting in self._were_there or sequence in self._other_runs:
                self.completion.note_touched(counting)
            # The workspace has another run for this session, which stays unchanged.
            if sequence in self._other_runs:
                return None
        properties = from_json(line.properties)
        if "entity_id" in properties:
            properties["entity_id"] = self._here(properties["entity_id"])
        if (triple := triple_of(str(properties.get("id")))) is not None:
            properties["id"] = relation_id(self._here(triple.from_id), triple.type, self._here(triple.to_id))
        return {
            "source": source,
            "target": target,
            "type": line.type,
            "properties": properties,
            "may_exist": were_there,
        }

    def _here(self, named: Any) -> Any:
        """Return the id or ids in the workspace for an id or ids in the archive."""
        if isinstance(named, list):
            return [self._here(each) for each in named]
        return self._elsewhere.get(named, named)


def _opened(file: BinaryIO) -> Iterator[ArchiveMember]:
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
