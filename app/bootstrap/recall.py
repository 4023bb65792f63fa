"""Recall, its rules and its reranker, as the settings give them."""

from app.adapters.llm.rerankers import CrossEncoderReranker, RemoteReranker
from app.adapters.text.word_specificity import word_specificity
from app.settings import RecallSettings, Settings
from graph.core.database import Database
from graph.core.measuring import Measurements
from graph.core.ports import Clock, Reranker
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.retrieval.recall.gathering import RecallLimits
from graph.retrieval.recall.models import strategy_named
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.service import Recall
from graph.telemetry.usage.service import Usage
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.service import Embeddings


def recall_rules(settings: RecallSettings) -> RecallRules:
    """Return what the engine is handed."""
    return RecallRules(
        limits=RecallLimits(pool=settings.pool, text_list=settings.text_list),
        strategy=strategy_named(settings.strategy),
        rrf_k=settings.rrf_k,
        vector_top_k=settings.vec_top_k,
        merge_above=settings.merge_above,
        rerank_depth=settings.rerank_depth,
        relation_limit=settings.relation_limit,
        injection_max_memories=settings.injection_max_memories,
    )


def reranker_of(settings: RecallSettings) -> RemoteReranker | CrossEncoderReranker | None:
    """Return the model that reads query and text together, or None where none is wanted."""
    if settings.rerank == "transformers" and settings.rerank_model:
        return CrossEncoderReranker(settings.rerank_model)
    if settings.rerank == "remote" and settings.rerank_url and settings.rerank_model:
        key = settings.rerank_key.get_secret_value() if settings.rerank_key else None
        return RemoteReranker(settings.rerank_url, model=settings.rerank_model, api_key=key)
    return None


def build_recall(
    settings: Settings,
    database: Database,
    embeddings: Embeddings,
    memories: Memories,
    usage: Usage,
    workspaces: Workspaces,
    clock: Clock,
    reranker: Reranker | None,
    tier: ExternalTier[Memory],
    measurements: Measurements,
) -> Recall:
    """Return the use cases of finding memories."""
    return Recall(
        database,
        embeddings,
        memories,
        usage,
        workspaces,
        clock,
        recall_rules(settings.recall),
        specificity=word_specificity,
        reranker=reranker,
        tier=tier,
        measurements=measurements,
    )
