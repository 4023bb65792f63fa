"""Documents and their chunks."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, made_of, or_default, set_fields
from app.surfaces.graphql.loaders import Key, PageKey
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.knowledge import models as knowledge_models
from graph.knowledge.documents import models
from graph.memories.models import MemoryState
from graph.tenancy.models import Scope

for _vocabulary in (models.ImportOutcome, models.EmbeddedFrom):
    strawberry.enum(_vocabulary)


@strawberry.type
class Chunk(Node, Shown[models.Chunk]):
    """A searchable part of a document: about 200 words within one section."""

    document_id: strawberry.ID
    ordinal: int = strawberry.field(description="Index among the document's chunks, from 0.")
    headings: list[str] = strawberry.field(description="Headings above the chunk, the outermost first.")
    excerpt: str = strawberry.field(
        description="Excerpt of at most 500 characters: the beginning, or if the text is not stored, the sentences "
        "with the rarest words, at most half of the chunk."
    )
    text: str | None = strawberry.field(description="Whole text; null if the document's text is not stored.")
    page: int | None = strawberry.field(description="Page number, from 1; null for a format without pages.")
    char_start: int = strawberry.field(
        description="Offset of the first character: in the file with LF line ends for Markdown and plain text, in the "
        "extracted text for other formats."
    )
    char_end: int
    state: MemoryState
    failure: str | None
    embedded_from: models.EmbeddedFrom | None = strawberry.field(
        description="Text that the vector represents; null without a vector."
    )
    created_at: datetime
    updated_at: datetime

    @strawberry.field
    async def document(
        self, info: Info
    ) -> Annotated["Document", strawberry.lazy("app.surfaces.graphql.documents")] | None:
        """Containing document; null if deleted."""
        found = await info.context.loaders.documents.load(Key(self.workspace_id, self.document_id))
        return Document.of(found) if found else None


@strawberry.type
class ChunkConnection(Connection[Chunk]):
    """A page of a document's chunks, in the order of the text."""


@strawberry.type
class DocumentChanges:
    """Effect of adding a document on its chunks."""

    outcome: models.ImportOutcome
    added: int
    removed: int
    kept: int = strawberry.field(
        description="Number of chunks with the same text, which keep their ids and vectors."
    )


@strawberry.type
class Document(Node):
    """A document: its location and metadata; its chunks have the content."""

    title: str
    uri: str | None
    key: str = strawberry.field(description="Caller's own key, unique in the workspace.")
    media_type: str
    content_hash: str = strawberry.field(description="SHA-256 of the content.")
    metadata: JSON
    connection_id: strawberry.ID | None
    chunk_count: int
    stores_text: bool = strawberry.field(
        description="True if its chunks contain their whole text, not only excerpts."
    )
    active: bool
    created_at: datetime
    updated_at: datetime
    changes: DocumentChanges | None = strawberry.field(
        description="Effect of this call; null except in the response of `addDocument`."
    )

    @strawberry.field
    async def chunks(
        self, info: Info, first: int | None = DEFAULT_PAGE, after: str | None = None
    ) -> ChunkConnection:
        """A page of its chunks, in the order of the text."""
        size = or_default(first, DEFAULT_PAGE)
        page = await info.context.loaders.chunk_pages.load(PageKey(self.workspace_id, self.id, size, after))
        edges, page_info = connection_parts(page, Chunk.of, after)
        return ChunkConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def partly_embedded_chunks(self, info: Info) -> int:
        """Number of chunks without a vector of their full text: embedded from the excerpt, or not yet.

        To complete them, add the document again while the embedding model is ready.
        """
        return await info.context.loaders.partly_embedded.load(Key(self.workspace_id, self.id)) or 0

    @classmethod
    def of(cls, document: models.Document) -> "Document":
        """Return the GraphQL form of a document."""
        changes = document.changes
        return made_of(cls, document, changes=made_of(DocumentChanges, changes) if changes else None)


@strawberry.type
class DocumentConnection(Connection[Document]):
    """A page of documents."""


@strawberry.input
class DocumentInput:
    """A document to add; if its key is stored, it updates that document."""

    title: str | None = strawberry.field(
        default=None, description="Title; omitted: the document's own, else its file name."
    )
    uri: str | None = strawberry.field(default=None, description="Location; also the key, if key is omitted.")
    key: str | None = strawberry.field(
        default=None,
        description="Caller's own key of the document. Without key and uri, equal contents are one document.",
    )
    media_type: str | None = strawberry.field(
        default=None,
        description="text/markdown, text/html, text/plain or application/pdf. Default: by the extension of uri or "
        "key, else text/plain.",
    )
    content: str | None = strawberry.field(
        default=None, description="Text; alternatively, use contentBase64."
    )
    content_base64: str | None = strawberry.field(
        default=None, description="Bytes of the file in base64, required for a PDF; text must be UTF-8."
    )
    metadata: JSON | None = strawberry.field(
        default=None, description="A JSON object; merged with the stored object; null removes a key."
    )
    connection_id: strawberry.ID | None = strawberry.field(
        default=None, description="Source connection; deleting the connection deletes the document."
    )
    store_text: bool | None = strawberry.field(
        default=None,
        description="Store the whole text; true requires the workspace setting store_document_text. Omitted: the value "
        "of that setting.",
    )


