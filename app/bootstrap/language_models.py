"""The language-model part of the composition root: turns settings into the model that may shorten and summarise."""

import asyncio
from contextlib import AsyncExitStack
from importlib.util import find_spec

import httpx

from app.settings import LanguageModelSettings
from graph.core.errors import InvalidInput, Unavailable
from graph.core.ports import LanguageModel
from graph.tenancy.language_models.models import ModelEndpoint
from graph.tenancy.language_models.ports import OpenModel, Sealing


async def open_language_model(settings: LanguageModelSettings, stack: AsyncExitStack) -> LanguageModel | None:
    """Return the configured model, to be closed by ``stack``, or None where there is none.

    Raises:
        Unavailable: One is configured, and the extra ``llm`` is not installed.
    """
    if settings.url is None or settings.model is None:
        return None
    _require("pydantic_ai", "RECOLLECT_LLM_URL")
    key = settings.key.get_secret_value() if settings.key else None
    endpoint = ModelEndpoint(url=settings.url, model=settings.model, key=key)
    return await asyncio.to_thread(_language_model, settings, endpoint, stack)


def opener(settings: LanguageModelSettings, stack: AsyncExitStack) -> OpenModel:
    """Return what opens the models that workspaces bring, under the other settings of the deployment's."""

    async def opened(endpoint: ModelEndpoint) -> LanguageModel:
        _require("pydantic_ai", "a language model of a workspace")
        try:
            httpx.URL(endpoint.url)
        except httpx.InvalidURL as error:
            raise InvalidInput("url", f"url is not an address: {error}") from error
        return await asyncio.to_thread(_language_model, settings, endpoint, stack)

    return opened


async def no_model(_: ModelEndpoint) -> LanguageModel:
    """Open nothing.

    Raises:
        Unavailable: Always.
    """
    raise Unavailable("llm", "no language model can be opened here")


def sealing(settings: LanguageModelSettings) -> Sealing | None:
    """Return what encrypts the keys of workspaces' models, or None where no key for that is set.

    Raises:
        Unavailable: One is set, and the extra ``llm`` is not installed.
    """
    if settings.sealing_key is None:
        return None
    _require("cryptography", "RECOLLECT_LLM_SEALING_KEY")
    from app.adapters.sealing import AesSealing  # noqa: PLC0415 - part of an extra

    return AesSealing(settings.sealing_key.get_secret_value())


def _require(package: str, what: str) -> None:
    if find_spec(package) is None:
        raise Unavailable("llm", f"{what} needs the extra llm: `make extra NAME=llm` installs it")


def _language_model(
    settings: LanguageModelSettings, endpoint: ModelEndpoint, stack: AsyncExitStack
) -> LanguageModel:
    # Part of an extra, and importing it takes a second: nobody else pays for it.
    from app.adapters.llm.language_model import ChatEndpoint, ChatLanguageModel  # noqa: PLC0415

    opened = ChatLanguageModel(
        ChatEndpoint(
            url=endpoint.url,
            model=endpoint.model,
            api_key=endpoint.key,
            timeout_seconds=settings.timeout_seconds,
            typed_output=settings.typed_output,
            typed_temperature=None if settings.typed_temperature == "server" else settings.typed_temperature,
        )
    )
    stack.push_async_callback(opened.close)
    return opened
