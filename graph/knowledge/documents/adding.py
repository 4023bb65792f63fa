"""Adds a document: parses and splits it, embeds the chunks whose text is not stored, and writes the changes."""

import asyncio
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from graph.core.background import portions
from graph.core.credentials import CredentialGuard
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.models import JobKind
from graph.core.ports import Clock
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.core.text.language import Specificity
from graph.core.text.normal_forms import folded_apart
from graph.core.text.work import TextWork
from graph.knowledge import queries
from graph.knowledge.documents.chunking import (
    ChunkDraft,
    IndexedChunk,
    Measure,
    first_chunks,
    indexed,
    place_of,
    search_keys_of,
)
from graph.knowledge.documents.models import (
    Document,
    DocumentChanges,
    DocumentDraft,
    ImportOutcome,
    StoredChunk,
)
from graph.knowledge.documents.parsed import DocumentParser, DocumentUnreadable, ParsedDocument
from graph.knowledge.documents.rules import (
    CheckedDocument,
    DocumentPolicy,
    may_store_text,
    title_of,
    validated,
)
from graph.memories.rules import as_json, merged_metadata
from graph.tenancy.settings import WorkspaceSettings
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.precomputing import PrecomputedVectors, precompute_vectors
from graph.vectors.index.service import Embeddings


@dataclass(frozen=True)
class Storing:
    """Storage options of a document's chunks.

    Attributes:
        embedded_whole: Hashes of the chunks with a precomputed vector of their whole text.
    """

    search_keys: str
    stores_text: bool
    now: datetime
    embedded_whole: frozenset[str] = frozenset()


@dataclass
class ChunkPlan:
    """Changes to the chunks of a document.

    Attributes:
        creations: ``{id, properties}`` of new chunks.
        updates: ``{id, properties}`` of stored chunks, with the changed properties only.
        deletions: Ids of chunks that are no longer in the document.
        to_embed: Ids of chunks whose vector a job computes from stored text.
        whole: ``(id, revision, hash)`` of chunks that get a precomputed vector of their whole text.
        reused: Number of stored chunks that stay in the document.
        is_reordered: True if the order of the chunks changes.
    """

    creations: list[dict[str, Any]] = field(default_factory=list)
    updates: list[dict[str, Any]] = field(default_factory=list)
    deletions: list[str] = field(default_factory=list)
    to_embed: list[str] = field(default_factory=list)
    whole: list[tuple[str, int, str]] = field(default_factory=list)
    reused: int = 0
    is_reordered: bool = False

    @property
    def is_empty(self) -> bool:
        """True if there are no changes to write."""
        return not (self.creations or self.updates or self.deletions or self.whole)


def plan_chunks(chunks: Sequence[IndexedChunk], stored: Iterable[StoredChunk], storing: Storing) -> ChunkPlan:
    """Return the changes; a stored chunk with the same text keeps its id, vector and edges.

    Equal chunks of one document are matched in order.
    """
    by_hash: Mapping[str, deque[StoredChunk]] = defaultdict(deque)
    before = sorted(stored, key=lambda each: each.ordinal)
    for stored_chunk in before:
        by_hash[stored_chunk.content_hash].append(stored_chunk)
    plan = ChunkPlan()
    order: list[str] = []
    for chunk in chunks:
        same = by_hash[chunk.draft.content_hash]
        if same:
            plan.reused += 1
            order.append(same[0].id)
            _keep(plan, chunk, same.popleft(), storing)
        else:
            order.append(_create(plan, chunk, storing))
    plan.deletions = [left.id for same in by_hash.values() for left in same]
    plan.is_reordered = order != [stored_chunk.id for stored_chunk in before]
    return plan


def lacking_vectors(
    chunks: Sequence[IndexedChunk], stored: Iterable[StoredChunk], *, stores_text: bool
) -> dict[str, str]:
    """Return hash and text of the chunks whose vector must be computed now, because their text is not stored."""
    if stores_text:
        return {}
    whole = Counter(chunk.content_hash for chunk in stored if chunk.is_whole)
    drafts = [chunk.draft for chunk in chunks]
    needed = Counter(draft.content_hash for draft in drafts)
    return {
        draft.content_hash: draft.embedded_text
        for draft in drafts
        if whole[draft.content_hash] < needed[draft.content_hash]
    }


def _create(plan: ChunkPlan, chunk: IndexedChunk, storing: Storing) -> str:
    id_ = new_id("chk")
    properties = {
        **place_of(chunk, search_keys=storing.search_keys),
        **_text(chunk, storing),
        "content_hash": chunk.draft.content_hash,
        "revision": 1,
        "state": "STORED",
        "active": True,
        "search_kind": "chunk",
        "created_at": storing.now,
        "updated_at": storing.now,
    }
    plan.creations.append({"id": id_, "properties": properties})
    _plan_vector(plan, chunk, id_, 1, storing)
    return id_


