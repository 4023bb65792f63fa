"""Who acts: the key that was last authorised in the present task, for what is written down of its acts."""

from contextvars import ContextVar
from typing import Final

ACTING_KEY: Final[ContextVar[str | None]] = ContextVar("acting_key", default=None)
"""Id of the key; None where the service acts by itself, as workers do."""
