"""Builds embedders from the settings, with their cache and the splitter of passages."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pydantic import SecretStr

from app.adapters.embedding.cache import CachedEmbedder, EmbeddingCache
from app.adapters.embedding.lazy import LazyEmbedder, MeasuredEmbedder
from app.adapters.embedding.local_models import (
    DEFAULT,
    LOCAL_MODELS,
    MINILM,
    LocalModel,
    fetch_model,
    missing_model,
)
from app.adapters.embedding.onnx_model import OnnxEmbedder
from app.adapters.embedding.remote import PROTOCOLS, RemoteEmbedder, RemoteEndpoint
from app.adapters.embedding.static import StaticEmbedder
from app.adapters.embedding.transformers import TransformersEmbedder, hub_name
from app.adapters.embedding.word_pieces import WordPieces, WordPieceSplitter
from app.bootstrap.dependencies import LOCAL_PREFIX, Dependencies, named_here
from app.settings import EmbeddingSettings
from graph.core.errors import InvalidInput
from graph.core.measuring import Measurements
from graph.core.ports import Embedder, EmbedderCatalogue, EmbeddingFailed
from graph.vectors.index.models import EmbedderOutcomes, EmbeddingProvider
from graph.vectors.index.service import Embeddings

_FOLDER_MARK = "@"
"""Separator between a folder's name and the hash of its weights in a signature; hub names never contain it."""


@dataclass(frozen=True)
class ModelChoice:
    """A chosen model; ``source`` and ``name`` are part of its signature."""

    source: str
    name: str

    @property
    def local_model(self) -> LocalModel | None:
        """The local model, if it is one."""
        model = LOCAL_MODELS.get(self.name)
        return model if model and model.source == self.source else None

    def missing_file(self, folder: Path | None) -> Path | None:
        """Return the path of a local model's file if it is missing or incomplete, else None."""
        return None if self.local_model is None else missing_model(self.local_model, folder)

    @classmethod
    def of_local(cls, name: str) -> "ModelChoice":
        """Return the choice for the name of a local model."""
        return cls(LOCAL_MODELS[name].source, name)

    @classmethod
    def of_signature(cls, signature: str) -> "ModelChoice":
        """Parse ``source:name:dimension``; a name may contain colons."""
        source, _, rest = signature.partition(":")
        return cls(source, rest.rpartition(":")[0])


def providers(settings: EmbeddingSettings) -> tuple[EmbeddingProvider, ...]:
    """Return every remote provider with its models and whether it is usable, but never a key."""
    return tuple(
        EmbeddingProvider(
            name=protocol.name, models=tuple(protocol.models), has_key=_has_key(settings, protocol.name)
        )
        for protocol in PROTOCOLS.values()
    )


def choose(
    settings: EmbeddingSettings, *, static_enabled: bool = False, transformers_enabled: bool = True
) -> ModelChoice | None:
    """Return the model that the settings select, or None for keywords only.

    Args:
        settings: Settings, including the source chosen at run time.
        static_enabled: Allow ``auto`` to use the static model.
        transformers_enabled: Allow ``auto`` to use a local sentence-embedding model.

    Raises:
        ValueError: ``remote`` has no provider with a key or no known model, or the settings name a local model while
            local models are off.
    """
    if settings.source == "auto" and not transformers_enabled and named_here(settings) is not None:
        raise ValueError(f"{settings.provider_model} is a local model, but local models are disabled")
    source = _resolved_source(
        settings, static_enabled=static_enabled, transformers_enabled=transformers_enabled
    )
    if source == "remote":
        return ModelChoice("remote", _provider_model(settings))
    if source == "static":
        return ModelChoice("static", settings.static_model)
    if source == "minilm":
        return ModelChoice.of_local(MINILM.name)
    return _run_here(settings) if source == "transformers" else None


def _run_here(settings: EmbeddingSettings) -> ModelChoice:
    named = named_here(settings)
    if named not in LOCAL_MODELS and (model := named or settings.model):
        return ModelChoice("transformers", hub_name(model).removeprefix("sentence-transformers/"))
    return ModelChoice.of_local(named or settings.local_model or DEFAULT.name)


