"""The settings of embedders and language models."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator

from app.settings.group import SettingGroup
from app.settings.values import HttpUrl, SentKey

LocalModelName = Literal[
    "all-MiniLM-L6-v2", "e5-small-v2", "e5-small-v2-q", "bge-small-en-v1.5", "bge-small-zh-v1.5-q"
]


class EmbeddingSettings(SettingGroup):
    """Which model turns text into vectors. A change of the model embeds all memories again, without a pause."""

    source: Literal["auto", "remote", "static", "transformers", "minilm", "none"] = "auto"
    """``auto``: the first remote provider with a key, else ``transformers``; run-time settings may enable ``static``
    or disable ``transformers``. ``minilm`` is the local model all-MiniLM-L6-v2; ``none`` searches by words
    only."""
    model: str | None = None
    """Path or hub name for ``transformers``; unset: ``local_model``. all-MiniLM-L6-v2 under any of its names is a local
    model, which needs no torch."""
    local_model: LocalModelName | None = None
    """Which of the local models that need no extra ``transformers`` means where ``model`` names none. Unset: the one
    whose vectors are stored, in a new store all-MiniLM-L6-v2. To name another embeds everything again."""
    local_folder: Path | None = None
    """Where the jars of local models lie on a machine that may download nothing; unset: they are fetched once."""
    static_model: str = "minishlab/potion-base-8M"
    """Path or hub name of a model in the model2vec format (the extra ``static``)."""
    static_cache_dir: Path | None = None
    """Where static models are kept once downloaded; unset: the hub's own folder."""
    provider_model: str | None = None
    """``provider/model`` for ``remote``, e.g. ``openai/text-embedding-3-small``, or the model alone, of the provider
    that is known for it or else the first with a key; unset: the first provider with a key and its usual model.
    Providers are openai, cohere, voyage and custom."""
    openai_api_key: SentKey | None = None
    """Key for OpenAI. Only keys given to this service are used: an ``OPENAI_API_KEY`` that is there for other
    programs does not send anybody's memories out."""
    cohere_api_key: SentKey | None = None
    """Key for Cohere."""
    voyage_api_key: SentKey | None = None
    """Key for Voyage."""
    custom_api_key: SentKey | None = None
    """Key for the server at ``custom_url``, if it wants one."""
    custom_url: HttpUrl | None = None
    """Base address of any server that speaks OpenAI's protocol, e.g. ``http://127.0.0.1:11434/v1``; it counts as a
    provider with a key. Name its model as ``custom/…`` in ``provider_model``."""
    timeout_seconds: float = Field(10.0, gt=0, le=120)
    """How long one request to a provider may take."""
    quantization: Literal["NONE", "SCALAR", "BINARY"] = "SCALAR"
    """How the vector index compresses vectors; SCALAR (int8) kept every true top 10 at a quarter of the memory."""
    cache_max: int = Field(1000, ge=0, le=1_000_000)
    """How many texts' vectors are kept in memory."""
    cache_ttl_seconds: float = Field(300.0, gt=0)
    """How long a cached vector is used."""


class LanguageModelSettings(SettingGroup):
    """The optional language model (the extra ``llm``); everything works without one."""

    url: HttpUrl | None = None
    """Base address of any server that speaks OpenAI's chat completions, e.g. ``https://api.openai.com/v1`` or
    ``http://127.0.0.1:11434/v1``. Nothing is sent anywhere unless it is set."""
    key: SentKey | None = None
    """Key the server wants."""
    model: str | None = Field(None, min_length=1)
    """Name of the model there."""
    timeout_seconds: float = Field(30.0, gt=0, le=600)
    """How long one answer may take; what waits for it is done without the model then."""
    typed_output: Literal["tool", "json_schema", "prompt"] = "tool"
    """How the model is told the form of an answer: as a tool to call, as a response format, or in the prompt, which
    servers without either understand."""
    typed_temperature: Annotated[float, Field(ge=0, le=2)] | Literal["server"] = 0.0
    """How much chance there is in answers that programs act upon, such as which memory to change; ``server`` names
    none, for models that refuse it."""

    sealing_key: SecretStr | None = Field(None, min_length=32)
    """Encrypts the keys of language models that workspaces bring themselves: 32 random characters or more. Unset: they
    bring none with a key. When it changes, workspaces choose their models again."""

    @model_validator(mode="after")
    def _url_and_model_go_together(self) -> Self:
        if (self.url is None) is not (self.model is None):
            raise ValueError("url and model of the language model are set together")
        return self
