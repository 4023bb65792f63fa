"""Dependencies of every room: the settings, the graph, signals between processes, and text analysis."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

import httpx
from neo4j import AsyncGraphDatabase
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from tenacity import AsyncRetrying, retry_if_exception, stop_after_delay, wait_fixed

from app.adapters.embedding.local_models import DEFAULT, LOCAL_MODELS, ModelFiles, fetch_model
from app.adapters.embedding.word_pieces import WordSpecificity
from app.adapters.pinned_packages import WEBJARS, OnBytes, fetch_webjars
from app.adapters.redis_signals import RedisEvents, RedisWakeUp
from app.adapters.redis_stores import RedisCounters, RedisSessions, RedisWorkingSet
from app.adapters.secrets import SecretPatterns
from app.adapters.text_workers import TextWorkers
from app.settings import (
    EmbeddingSettings,
    LanguageModelSettings,
    MemorySettings,
    Neo4jSettings,
    RedisSettings,
    Settings,
)
from graph.core.credentials import CredentialGuard
from graph.core.database import Database, is_too_old, requirement
from graph.core.deadlines import long_work
from graph.core.errors import InvalidInput, Unavailable
from graph.core.events import Announcer
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import JobRules
from graph.core.ports import Clock, EmbeddingFailed, LanguageModel, SecretDetector
from graph.core.text.work import TextWork
from graph.core.working_set import WorkingSet
from graph.memories.policy import (
    DeleteMode,
    IdFormat,
    MemoryPolicy,
    Retention,
    RetentionSurface,
    SecretPolicy,
)
from graph.operations.admin import prepare_store
from graph.tenancy.models import ModelEndpoint, OpenModel, Sealing

LOCAL_PREFIX: Final = "transformers/"
"""Prefix of the name of a model in this process, instead of a provider's name."""


def named_here(settings: EmbeddingSettings) -> str | None:
    """Return the local or hub name in ``provider_model``; None if it names a provider's model."""
    named = settings.provider_model or ""
    return named.removeprefix(LOCAL_PREFIX) if named.startswith(LOCAL_PREFIX) else None


async def fetch_models(settings: EmbeddingSettings, on_bytes: OnBytes | None = None) -> ModelFiles:
    """Download the missing files of the default local model and of the one that a setting names.

    Returns:
        Files of the default model, which measure the length of texts and the rarity of words for every embedder.

    Raises:
        Unavailable: A file cannot be downloaded, or the configured folder lacks it.
    """
    try:
        name = named_here(settings) or settings.local_model
        if name in LOCAL_MODELS:
            await fetch_model(LOCAL_MODELS[name], settings.local_folder, on_bytes)
        return await fetch_model(DEFAULT, settings.local_folder, on_bytes)
    except EmbeddingFailed as error:
        raise Unavailable(
            "embedder",
            f"{error}; allow its download once, or set RECOLLECT_EMBEDDING_LOCAL_FOLDER to its folder",
        ) from error


async def fetch_page_packages(on_bytes: OnBytes) -> None:
    """Download the missing packages of the pages.

    Raises:
        Unavailable: A package cannot be downloaded.
    """
    await fetch_webjars(WEBJARS, on_bytes)


async def open_language_model(settings: LanguageModelSettings, stack: AsyncExitStack) -> LanguageModel | None:
    """Return the configured model, which ``stack`` closes, or None.

    Raises:
        Unavailable: A model is configured, and the extra ``llm`` is not installed.
    """
    if settings.url is None or settings.model is None:
        return None
    _require("pydantic_ai", "RECOLLECT_LLM_URL")
    key = settings.key.get_secret_value() if settings.key else None
    endpoint = ModelEndpoint(url=settings.url, model=settings.model, key=key)
    return await asyncio.to_thread(_language_model, settings, endpoint, stack)


def opener(settings: LanguageModelSettings, stack: AsyncExitStack) -> OpenModel:
    """Return a function that opens workspaces' own models, with the deployment's timeouts and methods."""

    async def opened(endpoint: ModelEndpoint) -> LanguageModel:
        _require("pydantic_ai", "a language model of a workspace")
        try:
            httpx.URL(endpoint.url)
        except httpx.InvalidURL as error:
            raise InvalidInput("url", f"url is not an address: {error}") from error
        return await asyncio.to_thread(_language_model, settings, endpoint, stack)

    return opened


async def no_model(_: ModelEndpoint) -> LanguageModel:
    """Open nothing.

    Raises:
        Unavailable: Always.
    """
    raise Unavailable("llm", "this process cannot use a language model")


def sealing(settings: LanguageModelSettings) -> Sealing | None:
    """Return the encryption of the keys of workspaces' models, or None without a sealing key.

    Raises:
        Unavailable: A sealing key is set, and the extra ``llm`` is not installed.
    """
    if settings.sealing_key is None:
        return None
    _require("cryptography", "RECOLLECT_LLM_SEALING_KEY")
    from app.adapters.secrets import AesSealing  # noqa: PLC0415 - part of an extra

    return AesSealing(settings.sealing_key.get_secret_value())


