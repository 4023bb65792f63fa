"""Builds the rows to store from memories' texts and an embedder's vectors."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graph.core.ports import Embedder, EmbeddingFailed, PassageSplitter, Vectors
from graph.core.text.language import sentences
from graph.core.text.owners import texts_owned_by
from graph.vectors.index.models import EmbeddingSource, Utterance, VectorIndex

# A short turn has little meaning without its neighbours; a long one needs none.
LONGEST_WINDOWED_WORDS = 60
_MOST_SENTENCES = 8


def embedded_text(
    own: Utterance,
    *,
    words: int | None,
    previous: Utterance | None = None,
    following: Utterance | None = None,
    keywords: str | None = None,
    tags: str | None = None,
) -> str:
    """Return a short turn with its neighbours, one line each; return long texts and other nodes alone.

    Keywords stand before the text, where they weigh most; tags stand behind it, because they may be general.
    """
    if keywords or tags:
        before, behind = f"{keywords}: " if keywords else "", f" ({tags})" if tags else ""
        return f"{before}{_line(own)}{behind}"
    if words is None or words > LONGEST_WINDOWED_WORDS:
        return _line(own)
    return "\n".join(
        [
            *([_shortened(_line(previous))] if previous else []),
            _line(own),
            *([_shortened(_line(following))] if following else []),
        ]
    )


def passage_texts(
    own: Utterance, splitter: PassageSplitter, *, words: int, has_neighbours: bool
) -> Sequence[str]:
    """Return the texts of further vectors of a memory, each with the speaker; empty if one vector suffices.

    For a long text these are the passages after its beginning, which its own vector covers. For a short text these are
    its sentences, if there are several, or if its own vector also represents its neighbours.
    """
    if words > LONGEST_WINDOWED_WORDS:
        parts = splitter.split(own.content)[1:]
    else:
        parts = sentences(own.content)[:_MOST_SENTENCES]
        if len(parts) == 1 and not has_neighbours:
            parts = []
    return [_line(Utterance(content=part, speaker=own.speaker)) for part in parts]


def _shortened(line: str) -> str:
    """Truncate a long neighbour, so that it cannot push the turn itself out of the model's window."""
    return " ".join(line.split()[:LONGEST_WINDOWED_WORDS])


def _line(turn: Utterance) -> str:
    return f"{turn.speaker}: {turn.content}" if turn.speaker else turn.content


_HARMLESS = "Does the embedder answer?"
_CERTAINLY_SHORT = 254  # characters; such a text has at most 254 word pieces, which every model reads


@dataclass(frozen=True)
class Target:
    """A slot and its embedder."""

    index: VectorIndex
    embedder: Embedder

    def as_parameter(self) -> dict[str, str]:
        """Return the parameter that the store compares with the current roles of the slots."""
        return {"slot": self.index.slot, "signature": self.index.signature}

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one finite vector of the slot's dimension per text.

        Raises:
            EmbeddingFailed: The embedder failed, differs from the slot's, or returned something unusable.
        """
        if (self.embedder.signature, self.embedder.dimension) != (self.index.signature, self.index.dimension):
            raise EmbeddingFailed(
                f"the vectors come from {self.index.signature}, not from {self.embedder.signature}"
            )
        vectors = await self.embedder.embed(texts, as_query=as_query)
        if vectors.shape != (len(texts), self.index.dimension) or not np.isfinite(vectors).all():
            raise EmbeddingFailed(f"{self.index.signature} returned vectors that cannot be used")
        return vectors

    async def probe(self) -> None:
        """Embed a harmless text, bypassing the cache.

        Raises:
            EmbeddingFailed: The embedder refuses this text as well, so another text is not the cause.
        """
        with texts_owned_by(()):
            await self.embed([_HARMLESS])


@dataclass(frozen=True)
class Texts:
    """Texts to embed for one node: its own text and, for a long memory, the passages after its beginning."""

    source: EmbeddingSource
    own: str
    passages: Sequence[str]

    @property
    def all(self) -> list[str]:
        """The texts, in the order of the vectors for ``row``."""
        return [self.own, *self.passages]


def texts_of(sources: Sequence[EmbeddingSource], splitter: PassageSplitter | None) -> list[Texts]:
    """Return the texts to embed for each memory; long ones are split, which takes about 20 ms each."""
    return [_texts(source, splitter) for source in sources]


def split_chars(sources: Sequence[EmbeddingSource]) -> int:
    """Return the number of characters in texts that may exceed one vector and need the splitter."""
    lengths = (len(source.content) for source in sources)
    return sum(length for length in lengths if length > _CERTAINLY_SHORT)


def _texts(source: EmbeddingSource, splitter: PassageSplitter | None) -> Texts:
    own = Utterance(content=source.content, speaker=source.speaker)
    text = embedded_text(
        own,
        words=source.words,
        previous=source.previous,
        following=source.following,
        keywords=source.keywords,
        tags=source.tags,
    )
    if splitter is None or source.words is None:
        return Texts(source, text, ())
    has_neighbours = source.previous is not None or source.following is not None
    passages = passage_texts(own, splitter, words=source.words, has_neighbours=has_neighbours)
    return Texts(source, text, passages)


async def embedded_rows(texts: Sequence[Texts], targets: Sequence[Target]) -> list[dict[str, Any]]:
    """Return one row of ``store_embeddings`` per memory, with a vector for each target.

    Raises:
        EmbeddingFailed: One of the embedders cannot answer; no row was made.
    """
    flat = [text for each in texts for text in each.all]
    owners = [each.source.workspace_id for each in texts for _ in each.all]
    rows = [_empty_row(each.source) for each in texts]
    for target in targets:
        with texts_owned_by(owners):
            vectors = iter(await target.embed(flat))
        for row, each in zip(rows, texts, strict=True):
            own, *passages = [next(vectors).tolist() for _ in each.all]
            row["vectors"].append({"property": target.index.vector_property, "embedding": own})
            row["passages"] += [
                {
                    "slot": target.index.slot,
                    "property": target.index.vector_property,
                    "ordinal": ordinal,
                    "embedding": vector,
                }
                for ordinal, vector in enumerate(passages, start=1)
            ]
    return rows


async def rows_for(
    texts: Sequence[Texts], targets: Sequence[Target]
) -> tuple[list[dict[str, Any]], Sequence[Target]]:
    """Return the rows and the slots of their vectors; a failure of the new embedder does not stop the old one."""
    try:
        return await embedded_rows(texts, targets), targets
    except EmbeddingFailed:
        if len(targets) == 1:
            raise
        return await embedded_rows(texts, targets[:1]), targets[:1]


def _empty_row(source: EmbeddingSource) -> dict[str, Any]:
    return {
        "workspace_id": source.workspace_id,
        "id": source.id,
        "revision": source.revision,
        "vectors": [],
        "passages": [],
    }


USUAL_DIMENSION = 768
"""Length of a placeholder vector while the length of real vectors is unknown."""


def placeholder_vector(text: str, dimension: int) -> list[float]:
    """Return a unit vector that depends on the text only, without representing its meaning."""
    seed = int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
    values = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    return [float(value) for value in values / np.linalg.norm(values)]