@strawberry.input
class DocumentFilter:
    """Filter of documents; an omitted field admits everything."""

    connection_id: strawberry.ID | None = None
    media_type: str | None = None
    text: str | None = strawberry.field(
        default=None, description="Only documents with this text in the title or uri, ignoring case."
    )


@strawberry.type
class DocumentQueries:
    """Queries of documents."""

    @strawberry.field
    async def document(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Document | None:
        """One document; null if the workspace has none with this id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.documents.find(workspace, id)
        return Document.of(found) if found else None

    @strawberry.field
    async def documents(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        filter: DocumentFilter | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> DocumentConnection:
        """A page of documents, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        filter_ = build(models.DocumentFilter, set_fields(filter)) if filter else None
        size = or_default(first, DEFAULT_PAGE)
        page = await info.context.services.knowledge.documents.page(
            workspace, filter_, first=size, after=after
        )
        edges, page_info = connection_parts(page, Document.of, after)
        return DocumentConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def chunk(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> Chunk | None:
        """One chunk; null if the workspace has none with this id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.documents.find_chunks(workspace, [id])
        return Chunk.of(found[id]) if id in found else None


@strawberry.type
class DocumentMutations:
    """Mutations of documents."""

    @strawberry.mutation
    async def add_document(
        self, info: Info, input: DocumentInput, workspace_id: WorkspaceId = None
    ) -> Document:
        """Split a document into chunks and index them; adding it again updates only the changed chunks.

        Unless the workspace stores texts, the graph keeps the positions, excerpts and vectors of the chunks, never the
        whole text.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(models.DocumentDraft, set_fields(input))
        return Document.of(await info.context.services.knowledge.documents.add(workspace, draft))

    @strawberry.mutation
    async def delete_document(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete a document with its chunks permanently; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.documents.delete(workspace, id)


@strawberry.type
class Artifact(Node, Shown[knowledge_models.Artifact]):
    """A thing that an agent created or refers to: its location and description, never its content."""

    key: str = strawberry.field(description="Caller's own key, unique in the workspace.")
    name: str
    kind: str
    uri: str | None
    summary: str | None
    metadata: JSON
    session_id: strawberry.ID | None
    state: MemoryState
    failure: str | None
    created_at: datetime
    updated_at: datetime


@strawberry.type
class ArtifactConnection(Connection[Artifact]):
    """A page of artifacts."""


@strawberry.input
class ArtifactInput:
    """An artifact to add; if its key is stored, it updates that artifact, and omitted fields keep their values."""

    name: str
    kind: str | None = strawberry.field(
        default=None,
        description="Kind, such as report, image or pull-request; a new artifact defaults to file.",
    )
    uri: str | None = None
    summary: str | None = strawberry.field(
        default=None,
        description="Description, at most 2000 characters; searches find it by meaning and words.",
    )
    key: str | None = strawberry.field(default=None, description="Defaults to the uri, else kind and name.")
    metadata: JSON | None = strawberry.field(
        default=None, description="A JSON object; merged with the stored object; null removes a key."
    )
    session_id: strawberry.ID | None = None


@strawberry.type
class ArtifactQueries:
    """Queries of artifacts."""

    @strawberry.field
    async def artifact(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Artifact | None:
        """One artifact; null if the workspace has none with this id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.artifacts.find(workspace, id)
        return Artifact.of(found) if found else None

    @strawberry.field
    async def artifacts(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        kind: str | None = None,
        session_id: strawberry.ID | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> ArtifactConnection:
        """A page of artifacts, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.knowledge.artifacts.page(
            workspace, kind=kind, session_id=session_id, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Artifact.of, after)
        return ArtifactConnection(edges=edges, page_info=page_info)


@strawberry.type
class ArtifactMutations:
    """Writing artifacts."""

    @strawberry.mutation
    async def add_artifact(
        self, info: Info, input: ArtifactInput, workspace_id: WorkspaceId = None
    ) -> Artifact:
        """Add an artifact, or update the artifact with its key."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(knowledge_models.ArtifactDraft, set_fields(input))
        return Artifact.of(await info.context.services.knowledge.artifacts.add(workspace, draft))

    @strawberry.mutation
    async def delete_artifact(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete an artifact permanently; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.artifacts.delete(workspace, id)
