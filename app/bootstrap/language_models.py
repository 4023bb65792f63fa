"""The language-model part of the composition root: turns settings into the model that may shorten and summarise."""

import asyncio
from contextlib import AsyncExitStack
from importlib.util import find_spec

from app.settings import LanguageModelSettings
from graph.core.errors import Unavailable
from graph.core.ports import LanguageModel


async def open_language_model(settings: LanguageModelSettings, stack: AsyncExitStack) -> LanguageModel | None:
    """Return the configured model, to be closed by ``stack``, or None where there is none.

    Raises:
        Unavailable: One is configured, and the extra ``llm`` is not installed.
    """
    if settings.url is None or settings.model is None:
        return None
    if find_spec("pydantic_ai") is None:
        raise Unavailable("llm", "RECOLLECT_LLM_URL needs the extra llm: pip install 'recollect[llm]'")
    return await asyncio.to_thread(_language_model, settings, settings.url, settings.model, stack)


def _language_model(
    settings: LanguageModelSettings, url: str, model: str, stack: AsyncExitStack
) -> LanguageModel:
    # Part of an extra, and importing it takes a second: nobody else pays for it.
    from app.adapters.llm.language_model import ChatEndpoint, ChatLanguageModel  # noqa: PLC0415

    endpoint = ChatEndpoint(
        url=url,
        model=model,
        api_key=settings.key.get_secret_value() if settings.key else None,
        timeout_seconds=settings.timeout_seconds,
        typed_output=settings.typed_output,
        typed_temperature=None if settings.typed_temperature == "server" else settings.typed_temperature,
    )
    opened = ChatLanguageModel(endpoint)
    stack.push_async_callback(opened.close)
    return opened
