"""The settings of the chat proxy."""

from typing import Literal

from pydantic import Field

from app.settings.group import SettingGroup
from app.settings.values import HttpUrl, SentKey


class ProxySettings(SettingGroup):
    """The chat proxy: whose models answer what is sent to ``/v1/chat/completions`` and ``/v1/responses``."""

    url: HttpUrl | None = None
    """Base address of any server that speaks OpenAI's protocol, e.g. ``https://api.openai.com/v1`` or
    ``http://127.0.0.1:11434/v1``. Nothing is sent anywhere unless it is set, and the proxy answers 503."""
    key: SentKey | None = None
    """Key the server wants; a caller's own, in the header ``x-recollect-upstream-key``, goes before it."""
    provider: str | None = Field(None, min_length=1)
    """Who serves the models, e.g. ``zai``, where their names do not tell: some have no role for system messages."""
    injection_format: Literal["system_prompt", "system_message", "user_suffix"] = "system_prompt"
    """Where the model is given the context: one system message before the caller's, one for each part of it, or the
    end of the user's message. The header ``x-recollect-format`` goes before it."""
    deadline_ms: int = Field(1500, ge=1, le=60_000)
    """How long the layers of a turn's context may take; one that is late is left out, and the answer's header
    ``x-recollect-memory`` names it."""
    tools: bool = True
    """Whether models are offered the tools ``x_save_memory``, ``x_recall_memory`` and ``x_workspace_search``; the
    header ``x-recollect-tools: on | off`` goes before it."""