def _require(package: str, what: str) -> None:
    if find_spec(package) is None:
        raise Unavailable("llm", f"{what} needs the extra llm: `make extra NAME=llm` installs it")


def _language_model(
    settings: LanguageModelSettings, endpoint: ModelEndpoint, stack: AsyncExitStack
) -> LanguageModel:
    # Imported here, because it is part of an extra and takes a second to import.
    from app.adapters.language_model import ChatEndpoint, ChatLanguageModel  # noqa: PLC0415

    opened = ChatLanguageModel(
        ChatEndpoint(
            url=endpoint.url,
            model=endpoint.model,
            api_key=endpoint.key,
            timeout_seconds=settings.timeout_seconds,
            typed_output=settings.typed_output,
            typed_temperature=None if settings.typed_temperature == "server" else settings.typed_temperature,
        )
    )
    stack.push_async_callback(opened.close)
    return opened


def memory_policy(settings: MemorySettings) -> MemoryPolicy:
    """Return the policy of memories from the settings."""
    surfaces = [name for name in settings.retention_applies_to.split(",") if name]
    return MemoryPolicy(
        dedup_threshold=settings.dedup_threshold,
        dedup_deadline_seconds=settings.dedup_deadline_ms / 1000,
        dedup_on_post=settings.dedup_on_post,
        secret_policy=SecretPolicy(settings.secret_policy),
        auto_summarize=settings.auto_summarize_long,
        classify_with_model=settings.classify_with_model,
        placeholder_vectors=settings.placeholder_vectors,
        id_format=IdFormat(settings.id_format),
        delete_mode=DeleteMode(settings.delete_mode),
        compacts_for_good=settings.compaction_delete == "hard",
        retention=Retention(
            days=settings.retention_days or None,
            applies_to=frozenset(RetentionSurface(name) for name in surfaces),
        ),
    )


async def secret_detector(settings: MemorySettings) -> SecretDetector | None:
    """Return the detector of credentials, or None if it is off."""
    guards = memory_policy(settings).secret_policy is not SecretPolicy.OFF
    return await asyncio.to_thread(SecretPatterns) if guards else None


_SIGN_IN_SECONDS = 2.0  # longer timeout of Redis for a sign-in, because a person would rather wait than fail


@dataclass(frozen=True)
class Signals:
    """Adapters for signals and short-lived data in Redis.

    Attributes:
        counters: Counters of requests, which do not wait for a slow Redis.
        attempts: Counters of sign-in attempts.
    """

    wake_up: RedisWakeUp
    event_bus: RedisEvents
    announcer: Announcer
    working_set: WorkingSet
    sessions: RedisSessions
    counters: RedisCounters
    attempts: RedisCounters


def open_signals(settings: Settings, clock: Clock, stack: AsyncExitStack) -> Signals:
    """Start sending and listening; the stack closes the connections."""
    wake_up = RedisWakeUp(open_redis(settings.redis))
    event_bus = RedisEvents(open_redis(settings.redis, reconnects=False))
    for adapter in (wake_up, event_bus):
        adapter.start()
        stack.push_async_callback(adapter.close)
    shared = RedisWorkingSet(open_redis(settings.redis, reconnects=False))
    sessions = RedisSessions(open_redis(settings.redis, reconnects=False))
    counters = RedisCounters(open_redis(settings.redis, reconnects=False))
    attempts = RedisCounters(open_redis(settings.redis, reconnects=False), patience_seconds=_SIGN_IN_SECONDS)
    for holder in (shared, sessions, counters, attempts):
        stack.push_async_callback(holder.close)
    announcer = Announcer(event_bus, clock)
    return Signals(wake_up, event_bus, announcer, WorkingSet(shared), sessions, counters, attempts)


_CONNECT_SECONDS = 3.0
_RETRY_SECONDS = 4.0  # time that a request waits for the graph to recover before it fails
_ACQUIRE_SECONDS = 5.0
_REDIS_SECONDS = 2.0  # timeout of a response; listeners override it for each wait


def open_database(settings: Neo4jSettings, measurements: Measurements = UNMEASURED) -> Database:
    """Return the graph, which connects at its first use; ``settings.uri`` is set."""
    assert settings.uri is not None  # noqa: S101 - callers start or name a server first
    auth = (settings.user, settings.password.get_secret_value()) if settings.password else None
    driver = AsyncGraphDatabase.driver(
        settings.uri,
        auth=auth,
        connection_timeout=_CONNECT_SECONDS,
        connection_acquisition_timeout=_ACQUIRE_SECONDS,
        max_transaction_retry_time=_RETRY_SECONDS,
        notifications_min_severity="OFF",
        user_agent="recollect",
    )
    return Database(
        driver,
        name=settings.database,
        timeout_seconds=settings.timeout_seconds,
        measurements=measurements,
    )


