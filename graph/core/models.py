"""What the shapes of every room have in common."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A shape that does not change once it is made."""

    model_config = ConfigDict(frozen=True)
