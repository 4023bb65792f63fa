"""Use cases of documents: add, read, list, delete."""

from collections.abc import Sequence

from graph.core.audit import note_act
from graph.core.credentials import CredentialGuard
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.deadlines import takes_long
from graph.core.models import AuditAction
from graph.core.pages import Cursor, Page, Paging, page_of
from graph.core.ports import Clock, WakeUp
from graph.core.rows import Runner
from graph.core.text.language import Specificity
from graph.core.text.normal_forms import comparable
from graph.core.text.work import TextWork
from graph.knowledge import queries
from graph.knowledge.documents.adding import DocumentAdder
from graph.knowledge.documents.chunking import Measure
from graph.knowledge.documents.models import Chunk, Document, DocumentDraft, DocumentFilter
from graph.knowledge.documents.parsed import DocumentParser
from graph.knowledge.documents.rules import DocumentPolicy
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.service import Embeddings


class Documents:
    """The use cases of documents and their chunks; lives as long as the process.

    Every method concerns one workspace; documents of another do not exist for it.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        wake_up: WakeUp,
        clock: Clock,
        workspaces: Workspaces,
        *,
        parser: DocumentParser,
        measure: Measure,
        policy: DocumentPolicy,
        guard: CredentialGuard,
        text_work: TextWork,
        specificity: Specificity,
    ) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._adder = DocumentAdder(
            database, embeddings, clock, workspaces, parser, measure, policy, guard, text_work, specificity
        )

    @takes_long
    async def add(self, workspace_id: str, draft: DocumentDraft) -> Document:
        """Add a document, or update the stored one with the same key, in one transaction.

        Chunks with the same text under the same headings keep their id, vector and edges. New chunks are embedded and
        missing ones deleted. If the text is not stored, the call computes the vectors itself. If time or the model is
        missing, a job embeds the chunk from its excerpt, until the document is added again. Metadata is merged; a null
        removes its key.

        Returns:
            The document with its ``changes``.

        Raises:
            InvalidInput: A field breaks a rule, or the content cannot be read, is too large or contains a credential.
            NotFound: The workspace does not exist.
            Unavailable: The graph does not answer; nothing was written.
        """
        document = await self._adder.add(workspace_id, draft)
        touches(document.id)
        await self._wake_up.signal()
        return document

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Document]:
        """Return the existing documents by their ids."""
        documents = await queries.get_documents(self._database, workspace_id=workspace_id, ids=ids)
        return {document.id: document for document in documents}

    async def find(self, workspace_id: str, id_: str) -> Document | None:
        """Return one document, or None."""
        return (await self.find_all(workspace_id, [id_])).get(id_)

    async def page(
        self,
        workspace_id: str,
        filter_: DocumentFilter | None = None,
        *,
        first: int = 50,
        after: str | None = None,
    ) -> Page[Document]:
        """Return a page of documents, the newest first."""
        paging = Paging.of(first, after)
        filter_ = filter_ or DocumentFilter()
        documents = await queries.list_documents(
            self._database,
            workspace_id=workspace_id,
            connection_id=filter_.connection_id,
            media_type=filter_.media_type,
            text=comparable(filter_.text) if filter_.text else None,
            **paging.by_creation,
        )
        return page_of(
            documents, [Cursor(date=each.created_at, id=each.id) for each in documents], paging.size
        )

    async def chunks_of(
        self, workspace_id: str, document_ids: Sequence[str], *, first: int = 50, after: str | None = None
    ) -> dict[str, Page[Chunk]]:
        """Return a page of each document's chunks, in the order of the text."""
        paging = Paging.of(first, after)
        rows = await queries.list_chunks(
            self._database,
            workspace_id=workspace_id,
            document_ids=document_ids,
            after_ordinal=int(paging.rank) if paging.rank is not None else -1,
            limit=paging.limit,
        )
        found: dict[str, list[Chunk]] = {id_: [] for id_ in document_ids}
        for chunk in rows:
            found[chunk.document_id].append(chunk)
        return {
            id_: page_of(chunks, [Cursor(rank=each.ordinal, id=each.id) for each in chunks], paging.size)
            for id_, chunks in found.items()
        }

    async def find_chunks(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the existing chunks by their ids."""
        chunks = await queries.get_chunks(self._database, workspace_id=workspace_id, ids=ids)
        return {chunk.id: chunk for chunk in chunks}

    async def count_partly_embedded(self, workspace_id: str, ids: Sequence[str]) -> dict[str, int]:
        """Return for each document the number of its chunks without a vector of their whole text.

        Adding the document again computes these vectors.
        """
        rows = await queries.count_partly_embedded(
            self._database, workspace_id=workspace_id, document_ids=ids
        )
        return {row.document_id: row.chunks for row in rows}

    @takes_long
    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete a document with its chunks permanently; return whether there was one."""
        now = self._clock.now()
        touches(id_)

        async def work(tx: Runner) -> bool:
            if await queries.delete_document(tx, workspace_id=workspace_id, id=id_) is None:
                return False
            await note_act(tx, AuditAction.DOCUMENT_REMOVED, workspace_id, subject_id=id_, now=now)
            return True

        return await self._database.transaction(work)
