"""Models of vector indexes and of embedded texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen


class _Slot(Frozen):
    """One of the two places vectors are kept: slot ``a`` or ``b``, an index and a property of that name."""

    slot: str

    @property
    def name(self) -> str:
        """Name of the vector index, as ``Statement.on_index`` takes it."""
        return f"vectors_{self.slot}"

    @property
    def vector_property(self) -> str:
        """Name of the property that holds the vectors."""
        return f"embedding_{self.slot}"


class VectorIndex(_Slot):
    """A slot and the embedder whose vectors it holds."""

    signature: str
    dimension: int
    quantization: str
    since: datetime

    @property
    def index_signature(self) -> str:
        """``source:model:dimension`` and how the index compresses, e.g. ``…:int8``; a change of any is a new index."""
        suffix = {"SCALAR": ":int8", "BINARY": ":binary"}.get(self.quantization, "")
        return f"{self.signature}{suffix}"


class BuildingPhase(StrEnum):
    """Phase of a slot before it becomes active."""

    CLEARING = "CLEARING"
    FILLING = "FILLING"


class BuildingIndex(VectorIndex):
    """The slot a new embedder fills: ``done`` of ``total`` nodes have their new vector."""

    phase: BuildingPhase
    cursor: str
    done: int
    total: int

    def has_vectors_of(self, active: VectorIndex) -> bool:
        """Tell whether the vectors in use are the ones it needs, since only the index differs."""
        return self.signature == active.signature


class RetiringSlot(_Slot):
    """A slot whose index and vectors are being dropped; nodes up to the place ``cursor`` are clear."""

    cursor: str


class Utterance(Frozen):
    """Text of a neighbouring turn, with its speaker."""

    content: str
    speaker: str | None = None


class EmbeddingSource(Frozen):
    """Text of a node to embed; ``revision`` detects a change of the text before the vector is stored.

    Attributes:
        words: Length of a memory's content; None for nodes embedded whole, such as entities and chunks.
    """

    workspace_id: str
    id: str
    revision: int
    content: str
    speaker: str | None
    words: int | None
    previous: Utterance | None
    following: Utterance | None


@dataclass(frozen=True)
class EmbeddedQuery:
    """A query's vectors together with the index they belong to: search this index, compare with its property.

    Attributes:
        vectors: One for each text, the whole query first.
    """

    vectors: list[list[float]]
    index: VectorIndex


@dataclass(frozen=True)
class EmbeddingProvider:
    """A remote provider, the embedding models known of it, and whether a key is configured."""

    name: str
    models: Sequence[str]
    has_key: bool


@dataclass(frozen=True)
class ReindexReport:
    """Result of a reindex request: whether this call started it, and the number of memories without a new vector."""

    started: bool
    pending: int
