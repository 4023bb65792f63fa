"""The settings of extraction."""

from typing import Literal

from pydantic import Field

from app.settings.group import SettingGroup


class ExtractionSettings(SettingGroup):
    """How facts are extracted from conversations that are captured; a workspace's settings go before it."""

    mode: Literal["regex", "llm", "both", "off"] = "both"
    """Who extracts: the rules, the language model, both, or nobody unless a person asks for it. Where there is no
    language model the rules do it. The workspace setting ``extractionMode`` goes before it."""
    speakers: Literal["user", "assistant", "both"] = "user"
    """Whose messages facts are extracted from (workspace setting ``extractFrom``); what an assistant says of itself is
    kept as the assistant's, never as the user's."""
    window_seconds: float = Field(30.0, ge=0, le=3600)
    """How long a conversation must be silent before it is read (``extractionWindowSeconds``); each message begins
    that time again."""
    at_once: bool = False
    """Whether the rules read what is captured without waiting for silence. Off, since a page captures answers while
    they grow, and a fact read from half a sentence is wrong."""
    auto_confidence: float = Field(0.6, ge=0, le=1)
    """How sure a fact must be to be kept (``extractionConfidence``): what is stated has 0.9, what follows 0.6."""
    manual_confidence: float = Field(0.3, ge=0, le=1)
    """The same where a person asks for an extraction, who wants more of it."""
    raw_conversation_retention: Literal["until_consolidated", "until_extracted", "keep"] = (
        "until_consolidated"
    )
    """How long messages are kept as they were said (workspace setting ``rawConversationRetention``): until an
    episode takes their place, until all who extract have read them, or permanently, beside the episodes."""