def selectable_models() -> tuple[str, ...]:
    """Return the values of ``provider_model`` that select local models."""
    return tuple(f"{LOCAL_PREFIX}{name}" for name in LOCAL_MODELS)


def reads_english_only(signature: str) -> bool:
    """Tell whether the model of stored vectors is known to support English only."""
    model = ModelChoice.of_signature(signature).local_model
    return model is not None and model.reads_english_only


def keeps(settings: EmbeddingSettings, signature: str) -> bool:
    """Tell whether the model of stored vectors stays in use: it is a local one, and no setting names another.

    A new default model therefore never embeds a store again unexpectedly.
    """
    names_none = settings.model is None and settings.local_model is None and named_here(settings) is None
    is_local = ModelChoice.of_signature(signature).local_model is not None
    source = _resolved_source(settings, static_enabled=False, transformers_enabled=True)
    return names_none and is_local and source == "transformers"


def _resolved_source(settings: EmbeddingSettings, *, static_enabled: bool, transformers_enabled: bool) -> str:
    if settings.source != "auto":
        return settings.source
    if named_here(settings) is not None:
        return "transformers"
    if any(provider.has_key for provider in providers(settings)):
        return "remote"
    if static_enabled:
        return "static"
    return "transformers" if transformers_enabled else "none"


def _provider_model(settings: EmbeddingSettings) -> str:
    if settings.provider_model is not None:
        return _named_model(settings, settings.provider_model)
    for protocol in PROTOCOLS.values():
        if _has_key(settings, protocol.name):
            if not protocol.models:
                raise ValueError("name the model of custom_url: RECOLLECT_EMBEDDING_PROVIDER_MODEL=custom/…")
            return f"{protocol.name}/{protocol.models[0]}"
    raise ValueError("the embedding source remote needs a key, e.g. RECOLLECT_EMBEDDING_OPENAI_API_KEY")


def _named_model(settings: EmbeddingSettings, name: str) -> str:
    """Return ``provider/model`` for a name, which may be the model alone."""
    provider, has_provider, model = name.partition("/")
    if not has_provider:
        provider, model = _provider_of(settings, name), name
    if provider not in PROTOCOLS or not model:
        raise ValueError(
            f"RECOLLECT_EMBEDDING_PROVIDER_MODEL must be provider/model with one of {', '.join(PROTOCOLS)}, "
            f"got {name!r}"
        )
    if not _has_key(settings, provider):
        raise ValueError(
            f"the embedding provider {provider} has no key: set RECOLLECT_EMBEDDING_{provider.upper()}_API_KEY"
            + (" or _URL" if provider == "custom" else "")
        )
    return f"{provider}/{model}"


def _provider_of(settings: EmbeddingSettings, model: str) -> str:
    """Return the provider of a model: its known one, else the first with a key."""
    known = [protocol.name for protocol in PROTOCOLS.values() if model in protocol.models]
    with_key = [name for name in PROTOCOLS if _has_key(settings, name)]
    return next(iter([*known, *with_key]), "")


def _has_key(settings: EmbeddingSettings, provider: str) -> bool:
    if provider == "custom":
        return settings.custom_url is not None
    return bool(_key(settings, provider))


def _key(settings: EmbeddingSettings, provider: str) -> str | None:
    key: SecretStr | None = getattr(settings, f"{provider}_api_key")
    return key.get_secret_value() if key else None


def loader(settings: EmbeddingSettings, choice: ModelChoice) -> Callable[[], Embedder] | None:
    """Return the loader of a model, or None if the settings lack the key of its provider."""
    if (local := choice.local_model) is not None:
        return partial(_load_local, local, settings.local_folder)
    if choice.source == "transformers":
        return lambda: TransformersEmbedder(choice.name)
    if choice.source == "static":
        return lambda: StaticEmbedder(choice.name, cache_dir=settings.static_cache_dir)
    provider, _, model = choice.name.partition("/")
    if choice.source != "remote" or provider not in PROTOCOLS or not _has_key(settings, provider):
        return None
    endpoint = RemoteEndpoint(
        PROTOCOLS[provider],
        model,
        base_url=settings.custom_url if provider == "custom" else None,
        api_key=_key(settings, provider),
        timeout_seconds=settings.timeout_seconds,
    )
    return lambda: RemoteEmbedder(endpoint)


