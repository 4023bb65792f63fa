"""A language model at any endpoint that speaks OpenAI's chat completions, through pydantic-ai (the extra ``llm``)."""

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Literal

from openai import AsyncOpenAI
from pydantic_ai import Agent, NativeOutput, PromptedOutput, ToolOutput
from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelConnectionError,
    ModelHTTPError,
    ModelTimeoutError,
)
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings

from graph.core.ports import LanguageModelFailed, OutputT

TypedOutput = Literal["tool", "json_schema", "prompt"]

_NO_KEY: Final = "none"  # the client library refuses to start without one, and would take OPENAI_API_KEY
_SECOND_CHANCES: Final = 1  # after typed output that does not fit, which the model is told about
_FORMS: Final = {"tool": ToolOutput, "json_schema": NativeOutput, "prompt": PromptedOutput}


@dataclass(frozen=True)
class ChatEndpoint:
    """Where a model is served.

    Attributes:
        url: Base address without the path of the operation, such as ``http://127.0.0.1:11434/v1``.
        timeout_seconds: For one answer, repeated attempts included.
        attempts: How often a request is sent that is refused for load or meets a failing server.
        typed_output: How the model is told the form of an answer: as a tool it must call, as the response format
            ``json_schema``, or in the prompt, which every server understands.
        typed_temperature: How much chance there is in typed answers, which programs act upon; None: the server's own.
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
            timeout=endpoint.timeout_seconds,
            max_retries=endpoint.attempts - 1,
        )
        provider = OpenAICompatibleProvider("llm", openai_client=self._client)
        self._agent = Agent(OpenAIChatModel(endpoint.model, provider=provider))

    @property
    def name(self) -> str:
        """The model's name at the endpoint."""
        return self._endpoint.model

    async def complete(self, system: str, prompt: str) -> str:
        """Return the model's answer, which is not blank.

        Raises:
            LanguageModelFailed: The endpoint cannot be reached, refuses, is too slow, or answers with something else.
        """
        answer: str = await self._run(system, prompt, str, second_chances=0, temperature=None)
        if not answer.strip():
            raise LanguageModelFailed(f"{self._endpoint.url} answered with nothing")
        return answer

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
        except (AgentRunError, TimeoutError) as error:
            raise LanguageModelFailed(self._sentence(error)) from error
        return result.output

    def _sentence(self, error: AgentRunError | TimeoutError) -> str:
        """Say what went wrong without the body, since some servers quote the prompt, or the key, in their errors."""
        url = self._endpoint.url
        if isinstance(error, ModelTimeoutError | TimeoutError):
            return f"{url} did not answer within {self._endpoint.timeout_seconds:g} seconds"
        if isinstance(error, ModelHTTPError):
            return f"{url} answered with status {error.status_code}"
        if isinstance(error, ModelConnectionError):
            return f"{url} cannot be reached"
        if isinstance(error, ModelAPIError):
            return f"{url} did not answer with JSON"
        return f"{url} answered with something that cannot be used"
