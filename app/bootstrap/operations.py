"""Builds the room of operations: status, readiness, settings at run time, archives and webhooks."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.util import find_spec

from app.adapters.embedding.remote import RemoteEmbedder
from app.adapters.rerankers import CrossEncoderReranker
from app.adapters.webhook_sender import HttpWebhookSender
from app.bootstrap.dependencies import Dependencies, named_here
from app.bootstrap.embedders import EmbedderRegistry, ModelChoice, choose, loader
from app.bootstrap.memories import MemoryParts
from app.bootstrap.retrieval import LOCAL_RERANKER, open_reranker, recall_rules, reranker_of
from app.bootstrap.vectors import VectorParts
from app.settings import EmbeddingSettings, RecallSettings, Settings
from graph.core.errors import InvalidInput
from graph.core.ports import Embedder, EmbeddingFailed, RerankFailed
from graph.knowledge.merging import Merging
from graph.operations.archive.service import Archives
from graph.operations.automatic_changes import AutomaticChanges
from graph.operations.erasure import Erasure
from graph.operations.models import ConnectionTrial, DeploymentSettings
from graph.operations.round_trip import RoundTrip
from graph.operations.services import (
    OperationServices,
    RetrievalServices,
    TelemetryServices,
    TenancyServices,
    VectorServices,
)
from graph.operations.settings import Defaults, RunningSettings
from graph.operations.status import Status
from graph.operations.webhooks import Outbox, Webhooks
from graph.retrieval.recall.service import Recall
from graph.vectors.index.service import Embeddings

_LOCAL = "transformers"
_TRIED = "a text"
_LOADING_SECONDS = 120.0  # includes the download of a model of some hundred megabytes
_TOO_LONG = f"that took longer than {_LOADING_SECONDS:g} seconds"


class RunningAdapters:
    """Implements ``graph.operations.settings.Adapters``; lives as long as the process.

    Replaced adapters stay open until the process ends: a former model embeds queries until its vectors are replaced,
    and a request may still use the old reranker.
    """

    def __init__(
        self,
        settings: Settings,
        models: EmbedderRegistry,
        embeddings: Embeddings,
        recall: Recall,
        stack: AsyncExitStack,
    ) -> None:
        self._settings = settings
        self._models = models
        self._embeddings = embeddings
        self._recall = recall
        self._stack = stack
        self._in_use = self.own

    @property
    def own(self) -> DeploymentSettings:
        """Return the settings from the environment of this process."""
        embedding, recall = self._settings.embedding, self._settings.recall
        return DeploymentSettings(
            embedding_source=embedding.source,
            embedding_provider_model=embedding.provider_model,
            rerank_enabled=_reranks(recall),
            rerank_provider_model=recall.rerank_model,
        )

    def check(self, chosen: DeploymentSettings) -> None:
        """Check that this process could apply settings.

        Raises:
            InvalidInput: A key, an address or an extra is missing.
        """
        try:
            choice = self._choice(chosen)
        except ValueError as error:
            field = "embeddingProviderModel" if chosen.embedding_provider_model else "embeddingSource"
            raise InvalidInput(field, f"{field}: {error}") from error
        if choice is not None and (extra := _missing_extra(choice)) is not None:
            raise InvalidInput(
                "embeddingSource",
                f"embeddingSource: {choice.name} needs the extra {extra}: `make extra NAME={extra}` installs it",
            )
        if chosen.rerank_enabled:
            self._check_reranker(chosen.rerank_provider_model)

    async def try_out(self, chosen: DeploymentSettings) -> None:
        """Load the chosen model if it changes and comes from this machine or a hub.

        Raises:
            InvalidInput: The model cannot be loaded; the error has the reason.
        """
        choice = self._choice(chosen)
        if choice is None or choice.source == "remote" or choice == self._choice(self._in_use):
            return
        load = loader(self._embedding(chosen), choice)
        reason = "nothing loads it" if load is None else await _why_not_loaded(load)
        if reason is not None:
            field = "embeddingSource"
            raise InvalidInput(field, f"{field}: the model {choice.name} cannot be loaded: {reason}")

    async def test_embedder(self, chosen: DeploymentSettings) -> ConnectionTrial:
        """Embed one text with the chosen model, and change nothing; a loaded local model is reused.

        Raises:
            InvalidInput: No model is chosen.
        """
        choice, start = self._choice(chosen), time.perf_counter()
        load = loader(self._embedding(chosen), choice) if choice else None
        if choice is None or load is None:
            raise InvalidInput("embeddingSource", "embeddingSource: without a model there is nothing to test")
        if choice.source != "remote" and choice == self._choice(self._in_use):
            state = await self._embeddings.check()
            signature, error = (state.signature, state.reason) if state.ready else (None, state.reason)
        else:
            signature, error = await _tested(load)
        latency_ms = round((time.perf_counter() - start) * 1000, 3)
        return ConnectionTrial(latency_ms=latency_ms, signature=signature, error=error)

    async def test_reranker(self, chosen: DeploymentSettings) -> ConnectionTrial:
        """Score one text with the chosen reranker, even if it is not enabled, and change nothing."""
        try:
            self._check_reranker(chosen.rerank_provider_model)
        except InvalidInput as error:
            return ConnectionTrial(latency_ms=0.0, error=error.message)
        start = time.perf_counter()
        name, reason = await self._scored(chosen.model_copy(update={"rerank_enabled": True}))
        latency_ms = round((time.perf_counter() - start) * 1000, 3)
        return ConnectionTrial(latency_ms=latency_ms, signature=name, error=reason)

    async def use(self, chosen: DeploymentSettings) -> None:
        """Apply settings; vectors of a new model fill a second index while the old ones serve."""
        before = self._in_use
        self._models.settings = self._embedding(chosen)
        choice = self._choice(chosen)
        if choice != self._choice(before) or self._named_here(chosen) != self._named_here(before):
            await self._embeddings.use(self._models.take(choice) if choice else None)
        rerank = self._rerank(chosen)
        if rerank != self._rerank(before):
            self._recall.use_reranker(open_reranker(rerank, self._stack))
        self._in_use = chosen

    def _check_reranker(self, model: str | None) -> None:
        field = "rerankProviderModel"
        if model is None:
            raise InvalidInput(field, f"{field} must name a model")
        if model.startswith(LOCAL_RERANKER):
            if find_spec("sentence_transformers") is None:
                message = f"{field}: {model} needs the extra transformers"
                raise InvalidInput(field, f"{message}: `make extra NAME=transformers` installs it")
        elif self._settings.recall.rerank_url is None:
            raise InvalidInput(
                field,
                f"{field}: {model} is a remote model: set RECOLLECT_RECALL_RERANK_URL, or choose a local "
                f"{LOCAL_RERANKER}<path or hub name>",
            )

    async def _scored(self, chosen: DeploymentSettings) -> tuple[str | None, str | None]:
        """Return the name of the reranker after it scored a text, or None and the reason of a failure."""
        reranker = reranker_of(self._rerank(chosen))
        if reranker is None:
            return None, "no reranker is configured"
        try:
            async with asyncio.timeout(_LOADING_SECONDS):
                if isinstance(reranker, CrossEncoderReranker):
                    await reranker.load()
                await reranker.score(_TRIED, [_TRIED])
        except TimeoutError:
            return None, _TOO_LONG
        except RerankFailed as error:
            return None, str(error)
        finally:
            await reranker.close()
        return reranker.name, None

    def _choice(self, chosen: DeploymentSettings) -> ModelChoice | None:
        return choose(
            self._embedding(chosen),
            static_enabled=chosen.static_enabled,
            transformers_enabled=chosen.transformers_enabled,
        )

    def _named_here(self, chosen: DeploymentSettings) -> str | None:
        """Return the local model that the settings name; it overrides the model of stored vectors."""
        return named_here(self._embedding(chosen))

    def _embedding(self, chosen: DeploymentSettings) -> EmbeddingSettings:
        return self._settings.embedding.model_copy(
            update={
                "source": chosen.embedding_source,
                "provider_model": chosen.embedding_provider_model,
            }
        )

    def _rerank(self, chosen: DeploymentSettings) -> RecallSettings:
        model = chosen.rerank_provider_model if chosen.rerank_enabled else None
        return self._settings.recall.model_copy(update={"rerank_model": model})


async def _tested(load: Callable[[], Embedder]) -> tuple[str | None, str | None]:
    """Return the signature of a model after it embedded a text, or None and the reason of a failure."""
    loaded: list[Embedder] = []
    reason = await _why_not_loaded(lambda: loaded.append(load()))
    if reason is not None:
        return None, reason
    (embedder,) = loaded
    try:
        await embedder.embed([_TRIED])
    except EmbeddingFailed as error:
        return None, str(error)
    finally:
        if isinstance(embedder, RemoteEmbedder):
            await embedder.close()
    return embedder.signature, None


async def _why_not_loaded(load: Callable[[], object]) -> str | None:
    """Load a model; return the reason of a failure, or None."""
    try:
        async with asyncio.timeout(_LOADING_SECONDS):
            await asyncio.to_thread(load)
    except TimeoutError:
        return _TOO_LONG
    except Exception as error:  # noqa: BLE001 - whatever it is, the model cannot be used
        return str(error) or type(error).__name__
    return None


def _reranks(settings: RecallSettings) -> bool:
    model = settings.rerank_model
    return model is not None and (model.startswith(LOCAL_RERANKER) or settings.rerank_url is not None)


def _missing_extra(choice: ModelChoice) -> str | None:
    """Return the missing extra of a model, or None."""
    if choice.source == "static":
        return None if find_spec("model2vec") else "static"
    if choice.source == _LOCAL and choice.local_model is None:
        return None if find_spec("sentence_transformers") else _LOCAL
    return None


def build_operations(
    on: Dependencies,
    stack: AsyncExitStack,
    *,
    tenancy: TenancyServices,
    parts: VectorParts,
    vectors: VectorServices,
    memories: MemoryParts,
    retrieval: RetrievalServices,
    erasure: Erasure,
    merging: Merging,
    telemetry: TelemetryServices,
) -> OperationServices:
    """Return the room; the stack closes adapters that changed settings open."""
    settings, database, recall = on.settings, on.database, retrieval.recall
    workspaces, webhooks = tenancy.workspaces, _webhooks(on, stack)
    store, deletion = memories.store, memories.deletion
    defaults = Defaults(
        strategy=recall_rules(settings.recall).strategy,
        retention=store.retention,
    )
    adapters = RunningAdapters(settings, parts.registry, vectors.embeddings, recall, stack)
    status = Status(database, vectors.embeddings, on.signals.wake_up, vectors.external)
    return OperationServices(
        status=status,
        readiness=RoundTrip(database, store, deletion, retrieval.pages, recall, status, on.clock),
        webhooks=webhooks,
        settings=RunningSettings(database, workspaces, vectors.external, adapters, on.clock, defaults),
        archives=Archives(
            database, workspaces, vectors.embeddings, parts.mirroring, telemetry.promoter, on.clock
        ),
        erasure=erasure,
        changes=AutomaticChanges(
            database,
            store,
            deletion,
            merging,
            on.signals.announcer,
            on.signals.wake_up,
            on.clock,
        ),
    )


def _webhooks(on: Dependencies, stack: AsyncExitStack) -> Webhooks:
    """Return the webhooks, and subscribe their outbox to the events of this process."""
    allow_private = on.settings.webhooks.allow_private
    sender = HttpWebhookSender(allow_private=allow_private)
    stack.push_async_callback(sender.close)
    outbox = Outbox(on.database, on.signals.wake_up, on.clock)
    on.signals.announcer.noted_by(outbox.take)
    return Webhooks(on.database, on.clock, outbox, sender, allow_private=allow_private)