def _load_local(model: LocalModel, folder: Path | None) -> OnnxEmbedder:
    return OnnxEmbedder(asyncio.run(fetch_model(model, folder)))


@dataclass
class EmbedderRegistry:
    """Implements ``graph.core.ports.EmbedderCatalogue``: loads each model once, in the background; all share one cache.

    Lives as long as the process; ``stack`` closes it. ``settings`` may be replaced at any time.
    """

    settings: EmbeddingSettings
    cache: EmbeddingCache
    stack: AsyncExitStack
    measurements: Measurements
    outcomes: EmbedderOutcomes
    _loaded: dict[ModelChoice, Embedder] = field(default_factory=dict)

    def find(self, signature: str) -> Embedder | None:
        """Return the embedder with a signature, or None if the settings cannot reach its model.

        No hub has a model from a folder. It is found while it is loaded, or while a setting names the
        folder.
        """
        if self.settings.source == "none":
            return None
        loaded = (embedder for embedder in self._loaded.values() if _has_signature(embedder, signature))
        if (embedder := next(loaded, None)) is not None:
            return embedder
        choice = ModelChoice.of_signature(signature)
        if _FOLDER_MARK in choice.name:
            folder = self._folder_of(choice)
            return self.take(folder) if folder else None
        return self.take(choice)

    def take(self, choice: ModelChoice) -> Embedder | None:
        """Return the embedder of a model; the first call starts loading it."""
        if choice not in self._loaded:
            load = loader(self.settings, choice)
            if load is None:
                return None
            lazy = LazyEmbedder(load, name=choice.name)
            lazy.start()
            self.stack.push_async_callback(lazy.close)
            self._loaded[choice] = CachedEmbedder(
                MeasuredEmbedder(lazy, self.measurements, self.outcomes), self.cache
            )
        return self._loaded[choice]

    def _folder_of(self, choice: ModelChoice) -> ModelChoice | None:
        """Return the choice for the configured folder if its name matches; loading it verifies the weights."""
        named = {"static": self.settings.static_model, "transformers": self.settings.model}.get(choice.source)
        if not named or not (folder := Path(named).expanduser()).is_dir():
            return None
        is_its_name = folder.resolve().name == choice.name.rpartition(_FOLDER_MARK)[0]
        return ModelChoice(choice.source, named) if is_its_name else None


def _has_signature(embedder: Embedder, signature: str) -> bool:
    try:
        return embedder.signature == signature
    except EmbeddingFailed:
        return False  # it is still loading


def build_embeddings(
    on: Dependencies, stack: AsyncExitStack, *, embedder: Embedder | None, catalogue: EmbedderCatalogue | None
) -> tuple[Embeddings, EmbedderRegistry]:
    """Return the embedders with the indexes of their vectors, and the models; the stack closes them.

    Raises:
        InvalidInput: The settings name a model that they cannot reach.
    """
    settings = on.settings.embedding
    cache = EmbeddingCache(max_entries=settings.cache_max, ttl_seconds=settings.cache_ttl_seconds)
    outcomes = EmbedderOutcomes(on.clock)
    models = EmbedderRegistry(settings, cache, stack, on.measurements, outcomes)
    try:
        choice = choose(settings)
    except ValueError as error:
        raise InvalidInput("embedding", str(error)) from error
    if embedder is not None:
        used: Embedder | None = MeasuredEmbedder(embedder, on.measurements, outcomes)
    else:
        used = models.take(choice) if choice is not None else None
    embeddings = Embeddings(
        on.database,
        used,
        on.clock,
        quantization=settings.quantization,
        text_work=on.text_work,
        catalogue=catalogue or models,
        splitter=WordPieceSplitter(WordPieces(on.tokenizer)),
        stays_in_use=lambda signature: embedder is None and keeps(settings, signature),
        providers=providers(settings),
        local_models=selectable_models(),
        reads_english_only=reads_english_only,
        cache_stats=lambda: cache.stats,
        outcomes=outcomes,
    )
    return embeddings, models
