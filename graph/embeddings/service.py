"""Which embedder's vectors are in use, and how memories get theirs."""

from collections.abc import Sequence

import numpy as np

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.embeddings import queries
from graph.embeddings.models import Utterance, VectorIndex
from graph.embeddings.queries import ListEmbeddingSourcesRow
from graph.embeddings.texts import embedded_text
from graph.jobs.queries import ClaimJobsRow
from graph.ports import Clock, Embedder, EmbedderState, EmbeddingFailed, Vectors

_FIRST_SLOT = "a"


class Embeddings:
    """The embedder together with the index its vectors live in; lives as long as the process."""

    def __init__(
        self, database: Database, embedder: Embedder | None, clock: Clock, *, quantization: str
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._quantization = quantization
        self._active: VectorIndex | None = None

    @property
    def active(self) -> VectorIndex | None:
        """The index recall uses; None until an embedder has been ready once."""
        return self._active

    @property
    def state(self) -> EmbedderState:
        """Whether texts can be embedded now."""
        if self._embedder is None:
            return EmbedderState(ready=False, signature=None, reason="no embedding model is configured")
        try:
            signature = self._embedder.signature
        except EmbeddingFailed as error:
            return EmbedderState(ready=False, signature=None, reason=str(error))
        if self._active is not None and self._active.signature != signature:
            reason = f"the stored vectors are of {self._active.signature}"
            return EmbedderState(ready=False, signature=signature, reason=reason)
        return EmbedderState(ready=True, signature=signature)

    @property
    def vector_property(self) -> str:
        """Where vectors of the active index are kept."""
        return self._active.vector_property if self._active else f"embedding_{_FIRST_SLOT}"

    def require_dimension(self) -> int:
        """Return the length a supplied vector must have.

        Raises:
            InvalidInput: No embedder has been ready yet, so vectors cannot be accepted.
        """
        if self._active is None:
            raise InvalidInput("embedding", "embedding cannot be accepted yet: no embedding model is active")
        return self._active.dimension

    async def refresh(self) -> None:
        """Read which index is in use, and make one when there is none and the embedder is ready.

        Raises:
            Unavailable: The graph does not answer.
        """
        self._active = await self._stored_index()
        if self._active is None and (described := self._described()) is not None:
            signature, dimension = described
            await self._create_index(dimension)
            await queries.adopt_vector_index(
                self._database,
                slot=_FIRST_SLOT,
                signature=signature,
                dimension=dimension,
                quantization=self._quantization,
                now=self._clock.now(),
            )
            self._active = await self._stored_index()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, of the active index's signature.

        Raises:
            EmbeddingFailed: There is no embedder, it is not ready or failed, or its vectors cannot be used.
        """
        if self._embedder is None:
            raise EmbeddingFailed("no embedding model is configured")
        described = (self._embedder.signature, self._embedder.dimension)
        if self._active is None:
            await self.refresh()
        if self._active is None or described != (self._active.signature, self._active.dimension):
            raise EmbeddingFailed(f"the stored vectors are not of {described[0]}")
        vectors = await self._embedder.embed(texts)
        if vectors.shape != (len(texts), self._active.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingFailed(f"{described[0]} returned vectors that cannot be used")
        return vectors

    async def embed_memories(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Embed the memories that claimed jobs name and store their vectors; deleted ones are passed over.

        Raises:
            EmbeddingFailed: No vectors could be made; nothing was stored.
            Unavailable: The graph does not answer.
        """
        sources = await queries.list_embedding_sources(
            self._database,
            subjects=[{"workspace_id": job.workspace_id, "id": job.subject_id} for job in jobs],
        )
        if not sources:
            return
        vectors = await self.embed([_text_of(source) for source in sources])
        assert self._active is not None  # noqa: S101 - embed() has found it
        await queries.store_embeddings(
            self._database,
            rows=[
                {
                    "workspace_id": source.workspace_id,
                    "id": source.id,
                    "revision": source.revision,
                    "embedding": vector.tolist(),
                    "passages": [],
                }
                for source, vector in zip(sources, vectors, strict=True)
            ],
            vector_property=self._active.vector_property,
            signature=self._active.signature,
        )

    async def mark_failed(self, jobs: Sequence[ClaimJobsRow], reason: str) -> None:
        """Note on the memories whose jobs were given up why they have no vector.

        Raises:
            Unavailable: The graph does not answer.
        """
        await queries.mark_embedding_failed(
            self._database,
            rows=[{"workspace_id": job.workspace_id, "id": job.subject_id, "reason": reason} for job in jobs],
        )

    async def _stored_index(self) -> VectorIndex | None:
        row = await queries.get_vector_index(self._database)
        return row.active if row else None

    async def _create_index(self, dimension: int) -> None:
        options = {
            "indexConfig": {
                "vector.dimensions": dimension,
                "vector.similarity_function": "cosine",
                "vector.quantization.type": self._quantization,
            }
        }
        await queries.create_vector_index_a(self._database, options=options)

    def _described(self) -> tuple[str, int] | None:
        """Return the embedder's signature and dimension, or None while it cannot tell."""
        if self._embedder is None:
            return None
        try:
            return self._embedder.signature, self._embedder.dimension
        except EmbeddingFailed:
            return None


def _text_of(source: ListEmbeddingSourcesRow) -> str:
    own = Utterance(content=source.content, speaker=source.speaker)
    return embedded_text(own, words=source.words, previous=source.previous, following=source.following)
