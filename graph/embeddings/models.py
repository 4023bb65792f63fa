"""Shapes of vector indexes and of what is embedded."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict


class VectorIndex(BaseModel):
    """One of the two places vectors are kept: slot ``a`` or ``b``, an index and a property of that name."""

    model_config = ConfigDict(frozen=True)

    slot: str
    signature: str
    dimension: int
    quantization: str
    since: datetime

    @property
    def name(self) -> str:
        """Name of the vector index."""
        return f"vectors_{self.slot}"

    @property
    def vector_property(self) -> str:
        """Name of the property that holds the vectors."""
        return f"embedding_{self.slot}"


class Utterance(BaseModel):
    """What a neighbouring turn says, and who says it."""

    model_config = ConfigDict(frozen=True)

    content: str
    speaker: str | None = None
