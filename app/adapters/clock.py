"""The system's clock."""

from datetime import UTC, datetime


class SystemClock:
    """Fulfils ``graph.core.ports.Clock``."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)
