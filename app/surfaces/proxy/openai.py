"""``/v1/models`` and ``/v1/embeddings``: the upstream's models, and the embedder in use, for OpenAI's clients."""

import base64
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter
from pydantic import BaseModel, ConfigDict, Field
from pydantic.config import JsonDict

from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.http.errors import ProxyError
from app.surfaces.http.refusals import OpenAIRefusal
from app.surfaces.http.shapes import ResponseModel
from app.surfaces.proxy.service import ChatProxy
from graph.core.errors import InvalidInput, NotFound, Unavailable
from graph.core.exact import Whole
from graph.core.ports import EmbeddingFailed
from graph.core.text.budget import estimate_tokens
from graph.operations.services import Services
from graph.tenancy.models import Scope
from graph.vectors.index.models import VectorIndex

MOST_TEXTS: Final = 2048
"""Maximum number of texts of one request, the same as OpenAI's."""
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
        created: Time of creation in seconds since 1970; 0 if unknown.
    """

    model_config = ConfigDict(extra="allow", json_schema_extra={"examples": [_A_MODEL]})

    id: str
    object: Literal["model"] = "model"
    created: int = 0
    owned_by: str = "recollect"

    @classmethod
    def of_upstream(cls, listed: Mapping[str, Any]) -> Self:
        """Return a model of the upstream's list, which guarantees only an id."""
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
    """The upstream's chat models, and the embedder once it is ready."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"object": "list", "data": [_A_MODEL]}]})

    object: Literal["list"] = "list"
    data: list[Model]


class TextsToEmbed(BaseModel):
    """Texts to embed.

    Attributes:
        model: Id of the embedder in ``/v1/models``; no other model is available, because vectors of different models
            cannot be compared.
        dimensions: Number of dimensions, which must be the model's; default: the same.
        user: Accepted for compatibility and ignored.
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
    """The vector of a text: numbers, or base64 of little-endian 32-bit floats."""

    object: Literal["embedding"] = "embedding"
    index: int
    embedding: list[float] | str


class Usage(ResponseModel):
    """Estimated number of input tokens."""

    prompt_tokens: int
    total_tokens: int


class Embeddings(ResponseModel):
    """The vectors of the texts, in their order."""

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
        """Return vectors in OpenAI's form."""
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


_TOGETHER: Final = 32  # texts of one embedder call, which lets other requests' queries run in between

_NO_SUCH_MODEL: Final = {
    404: ResponseSpec(OpenAIRefusal, description="There is no such model.", generate_examples=False)
}

ModelId = Annotated[str, Parameter(max_length=512, description="Id of the model in `/v1/models`.")]


class EmbeddingRoutes(Controller):
    """Routes of models and embeddings, in OpenAI's forms."""

    path = "/v1"
    tags = ("embeddings",)

    @get("/models", summary="List models")
    async def models(self, request: Request[Any, Any, State], state: State) -> Response[Models]:
        """Return the upstream's chat models, and the embedder in use.

        If the upstream lists none, the list contains only the embedder, and the header `x-recollect-notice` has the
        reason.
        """
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        index = services.vectors.embeddings.active
        own = [Model(id=index.signature)] if index else []
        try:
            return Response(Models(data=[*await _of_upstream(request, state), *own]))
        except ProxyError as error:
            return Response(Models(data=own), headers={NOTICE_HEADER: f"embedder only: {error.message}"})

    @get("/models/{model_id:path}", summary="One model")
    async def model(self, request: Request[Any, Any, State], state: State, model_id: ModelId) -> Model:
        """Return the embedder in use, or a model of the upstream."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        named, index = model_id.removeprefix("/"), services.vectors.embeddings.active
        if index is not None and index.signature == named:
            return Model(id=named)
        try:
            listed = await _of_upstream(request, state)
        except ProxyError as error:
            raise Unavailable("upstream", error.message) from error
        for model in listed:
            if model.id == named:
                return model
        raise NotFound(f"there is no model {named[:100]!r}", field="model")

    @post("/embeddings", status_code=200, summary="Embed texts", responses=_NO_SUCH_MODEL)
    async def embeddings(
        self, request: Request[Any, Any, State], state: State, data: JSONBody[TextsToEmbed]
    ) -> Embeddings:
        """Return the vectors that memories of these texts would have."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        index = _index(services, data.model)
        if data.dimensions not in (None, index.dimension):
            raise InvalidInput("dimensions", f"dimensions must be {index.dimension}, got {data.dimensions}")
        texts = data.texts
        try:
            vectors = [
                vector
                for first in range(0, len(texts), _TOGETHER)
                for vector in await services.vectors.embeddings.embed(texts[first : first + _TOGETHER])
            ]
        except EmbeddingFailed as error:
            raise Unavailable("embedder", f"the texts cannot be embedded: {error}") from error
        tokens = sum(estimate_tokens(text) for text in texts)
        return Embeddings.of(vectors, model=index.signature, tokens=tokens, encoding=data.encoding_format)


async def _of_upstream(request: Request[Any, Any, State], state: State) -> list[Model]:
    """Return the upstream's models; an empty list if no upstream is configured.

    Raises:
        ProxyError: The upstream cannot be reached or lists none.
    """
    proxy: ChatProxy | None = state.chat_proxy
    if proxy is None:
        return []
    headers = {name.lower(): value for name, value in request.headers.items()}
    return [Model.of_upstream(each) for each in await proxy.models(headers)]


def _index(services: Services, model: str) -> VectorIndex:
    index = services.vectors.embeddings.active
    if index is None or index.signature != model:
        known = f"; there is {index.signature!r}" if index else "; no embedder has been ready yet"
        raise NotFound(f"there is no model {model[:100]!r}{known}", field="model")
    return index
