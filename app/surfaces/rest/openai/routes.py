"""``/v1/models`` and ``/v1/embeddings``: the upstream's models and the embedder in use, to any client of OpenAI's."""

from typing import Annotated, Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter

from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.proxy.errors import ProxyError
from app.surfaces.proxy.service import ChatProxy
from app.surfaces.rest.openai.models import Embeddings, Model, Models, TextsToEmbed
from app.surfaces.rest.refusals import OpenAIRefusal
from graph.core.errors import InvalidInput, NotFound, Unavailable
from graph.core.ports import EmbeddingFailed
from graph.core.text.budget import estimate_tokens
from graph.operations.services import Services
from graph.tenancy.access.models import Scope
from graph.vectors.index.models import VectorIndex

_TOGETHER: Final = 32  # texts that are embedded at once, so that the queries of others come in between

_NO_SUCH_MODEL: Final = {
    404: ResponseSpec(OpenAIRefusal, description="There is no such model.", generate_examples=False)
}

ModelId = Annotated[str, Parameter(max_length=512, description="The model, as the list names it.")]


class EmbeddingRoutes(Controller):
    """Thin: the services embed, in OpenAI's shapes."""

    path = "/v1"
    tags = ("embeddings",)

    @get("/models", summary="The models that can be named here")
    async def models(self, request: Request[Any, Any, State], state: State) -> Response[Models]:
        """Return the upstream's models for chats, and the embedder in use.

        If the upstream lists none, the list has the embedder alone, and the header `x-recollect-notice` has the reason.
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
        """Return the embedder in use or a model of the upstream's."""
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

    @post("/embeddings", status_code=200, summary="Vectors of texts", responses=_NO_SUCH_MODEL)
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
    """Return the upstream's models; none where none is configured.

    Raises:
        ProxyError: It does not list any.
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
