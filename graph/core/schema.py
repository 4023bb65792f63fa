"""The migrations: which constraints and indexes a store is to have."""

from cypher import Statement, catalogue


def migrations() -> list[Statement]:
    """Return the migrations of ``cypher/schema`` in the order they are applied."""
    return sorted((s for s in catalogue().values() if s.folder == "schema"), key=lambda s: s.name)
