"""Shapes of erasing."""

from graph.core.models import Frozen


class ErasureCounts(Frozen):
    """Number of nodes of one user, by kind.

    Attributes:
        memories: Including restorable ones.
        versions: Earlier texts of them.
        passages: Vectors of parts of them.
        distillations: Texts that wait to be distilled, or were.
        sequences: Runs of agents.
        actions: Of these runs.
        prompt_runs: Records of the user's answers.
        api_keys: Keys bound to the user, including revoked ones.
    """

    memories: int
    versions: int
    passages: int
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int
    sequences: int
    actions: int
    prompt_runs: int
    api_keys: int

    @property
    def total(self) -> int:
        """Total number of nodes."""
        return sum(self.model_dump().values())
