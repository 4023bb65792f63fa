"""The rules of recall and its reranker, as the settings give them."""

from contextlib import AsyncExitStack
from typing import Final

from app.adapters.llm.rerankers import CrossEncoderReranker, RemoteReranker
from app.settings import RecallSettings
from graph.retrieval.recall.models import strategy_named
from graph.retrieval.recall.rules import RecallRules

LOCAL_RERANKER: Final = "transformers/"
"""Prefix of the name of a cross-encoder that runs in this process."""


def recall_rules(settings: RecallSettings) -> RecallRules:
    """Return what the engine is handed."""
    return RecallRules(
        strategy=strategy_named(settings.strategy),
        rrf_k=settings.rrf_k,
        vector_top_k=settings.vec_top_k,
        rerank_seconds=settings.rerank_seconds,
        relation_limit=settings.relation_limit,
    )


def reranker_of(settings: RecallSettings) -> RemoteReranker | CrossEncoderReranker | None:
    """Return the model that reads query and text together, or None where none is wanted."""
    model = settings.rerank_model or ""
    if model.startswith(LOCAL_RERANKER):
        return CrossEncoderReranker(model.removeprefix(LOCAL_RERANKER))
    if settings.rerank_url and model:
        key = settings.rerank_key.get_secret_value() if settings.rerank_key else None
        return RemoteReranker(
            settings.rerank_url,
            model=model,
            api_key=key,
            timeout_seconds=settings.rerank_seconds,
        )
    return None


def open_reranker(
    settings: RecallSettings, stack: AsyncExitStack
) -> RemoteReranker | CrossEncoderReranker | None:
    """Return the reranker, to be closed by the stack."""
    reranker = reranker_of(settings)
    if reranker is not None:
        stack.push_async_callback(reranker.close)
    return reranker
