"""Base class of the models of every room."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A shape that does not change once it is made."""

    model_config = ConfigDict(frozen=True)
