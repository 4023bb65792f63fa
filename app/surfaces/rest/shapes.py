"""Base classes of request and response bodies."""

from pydantic import BaseModel, ConfigDict


class RequestModel(BaseModel):
    """A body of a request: a field that it does not know is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ResponseModel(BaseModel):
    """A body of an answer."""

    model_config = ConfigDict(frozen=True)
