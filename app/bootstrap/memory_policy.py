"""The rules of memories as the settings give them, and what finds credentials in texts."""

import asyncio

from app.adapters.text.secret_patterns import SecretPatterns
from app.settings import MemorySettings
from graph.core.ports import SecretDetector
from graph.memories.policy import DeleteMode, IdFormat, MemoryPolicy, SecretPolicy
from graph.memories.retention import Retention, RetentionSurface


def memory_policy(settings: MemorySettings) -> MemoryPolicy:
    """Return what the engine is handed."""
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
    """Return what finds credentials, or None where nobody wants to know."""
    guards = memory_policy(settings).secret_policy is not SecretPolicy.OFF
    return await asyncio.to_thread(SecretPatterns) if guards else None
