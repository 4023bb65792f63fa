"""Builds the room of retrieval: recall, search, answers, agents' contexts and lists."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Final

from app.adapters.rerankers import CrossEncoderReranker, RemoteReranker
from app.bootstrap.dependencies import Dependencies
from app.settings import RecallSettings
from graph.core.ports import LanguageModels, Reranker
from graph.memories.service import Memories
from graph.operations.services import (
    ConversationServices,
    KnowledgeServices,
    RetrievalServices,
    TelemetryServices,
    VectorServices,
)
from graph.retrieval.answering.service import Answering
from graph.retrieval.context.layers import (
    EpisodeLayer,
    Layer,
    MemoryLayer,
    OntologyLayer,
    PatternLayer,
    ProfileLayer,
)
from graph.retrieval.context.service import AgentContexts
from graph.retrieval.entities import EntitySearch
from graph.retrieval.pages import MemoryPages
from graph.retrieval.profile.service import Profiles
from graph.retrieval.recall.injection import Injection
from graph.retrieval.recall.models import strategy_named
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.service import Recall
from graph.retrieval.search.service import Search
from graph.tenancy.workspaces import Workspaces

LOCAL_RERANKER: Final = "transformers/"
"""Prefix of the name of a cross-encoder in this process."""


def recall_rules(settings: RecallSettings) -> RecallRules:
    """Return the rules of recall from the settings."""
    return RecallRules(
        strategy=strategy_named(settings.strategy),
        rrf_k=settings.rrf_k,
        vector_top_k=settings.vec_top_k,
        rerank_seconds=settings.rerank_seconds,
        relation_limit=settings.relation_limit,
    )


def reranker_of(settings: RecallSettings) -> RemoteReranker | CrossEncoderReranker | None:
    """Return the configured reranker, or None."""
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
    """Return the configured reranker, which the stack closes."""
    reranker = reranker_of(settings)
    if reranker is not None:
        stack.push_async_callback(reranker.close)
    return reranker


def build_retrieval(
    on: Dependencies,
    *,
    workspaces: Workspaces,
    vectors: VectorServices,
    memories: Memories,
    knowledge: KnowledgeServices,
    telemetry: TelemetryServices,
    conversations: ConversationServices,
    reranker: Reranker | None,
    language_models: LanguageModels,
) -> RetrievalServices:
    """Return the room."""
    database, embeddings, ontology = on.database, vectors.embeddings, knowledge.ontology
    rules = recall_rules(on.settings.recall)
    recall = Recall(
        database,
        embeddings,
        memories,
        telemetry.usage,
        workspaces,
        on.clock,
        rules,
        specificity=on.specificity,
        reranker=reranker,
        tier=vectors.external,
        measurements=on.measurements,
    )
    injection = Injection(recall, embeddings, workspaces, rules)
    search = Search(database, recall, memories)
    entities = EntitySearch(database, ontology, knowledge.merging, recall)
    profiles = Profiles(database, workspaces, conversations.extraction, on.clock, on.text_work)
    layers = (  # in the order of the prompt
        ProfileLayer(profiles),
        EpisodeLayer(conversations.episodes),
        OntologyLayer(ontology, entities, injection),
        PatternLayer(telemetry.reader, entities),
        MemoryLayer(recall, injection),
    )
    return RetrievalServices(
        recall=recall,
        injection=injection,
        search=search,
        entities=entities,
        answering=Answering(
            database,
            embeddings,
            recall,
            search,
            entities,
            ontology,
            on.clock,
            language_models=language_models,
        ),
        context=_context(on, workspaces, layers),
        pages=MemoryPages(database, on.clock),
        profiles=profiles,
    )


def _context(on: Dependencies, workspaces: Workspaces, layers: Sequence[Layer]) -> AgentContexts:
    return AgentContexts(
        workspaces,
        layers,
        deadline_seconds=on.settings.context.deadline_ms / 1000,
        turn_deadline_seconds=on.settings.proxy.deadline_ms / 1000,
        measurements=on.measurements,
    )
