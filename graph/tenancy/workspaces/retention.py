"""Retention of a conversation's text."""

from enum import StrEnum


class RawRetention(StrEnum):
    """Retention of the text of messages.

    A deleted message keeps its id, its position and a hash, so that a capture does not store it again.
    """

    UNTIL_CONSOLIDATED = "until_consolidated"
    """An episode takes the place of old messages."""
    UNTIL_EXTRACTED = "until_extracted"
    """Messages lose their text once all who extract have read them; there is nothing left for an episode."""
    KEEP = "keep"
    """Permanently, beside the episodes that tell of them."""
