"""Memories and their rules as the settings give them, and what finds credentials in texts."""

import asyncio

from app.adapters.text.secret_patterns import SecretPatterns
from app.bootstrap.signals import Signals
from app.settings import MemorySettings, Settings
from graph.core.database import Database
from graph.core.measuring import Measurements
from graph.core.ports import Clock, LanguageModel, SecretDetector
from graph.core.text.work import TextWork
from graph.memories.policy import ContentLimits, DeleteMode, IdFormat, MemoryPolicy, SecretPolicy
from graph.memories.retention import Retention, RetentionSurface
from graph.memories.service import Memories
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.index.service import Embeddings


def memory_policy(settings: MemorySettings) -> MemoryPolicy:
    """Return what the engine is handed."""
    surfaces = [name for name in settings.retention_applies_to.split(",") if name]
    return MemoryPolicy(
        limits=ContentLimits(
            statement=settings.max_chars,
            turn=settings.max_turn_chars,
            soft=settings.soft_limit_chars,
        ),
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
    """Return what finds credentials, or None where nobody wants to know."""
    guards = memory_policy(settings).secret_policy is not SecretPolicy.OFF
    return await asyncio.to_thread(SecretPatterns) if guards else None


def refusing_detector(settings: MemorySettings, secrets: SecretDetector | None) -> SecretDetector | None:
    """Return the detector where credentials are refused; an entity has no receipt to carry a warning."""
    return secrets if memory_policy(settings).secret_policy is SecretPolicy.REJECT else None


def build_memories(
    settings: Settings,
    database: Database,
    embeddings: Embeddings,
    signals: Signals,
    clock: Clock,
    language_model: LanguageModel | None,
    secrets: SecretDetector | None,
    mirroring: Mirroring,
    measurements: Measurements,
    text_work: TextWork,
) -> Memories:
    """Return the use cases of memories."""
    return Memories(
        database,
        embeddings,
        signals.wake_up,
        signals.announcer,
        clock,
        memory_policy(settings.memory),
        secrets=secrets,
        language_model=language_model,
        mirroring=mirroring,
        measurements=measurements,
        text_work=text_work,
    )
