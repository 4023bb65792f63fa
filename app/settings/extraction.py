"""The settings of extraction."""

from typing import Literal

from app.settings.group import SettingGroup


class ExtractionSettings(SettingGroup):
    """Extraction of facts from captured conversations; settings of a workspace override these."""

    mode: Literal["regex", "llm", "both", "off"] = "both"
    """Extractors in use: the rules, the language model, both, or none except on request. Without a language model the
    rules extract. The workspace setting ``extractionMode`` overrides it."""
    at_once: bool = False
    """Let the rules read captured messages immediately. Off, since a page captures answers while they grow, and half a
    sentence gives wrong facts."""
    raw_conversation_retention: Literal["until_consolidated", "until_extracted", "keep"] = (
        "until_consolidated"
    )
    """Retention of original messages (workspace setting ``rawConversationRetention``): until an episode replaces them,
    until every extractor has read them, or permanently."""
