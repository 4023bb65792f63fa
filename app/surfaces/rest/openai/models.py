"""Models and embeddings in OpenAI's shapes."""

import base64
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.rest.shapes import ResponseModel
from graph.core.exact import Whole

MOST_TEXTS: Final = 2048
"""OpenAI's own bound of one request."""
_MOST_CHARS: Final = 32_000
_A_MODEL: JsonDict = {
    "id": "local:all-MiniLM-L6-v2:384",
    "object": "model",
    "created": 0,
    "owned_by": "recollect",
}

Text = Annotated[str, Field(min_length=1, max_length=_MOST_CHARS)]


class Model(ResponseModel):
    """A model that requests can name; upstream models keep their other fields.

    Attributes:
        created: Seconds since 1970; 0 where that is not known.
    """

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [_A_MODEL]})

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "recollect"

    @classmethod
    def of_upstream(cls, listed: Mapping[str, Any]) -> Self:
        """Return a model of the upstream's list, of which only the id is certain."""
        created, owner = listed.get("created"), listed.get("owned_by")
        return cls.model_validate(
            {
                **listed,
                "object": "model",
                "created": created if isinstance(created, int) else 0,
                "owned_by": owner if isinstance(owner, str) else "upstream",
            }
        )


class Models(ResponseModel):
    """The upstream's models for chats, and the embedder once it is ready."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"object": "list", "data": [_A_MODEL]}]})

    object: Literal["list"] = "list"
    data: list[Model]


class TextsToEmbed(BaseModel):
    """Texts, of which vectors are wanted.

    Attributes:
        model: The one that ``/v1/models`` names: vectors of another could not be compared with these.
        dimensions: The model's own number; default: the same.
        user: For whom; nothing depends on it.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        json_schema_extra={"examples": [{"model": _A_MODEL["id"], "input": ["Bees fly in May"]}]},
    )

    model: str = Field(min_length=1, max_length=512)
    input: Text | Annotated[list[Text], Field(min_length=1, max_length=MOST_TEXTS)]
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Whole | None = Field(None, ge=1)
    user: str | None = Field(None, max_length=512)

    @property
    def texts(self) -> list[str]:
        """The texts, in order."""
        return [self.input] if isinstance(self.input, str) else list(self.input)


class Embedding(ResponseModel):
    """The vector of a text: numbers, or these as base64 of floats of 32 bits, the lowest byte first."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class Usage(ResponseModel):
    """Estimated number of tokens read."""

    prompt_tokens: int
    total_tokens: int


class Embeddings(ResponseModel):
    """One vector a text, in the order of the texts."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "object": "list",
                    "data": [{"object": "embedding", "index": 0, "embedding": [0.6, 0.8]}],
                    "model": _A_MODEL["id"],
                    "usage": {"prompt_tokens": 5, "total_tokens": 5},
                }
            ]
        }
    )

    object: Literal["list"] = "list"
    data: list[Embedding]
    model: str
    usage: Usage

    @classmethod
    def of(
        cls, vectors: Sequence[np.ndarray], *, model: str, tokens: int, encoding: Literal["float", "base64"]
    ) -> Self:
        """Return vectors in OpenAI's shape."""
        singles = [np.asarray(vector, dtype="<f4") for vector in vectors]
        data = [
            Embedding(
                index=index,
                embedding=(
                    base64.b64encode(each.tobytes()).decode() if encoding == "base64" else each.tolist()
                ),
            )
            for index, each in enumerate(singles)
        ]
        return cls(data=data, model=model, usage=Usage(prompt_tokens=tokens, total_tokens=tokens))