def open_redis(settings: RedisSettings, *, reconnects: bool = True) -> Redis:
    """Return a client, which connects at its first use; ``settings.url`` is set."""
    assert settings.url is not None  # noqa: S101 - callers start or name a server first
    client = Redis.from_url(
        settings.url, socket_connect_timeout=1.0, socket_timeout=_REDIS_SECONDS, decode_responses=True
    )
    if not reconnects:
        client.set_retry(Retry(NoBackoff(), 0))
    return client


def may_come(error: BaseException) -> bool:
    """Tell whether to wait and retry; a refused login is not repeated, because servers then lock the user out."""
    return isinstance(error, Unavailable) and not error.is_refused


START_SECONDS: Final = 20.0
"""Time for a server that starts at the same time as this process, or on a busy machine."""


REFRESH_SECONDS: Final = 2.0
"""Interval between two reads of settings and of the active vector index, which another process may change."""


@dataclass(frozen=True)
class Dependencies:
    """Dependencies that rooms share.

    Attributes:
        text_work: Processor work on stored texts.
        body_work: Parsing of large request bodies, separate so that neither delays the other.
        secrets: Detector of credentials; None if it is off.
        tokenizer: Files of the default local model, which measure the length of texts and the rarity of words for every
            embedder.
        language_model: Language model of the deployment, if any.
        open_model: Opens workspaces' own models.
        job_rules: Batch size, lease and intervals of jobs.
        refresh_seconds: Interval between two reads of settings that another process may change.
    """

    settings: Settings
    database: Database
    clock: Clock
    signals: Signals
    text_work: TextWork
    body_work: TextWork
    tokenizer: ModelFiles
    secrets: SecretDetector | None = None
    language_model: LanguageModel | None = None
    open_model: OpenModel = no_model
    measurements: Measurements = UNMEASURED
    job_rules: JobRules = field(default_factory=JobRules)
    refresh_seconds: float = REFRESH_SECONDS

    @property
    def refusing(self) -> SecretDetector | None:
        """The credential detector if credentials are refused; only a memory has a receipt for a warning."""
        rejects = memory_policy(self.settings.memory).secret_policy is SecretPolicy.REJECT
        return self.secrets if rejects else None

    @property
    def specificity(self) -> WordSpecificity:
        """Specificity of words."""
        return WordSpecificity(self.tokenizer)

    @property
    def guard(self) -> CredentialGuard:
        """Guard that refuses credentials."""
        return CredentialGuard(self.refusing)


async def open_dependencies(
    settings: Settings,
    stack: AsyncExitStack,
    *,
    clock: Clock,
    measurements: Measurements,
    language_model: LanguageModel | None,
    start_seconds: float,
    job_rules: JobRules,
    refresh_seconds: float,
) -> Dependencies:
    """Connect and update the store's schema; the stack closes everything.

    Raises:
        InvalidInput: The graph's server is too old, or a later release has written the store.
        Unavailable: The files of the local model cannot be downloaded, or the graph refuses the login, lacks the
            database or does not answer within ``start_seconds``.
    """
    tokenizer = await fetch_models(settings.embedding)
    database = open_database(settings.neo4j, measurements)
    stack.push_async_callback(database.close)
    with long_work():
        await _prepared(database, start_seconds)
    body_work, text_work = TextWorkers(), TextWorkers()
    for workers in (body_work, text_work):
        stack.push_async_callback(workers.close)
    return Dependencies(
        settings=settings,
        database=database,
        clock=clock,
        signals=open_signals(settings, clock, stack),
        text_work=text_work,
        body_work=body_work,
        tokenizer=tokenizer,
        secrets=await secret_detector(settings.memory),
        language_model=language_model or await open_language_model(settings.llm, stack),
        open_model=opener(settings.llm, stack),
        measurements=measurements,
        job_rules=job_rules,
        refresh_seconds=refresh_seconds,
    )


async def _prepared(database: Database, start_seconds: float) -> None:
    patiently = AsyncRetrying(
        retry=retry_if_exception(may_come),
        stop=stop_after_delay(start_seconds),
        wait=wait_fixed(0.5),
        reraise=True,
    )
    try:
        agent: str = await patiently(database.server_agent)
        if is_too_old(agent):
            raise InvalidInput("neo4j", f"the graph database is {agent}; use {requirement()}")
        await patiently(prepare_store, database)
    except Unavailable as error:
        if error.is_refused:
            settings = "RECOLLECT_NEO4J_USER, RECOLLECT_NEO4J_PASSWORD and RECOLLECT_NEO4J_DATABASE"
            raise Unavailable("neo4j", f"{error.message}; correct {settings}", is_refused=True) from error
        raise
