"""The settings of extraction."""

from typing import Literal

from app.settings.group import SettingGroup


class ExtractionSettings(SettingGroup):
    """How facts are extracted from conversations that are captured; a workspace's settings go before it."""

    mode: Literal["regex", "llm", "both", "off"] = "both"
    """Who extracts: the rules, the language model, both, or nobody unless a person asks for it. Where there is no
    language model the rules do it. The workspace setting ``extractionMode`` goes before it."""
    at_once: bool = False
    """Whether the rules read what is captured without waiting for silence. Off, since a page captures answers while
    they grow, and a fact read from half a sentence is wrong."""
    raw_conversation_retention: Literal["until_consolidated", "until_extracted", "keep"] = (
        "until_consolidated"
    )
    """How long messages are kept as they were said (workspace setting ``rawConversationRetention``): until an
    episode takes their place, until all who extract have read them, or permanently, beside the episodes."""
