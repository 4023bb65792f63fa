"""Brings a store's constraints and indexes up to what the catalogue declares."""

from cypher import Statement, catalogue
from graph.core.rows import Runner


def migrations() -> list[Statement]:
    """Return the migrations of ``cypher/schema`` in the order they are applied."""
    return sorted((s for s in catalogue().values() if s.folder == "schema"), key=lambda s: s.name)


async def apply_migrations(runner: Runner) -> None:
    """Apply every migration; each is idempotent, so processes that start together may all do it."""
    for migration in migrations():
        await runner.run(migration, {})
