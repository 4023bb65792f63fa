"""Dependencies of every room: the settings, the graph, signals between processes, and text analysis."""

from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Final

from tenacity import AsyncRetrying, retry_if_exception, stop_after_delay, wait_fixed

from app.adapters.embedding.local_models import ModelFiles
from app.adapters.text.word_specificity import WordSpecificity
from app.adapters.text.workers import TextWorkers
from app.bootstrap.connections import open_database
from app.bootstrap.language_models import no_model, open_language_model, opener
from app.bootstrap.local_models import fetch_models
from app.bootstrap.memory_policy import memory_policy, secret_detector
from app.bootstrap.signals import Signals, open_signals
from app.settings import Settings
from graph.core.credentials import CredentialGuard
from graph.core.database import Database
from graph.core.deadlines import long_work
from graph.core.errors import InvalidInput, Unavailable
from graph.core.jobs.models import JobRules
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.ports import Clock, LanguageModel, SecretDetector
from graph.core.server_version import is_too_old, requirement
from graph.core.text.work import TextWork
from graph.memories.policy import SecretPolicy
from graph.operations.admin.migrations import prepare_store
from graph.tenancy.language_models.ports import OpenModel


def may_come(error: BaseException) -> bool:
    """Tell whether to wait for it; a refused login is not repeated, for servers lock users out after a few."""
    return isinstance(error, Unavailable) and not error.is_refused


START_SECONDS: Final = 20.0
"""Time for a server that starts beside this process, or that has just started on a busy machine."""


REFRESH_SECONDS: Final = 2.0
"""Interval between two reads of settings and of the active vector index, which another process may change."""


@dataclass(frozen=True)
class Dependencies:
    """Dependencies that rooms share.

    Attributes:
        text_work: Reads long texts that are stored.
        body_work: Reads large bodies of requests, so that neither keeps the other waiting.
        secrets: Finds credentials; None where nobody wants to know.
        tokenizer: Files of the default local model, which measure the length of texts and the rarity of words for every
            embedder.
        language_model: The deployment's; None where none is configured.
        open_model: Opens one that a workspace brings.
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
    """Connect and bring the store up to date; the stack closes everything.

    Raises:
        InvalidInput: The graph's server is too old, or a later release wrote the store.
        Unavailable: The files of the local model cannot be had, or the graph refuses the login, has no such database or
            does not answer within ``start_seconds``.
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
