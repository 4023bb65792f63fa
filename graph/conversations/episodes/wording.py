"""Texts of episodes for agents."""

from collections.abc import Sequence

from graph.conversations.episodes.models import Episode
from graph.core.text.prompts import as_data

MOST_TOLD = 5


def episode_block(latest: Sequence[Episode]) -> str:
    """Return the block of a prompt, the oldest first; empty for no episodes.

    Args:
        latest: Newest first, as listed; only five are used.
    """
    lines = [f"- ({each.turn_count} turns) {as_data(each.summary)}" for each in reversed(latest[:MOST_TOLD])]
    return "\n".join(["Earlier conversation summaries (most recent last):", *lines]) if lines else ""
