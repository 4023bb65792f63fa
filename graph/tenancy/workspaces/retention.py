"""How long the words of a conversation are kept."""

from enum import StrEnum


class RawRetention(StrEnum):
    """How long what was said is kept as it was said.

    Whatever goes stays known by its id, its place and a hash, so that capturing it again does not bring it back.
    """

    UNTIL_CONSOLIDATED = "until_consolidated"
    """An episode takes the place of old messages."""
    UNTIL_EXTRACTED = "until_extracted"
    """Messages lose their text once all who extract have read them; there is nothing left for an episode."""
    KEEP = "keep"
    """Permanently, beside the episodes that tell of them."""
