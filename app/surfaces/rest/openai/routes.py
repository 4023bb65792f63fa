"""``/v1/models`` and ``/v1/embeddings``: the embedder in use, to any client of OpenAI's."""

from typing import Annotated, Any, Final

from litestar import Controller, Request, get, post
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter

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
    async def models(self, request: Request[Any, Any, State], state: State) -> Models:
        """Return the embedder in use; the models of chats are the upstream's, which knows them."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        index = services.vectors.embeddings.active
        return Models(data=[Model(id=index.signature)] if index else [])

    @get("/models/{model_id:path}", summary="One model")
    async def model(self, request: Request[Any, Any, State], state: State, model_id: ModelId) -> Model:
        """Return the embedder in use, if it is this one."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        return Model(id=_index(services, model_id.removeprefix("/")).signature)

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


def _index(services: Services, model: str) -> VectorIndex:
    index = services.vectors.embeddings.active
    if index is None or index.signature != model:
        known = f"; there is {index.signature!r}" if index else "; no embedder has been ready yet"
        raise NotFound(f"there is no model {model[:100]!r}{known}", field="model")
    return index
