"""A language model at any endpoint with OpenAI's chat completions, through pydantic-ai (the extra ``llm``)."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Literal

from httpx2 import ConnectTimeout
from openai import AsyncOpenAI, DefaultAsyncHttpxClient, Timeout
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelTimeoutError,
)
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from app.client.loopback import is_here
from graph.core.errors import InvalidInput
from graph.core.ports import LanguageModelFailed, LanguageModelUnavailable, OutputT
from graph.core.text.checks import storable

TypedOutput = Literal["tool", "json_schema", "prompt"]

_NO_KEY: Final = "none"  # without a key the client library would use OPENAI_API_KEY, or refuse to start
_CONNECT_SECONDS: Final = 5.0  # the client library's own default
_OF_THE_TEXT: Final = frozenset({400, 408, 413, 422, 500})
"""Statuses that the prompt may cause, mostly by its length; some model servers answer it with 500."""
_SECOND_CHANCES: Final = 1  # further attempts after typed output that does not fit; the model gets the errors
_FORMS: Final = {"tool": ToolOutput, "json_schema": NativeOutput, "prompt": PromptedOutput}


@dataclass(frozen=True)
class ChatEndpoint:
    """Address and model of a chat endpoint.

    Attributes:
        url: Base address without the path of the operation, such as ``http://127.0.0.1:11434/v1``.
        timeout_seconds: Timeout of one answer, including repeated attempts.
        attempts: Number of attempts for a request that an overloaded or failing server refuses.
        typed_output: Method for typed answers: a tool that the model must call, the response format ``json_schema``, or
            the prompt, which every server understands.
        typed_temperature: Sampling temperature of typed answers; None: the server's own.
    """

    url: str
    model: str
    api_key: str | None = None
    timeout_seconds: float = 30.0
    attempts: int = 2
    typed_output: TypedOutput = "tool"
    typed_temperature: float | None = 0.0


class ChatLanguageModel:
    """Implements ``graph.core.ports.LanguageModel``; used from any number of tasks of one event loop."""

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self._endpoint = endpoint
        self._client = AsyncOpenAI(
            base_url=endpoint.url,
            api_key=endpoint.api_key or _NO_KEY,
            timeout=Timeout(
                endpoint.timeout_seconds, connect=min(_CONNECT_SECONDS, endpoint.timeout_seconds)
            ),
            max_retries=endpoint.attempts - 1,
            http_client=DefaultAsyncHttpxClient(trust_env=not is_here(endpoint.url)),
        )
        # The library reads OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS, which are for other services.
        self._client.organization = self._client.project = None
        self._client._custom_headers = {}  # noqa: SLF001 - no argument replaces them
        provider = OpenAICompatibleProvider("llm", openai_client=self._client)
        self._agent = Agent(OpenAIChatModel(endpoint.model, provider=provider))

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._endpoint.model

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer, which is never blank.

        Raises:
            LanguageModelUnavailable: The endpoint cannot be reached, is overloaded, or does not know the key or model.
            LanguageModelFailed: The endpoint refuses, is too slow, or returns something unusable, such as a text that
                cannot be stored.
        """
        answer: str = await self._run(system, prompt, str, second_chances=0, temperature=None)
        if not answer.strip():
            raise LanguageModelFailed(f"{self._endpoint.url} returned an empty answer")
        try:
            return storable("answer", answer)
        except InvalidInput as error:
            raise LanguageModelFailed(f"{self._endpoint.url}: {error}") from error

    async def complete_as(self, system: str, prompt: str, output_type: type[OutputT]) -> OutputT:
        """Return the model's answer as a pydantic model.

        Raises:
            LanguageModelFailed: As for ``complete``, or the answer does not fit the type.
        """
        form = _FORMS[self._endpoint.typed_output](output_type)
        temperature = self._endpoint.typed_temperature
        answer: OutputT = await self._run(
            system, prompt, form, second_chances=_SECOND_CHANCES, temperature=temperature
        )
        return answer

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _run(
        self, system: str, prompt: str, output: Any, *, second_chances: int, temperature: float | None
    ) -> Any:
        settings = ModelSettings() if temperature is None else ModelSettings(temperature=temperature)
        try:
            async with asyncio.timeout(self._endpoint.timeout_seconds):
                result = await self._agent.run(
                    prompt,
                    instructions=system,
                    output_type=output,
                    retries=second_chances,
                    model_settings=settings,
                )
        except Exception as error:  # the libraries raise various errors for responses of an unexpected form
            raise _kind_of(error)(self._sentence(error)) from error
        return result.output

    def _sentence(self, error: Exception) -> str:
        """Return the reason of a failure without the body: some servers quote the prompt or the key in their errors."""
        url = self._endpoint.url
        if _was_not_reached(error):
            return f"{url} cannot be reached"
        if isinstance(error, ModelTimeoutError | TimeoutError):
            return f"{url} did not answer within {self._endpoint.timeout_seconds:g} seconds"
        if isinstance(error, ModelHTTPError):
            return f"{url} answered with status {error.status_code}"
        if isinstance(error, ModelAPIError):
            return f"{url} did not answer with JSON"
        if isinstance(error, UnicodeEncodeError):
            return f"{url} cannot be sent texts or a key with characters that have no encoding"
        return f"{url} answered with something that cannot be used"


def _kind_of(error: Exception) -> type[LanguageModelFailed]:
    """Return the error type: for an unavailable endpoint, or for one that could not process the prompt."""
    if isinstance(error, ModelHTTPError) and error.status_code in _OF_THE_TEXT:
        return LanguageModelFailed
    is_away = isinstance(error, ModelHTTPError) or _was_not_reached(error)
    return LanguageModelUnavailable if is_away else LanguageModelFailed


def _was_not_reached(error: Exception) -> bool:
    """Tell whether the connection failed, as opposed to a timeout of the response."""
    if not isinstance(error, ModelTimeoutError):
        return isinstance(error, ModelConnectionError)
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ConnectTimeout):
        cause = cause.__cause__
    return cause is not None
