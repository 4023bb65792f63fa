"""A language model at any endpoint that speaks OpenAI's chat completions, through pydantic-ai (the extra ``llm``)."""

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

_NO_KEY: Final = "none"  # the client library refuses to start without one, and would take OPENAI_API_KEY
_CONNECT_SECONDS: Final = 5.0  # the client library's own default
_OF_THE_TEXT: Final = frozenset({400, 408, 413, 422, 500})
"""Statuses that may come of what was sent, its length above all; servers of models fail with 500 on it, too."""
_SECOND_CHANCES: Final = 1  # after typed output that does not fit, which the model is told about
_FORMS: Final = {"tool": ToolOutput, "json_schema": NativeOutput, "prompt": PromptedOutput}


@dataclass(frozen=True)
class ChatEndpoint:
    """Address and model of a chat endpoint.

    Attributes:
        url: Base address without the path of the operation, such as ``http://127.0.0.1:11434/v1``.
        timeout_seconds: For one answer, repeated attempts included.
        attempts: Number of attempts for a request that is refused for load or meets a failing server.
        typed_output: How the model is told the form of an answer: as a tool it must call, as the response format
            ``json_schema``, or in the prompt, which every server understands.
        typed_temperature: Sampling temperature of typed answers, which programs act upon; None: the server's own.
    """

    url: str
    model: str
    api_key: str | None = None
    timeout_seconds: float = 30.0
    attempts: int = 2
    typed_output: TypedOutput = "tool"
    typed_temperature: float | None = 0.0


class ChatLanguageModel:
    """Fulfils ``graph.core.ports.LanguageModel``; used from any number of tasks of one event loop."""

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
        # What the library takes from OPENAI_ORG_ID, OPENAI_PROJECT_ID and OPENAI_CUSTOM_HEADERS is for another service.
        self._client.organization = self._client.project = None
        self._client._custom_headers = {}  # noqa: SLF001 - no argument replaces them
        provider = OpenAICompatibleProvider("llm", openai_client=self._client)
        self._agent = Agent(OpenAIChatModel(endpoint.model, provider=provider))

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._endpoint.model

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer, which is not blank.

        Raises:
            LanguageModelUnavailable: The endpoint cannot be reached, is overloaded, or does not know the key or model.
            LanguageModelFailed: It refuses, is too slow, or answers with something else, such as a text that cannot be
                stored.
        """
        answer: str = await self._run(system, prompt, str, second_chances=0, temperature=None)
        if not answer.strip():
            raise LanguageModelFailed(f"{self._endpoint.url} answered with nothing")
        try:
            return storable("answer", answer)
        except InvalidInput as error:
            raise LanguageModelFailed(f"{self._endpoint.url}: {error}") from error

    async def complete_as(self, system: str, prompt: str, output_type: type[OutputT]) -> OutputT:
        """Return the model's answer in the form of a pydantic model.

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
        except (
            Exception
        ) as error:  # the libraries raise whatever comes of an answer of another form than expected
            raise _kind_of(error)(self._sentence(error)) from error
        return result.output

    def _sentence(self, error: Exception) -> str:
        """Say what went wrong without the body, since some servers quote the prompt, or the key, in their errors."""
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
    """Return the error for an unreachable endpoint, or for one that could not process the text."""
    if isinstance(error, ModelHTTPError) and error.status_code in _OF_THE_TEXT:
        return LanguageModelFailed
    is_away = isinstance(error, ModelHTTPError) or _was_not_reached(error)
    return LanguageModelUnavailable if is_away else LanguageModelFailed


def _was_not_reached(error: Exception) -> bool:
    """Tell whether there was no connection, rather than no answer in time."""
    if not isinstance(error, ModelTimeoutError):
        return isinstance(error, ModelConnectionError)
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ConnectTimeout):
        cause = cause.__cause__
    return cause is not None