def _keep(plan: ChunkPlan, chunk: IndexedChunk, stored: StoredChunk, storing: Storing) -> None:
    place = place_of(chunk, search_keys=storing.search_keys)
    held = stored.model_dump(include=set(place), mode="json")
    changed = {name: value for name, value in place.items() if held[name] != value}
    is_rewritten = stored.stores_text is not storing.stores_text or "excerpt" in changed
    has_vector = chunk.draft.content_hash in storing.embedded_whole
    lacks = not storing.stores_text and not stored.is_whole and has_vector
    if is_rewritten or lacks:
        changed |= _rewritten(plan, chunk, stored, storing)
    if changed:
        changed["updated_at"] = storing.now
        plan.updates.append({"id": stored.id, "properties": changed})


def _rewritten(plan: ChunkPlan, chunk: IndexedChunk, stored: StoredChunk, storing: Storing) -> dict[str, Any]:
    """Return the properties that change with the stored text; a vector of the whole chunk stays."""
    revision = stored.revision + 1  # makes the store refuse a vector that a job computes from the former text
    properties = {**_text(chunk, storing), "revision": revision}
    if stored.is_whole:
        made_by = None if storing.stores_text else stored.signature
        return properties | {"embedded_revision": revision, "embedded_whole_by": made_by}
    _plan_vector(plan, chunk, stored.id, revision, storing)
    return properties


def _text(chunk: IndexedChunk, storing: Storing) -> dict[str, Any]:
    return {"text": chunk.draft.text if storing.stores_text else None, "search_text": chunk.search_text}


def _plan_vector(plan: ChunkPlan, chunk: IndexedChunk, id_: str, revision: int, storing: Storing) -> None:
    content_hash = chunk.draft.content_hash
    if not storing.stores_text and content_hash in storing.embedded_whole:
        plan.whole.append((id_, revision, content_hash))
    else:
        plan.to_embed.append(id_)


# A change of the embedder changes the slots in use at most once between embedding and storing.
_STORE_ATTEMPTS = 3


class _OtherSlotsError(Exception):
    """Raised inside a transaction to roll it back: its vectors are not for the slots that are in use now."""


@dataclass(frozen=True)
class PreparedDocument:
    """A parsed document with its chunks."""

    source: CheckedDocument
    title: str
    chunks: Sequence[IndexedChunk]
    stores_text: bool


