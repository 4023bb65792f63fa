"""How what is noted at the surfaces is told from what agents tell of themselves.

Kept apart, no failure of a memory tool becomes a pattern of an agent's own types, and how an agent's run ended is not
decided by what it remembered afterwards.
"""

from typing import Final

NOTED_SESSION: Final = "recollect:"
"""What the sessions of noted actions begin with; the caller's own id follows."""
NOTED_TYPE: Final = "recollect."
"""What the types of their targets begin with."""
