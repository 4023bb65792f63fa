"""Base class of the models of every room."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A shape that does not change once it is made."""

    model_config = ConfigDict(frozen=True)


class RecallTier(StrEnum):
    """Tier that served a recall, the least capable first."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    EXTERNAL = "external"
