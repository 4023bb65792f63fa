"""The settings of the chat proxy."""

from typing import Literal

from pydantic import Field

from app.settings.values import HttpUrl, SentKey, SettingGroup


class ProxySettings(SettingGroup):
    """The chat proxy: the models behind ``/v1/chat/completions`` and ``/v1/responses``."""

    url: HttpUrl | None = None
    """Base address of a server that speaks OpenAI's protocol, e.g. ``https://api.openai.com/v1`` or
    ``http://127.0.0.1:11434/v1``. Unset: the proxy sends nothing and answers 503."""
    key: SentKey | None = None
    """API key for that server; the header ``x-recollect-upstream-key`` of a request overrides it."""
    provider: str | None = Field(None, min_length=1)
    """Provider of the models, e.g. ``zai``, if their names do not show it: some providers have no system role."""
    injection_format: Literal["system_prompt", "system_message", "user_suffix"] = "system_prompt"
    """Place of the context: one system message before the caller's, one system message for each part, or the end of the
    user's message. The header ``x-recollect-format`` overrides it."""
    deadline_ms: int = Field(1500, ge=1, le=60_000)
    """Deadline in milliseconds for the layers of a turn's context. The proxy omits a late layer and names it in the
    response header ``x-recollect-memory``."""
    tools: bool = True
    """Offer models the tools ``x_save_memory``, ``x_recall_memory`` and ``x_workspace_search``; the header
    ``x-recollect-tools: on | off`` overrides it."""