class DocumentAdder:
    """The use case of adding; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        workspaces: Workspaces,
        parser: DocumentParser,
        measure: Measure,
        policy: DocumentPolicy,
        guard: CredentialGuard,
        text_work: TextWork,
        specificity: Specificity,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._workspaces = workspaces
        self._parser = parser
        self._measure = measure
        self._policy = policy
        self._guard = guard
        self._text_work = text_work
        self._specificity = specificity

    async def add(self, workspace_id: str, draft: DocumentDraft) -> Document:
        """Read the bytes, split the text, and store the document with its chunks."""
        source = await asyncio.to_thread(validated, draft, max_bytes=self._policy.max_bytes)
        settings = (await self._workspaces.get(workspace_id)).settings
        stores_text = may_store_text(WorkspaceSettings.of(settings), source.store_text)
        try:
            parsed = await self._parser.parse(source.content, source.media_type)
        except DocumentUnreadable as error:
            raise InvalidInput(source.field, f"{source.field} {error}") from error
        chunks = await self._text_work.run(
            first_chunks, parsed, self._measure, self._policy.max_chunks + 1, chars=len(parsed.text)
        )
        prepared = await asyncio.to_thread(self._prepare, source, parsed, chunks, stores_text)
        for _ in range(_STORE_ATTEMPTS):
            ahead = await self._embed(workspace_id, prepared)
            try:
                return await self._write(workspace_id, prepared, ahead)
            except _OtherSlotsError:
                continue
        return await self._write(workspace_id, prepared, PrecomputedVectors())

    def _prepare(
        self, source: CheckedDocument, parsed: ParsedDocument, chunks: Sequence[ChunkDraft], stores_text: bool
    ) -> PreparedDocument:
        most = self._policy.max_chunks
        if len(chunks) > most:
            raise InvalidInput(
                source.field, f"{source.field} must have at most {most} chunks; split the document"
            )
        if not chunks:
            raise InvalidInput(source.field, f"{source.field} must contain text; none was found")
        title = title_of(source, parsed.title)
        prepared = [indexed(chunk, self._specificity, stores_text=stores_text) for chunk in chunks]
        self._guard.refuse("title", [title])
        self._guard.refuse("uri", [source.uri or ""])
        self._guard.refuse("metadata", [as_json(source.metadata or {})])
        self._guard.refuse(source.field, (chunk.search_text for chunk in prepared))
        return PreparedDocument(source, title, prepared, stores_text)

    async def _embed(self, workspace_id: str, prepared: PreparedDocument) -> PrecomputedVectors:
        """Compute the vectors of chunks whose text will not be stored, within the timeout."""
        stored = await queries.list_chunk_states(
            self._database, workspace_id=workspace_id, key=prepared.source.key
        )
        texts = await asyncio.to_thread(
            lacking_vectors, prepared.chunks, stored, stores_text=prepared.stores_text
        )
        return await precompute_vectors(self._embeddings, texts, seconds=self._policy.embed_seconds)

    async def _write(
        self, workspace_id: str, prepared: PreparedDocument, ahead: PrecomputedVectors
    ) -> Document:
        async def work(tx: Runner) -> Document:
            now = self._clock.now()
            return await _Writing(tx, workspace_id, prepared, ahead, now).run()

        return await self._database.transaction(work)


@dataclass(frozen=True)
class _Writing:
    """One attempt of one transaction."""

    tx: Runner
    workspace_id: str
    prepared: PreparedDocument
    ahead: PrecomputedVectors
    now: datetime

    async def run(self) -> Document:
        source = self.prepared.source
        locked = await queries.lock_document(
            self.tx, workspace_id=self.workspace_id, key=source.key, id=new_id("doc"), now=self.now
        )
        stored = locked.document
        uri = source.uri or (stored.uri if stored else None)
        plan = await self._plan(search_keys_of(self.prepared.title, uri))
        await self._apply(plan, locked.id)
        properties = self._properties(stored, uri)
        if stored is not None and not properties and plan.is_empty:
            return _receipt(stored, plan, ImportOutcome.UNCHANGED)
        document = await queries.update_document(
            self.tx, workspace_id=self.workspace_id, id=locked.id, properties=properties
        )
        if connection_id := properties.get("connection_id"):
            await queries.connect_document(
                self.tx,
                workspace_id=self.workspace_id,
                id=locked.id,
                connection_id=connection_id,
                now=self.now,
            )
        outcome = ImportOutcome.CREATED if stored is None else ImportOutcome.UPDATED
        return _receipt(document, plan, outcome)

    async def _plan(self, search_keys: str) -> ChunkPlan:
        stored = await queries.list_chunk_states(
            self.tx, workspace_id=self.workspace_id, key=self.prepared.source.key
        )
        storing = Storing(
            search_keys=search_keys,
            stores_text=self.prepared.stores_text,
            now=self.now,
            embedded_whole=frozenset(self.ahead.vectors),
        )
        return await asyncio.to_thread(plan_chunks, self.prepared.chunks, stored, storing)

    async def _apply(self, plan: ChunkPlan, document_id: str) -> None:
        scope = {"workspace_id": self.workspace_id}
        if plan.deletions:
            await queries.delete_chunks(self.tx, **scope, ids=plan.deletions)
        for rows in portions(plan.creations):
            await queries.create_chunks(self.tx, **scope, document_id=document_id, chunks=rows)
        for rows in portions(plan.updates):
            await queries.update_chunks(self.tx, **scope, updates=rows)
        if plan.is_reordered:
            await queries.link_chunks(self.tx, **scope, document_id=document_id)
        if plan.to_embed:
            await enqueue_jobs(
                self.tx,
                **scope,
                kind=JobKind.EMBED,
                subject_ids=plan.to_embed,
                now=self.now,
                due_at=self.now,
            )
        await self._store_vectors(plan)

    async def _store_vectors(self, plan: ChunkPlan) -> None:
        """Write the vectors; called last, because it takes the lock that every process needs to store vectors."""
        if not plan.whole:
            return
        ids = [id_ for id_, _, _ in plan.whole]
        await queries.drop_chunk_jobs(self.tx, workspace_id=self.workspace_id, ids=ids)
        for rows in portions(plan.whole):
            if not await self.ahead.store(self.tx, self.workspace_id, rows):
                raise _OtherSlotsError

    def _properties(self, stored: Document | None, uri: str | None) -> dict[str, Any]:
        """Return the changed properties of the document itself."""
        source = self.prepared.source
        metadata = merged_metadata(stored.metadata if stored else {}, source.metadata or {})
        fields = {
            "title": self.prepared.title,
            "uri": uri,
            "media_type": source.media_type,
            "content_hash": source.content_hash,
            "metadata": metadata,
            "connection_id": source.connection_id or (stored.connection_id if stored else None),
            "chunk_count": len(self.prepared.chunks),
            "stores_text": self.prepared.stores_text,
            "active": True,
        }
        held = stored.model_dump(include=set(fields)) if stored else {}
        changed = {name: value for name, value in fields.items() if name not in held or held[name] != value}
        if "title" in changed:
            changed["folded_title"] = folded_apart(self.prepared.title)
        if "metadata" in changed:
            changed["metadata"] = as_json(metadata)
        return changed


def _receipt(document: Document, plan: ChunkPlan, outcome: ImportOutcome) -> Document:
    changes = DocumentChanges(
        outcome=outcome, added=len(plan.creations), removed=len(plan.deletions), kept=plan.reused
    )
    return document.model_copy(update={"changes": changes})
