"""Every setting, read once from the environment (prefix ``RECOLLECT_``) or a ``.env`` file.

Groups are nested one level: ``neo4j.uri`` is ``RECOLLECT_NEO4J_URI``. Only ``app/bootstrap.py`` and the command
line read settings; everything else is handed values.
"""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from app.access_settings import LimitSettings, SessionSettings
from app.document_settings import DocumentSettings
from app.extraction_settings import ExtractionSettings
from app.operation_settings import GraphQLSettings, MetricsSettings
from app.proxy_settings import ProxySettings
from app.setting_group import SettingGroup
from app.setting_names import PREFIX, KnownNames, OtherNames


class Neo4jSettings(SettingGroup):
    """Where the graph is, or how the embedded one is run."""

    uri: str | None = None
    """Bolt URI of an existing server or Aura (``neo4j+s://…``). Unset: an embedded server is started."""
    user: str = "neo4j"
    """User of the existing server."""
    password: SecretStr | None = None
    """Password of the existing server."""
    database: str = "neo4j"
    """Database name."""
    bolt_port: int = Field(0, ge=0, le=65535)
    """Bolt port of the embedded server; 0 takes 7687 or, if that is taken, any free one."""
    http_port: int = Field(0, ge=0, le=65535)
    """HTTP port (Neo4j Browser) of the embedded server; 0 takes 7474 or any free one."""
    heap_mb: int | None = Field(None, ge=256)
    """Java heap of the embedded server in MB; unset: an eighth of the machine's memory, 512 to 4096."""
    pagecache_mb: int | None = Field(None, ge=64)
    """Page cache of the embedded server in MB; unset: a tenth of the machine's memory, 128 to 4096."""
    java_home: Path | None = None
    """A JDK of version 21 or later to prefer over the ones found."""
    timeout_seconds: float = Field(10.0, gt=0)
    """How long a server that says nothing to anybody is waited for: it is frozen or cut off."""
    request_timeout_seconds: float = Field(30.0, gt=0)
    """How long one transaction of a request may take, while the server answers others."""
    long_timeout_seconds: float = Field(600.0, gt=0)
    """How long one transaction of background work, an import or a removal may take, while the server answers others."""


class RedisSettings(SettingGroup):
    """Where the working set, events and wake-ups live."""

    url: str | None = None
    """Redis URL. Unset: an embedded server is started."""
    subscriber_messages: int = Field(1000, ge=1, le=100_000)
    """How many event messages wait for one subscriber; one that reads too slowly for that is cut off."""


class EmbeddingSettings(SettingGroup):
    """Which model turns text into vectors. A change of the model embeds all memories anew, without a pause."""

    source: Literal["auto", "remote", "static", "transformers", "minilm", "none"] = "auto"
    """``auto``: the first remote provider with a key, else ``static`` if enabled, else ``transformers`` if enabled,
    else none. ``minilm`` is the packaged model; ``none`` searches by keywords only."""
    model: str | None = None
    """Path or hub name for ``transformers``; unset, or all-MiniLM-L6-v2 under any of its names: the packaged model,
    which needs neither torch nor a network."""
    transformers_enabled: bool = True
    """Whether ``auto`` may use a local sentence-embedding model; on, so that vectors work out of the box."""
    static_enabled: bool = False
    """Whether ``auto`` may use the static model."""
    static_model: str = "minishlab/potion-base-8M"
    """Path or hub name of a model in the model2vec format (the extra ``static``)."""
    static_cache_dir: Path | None = None
    """Where static models are kept once downloaded; unset: the hub's own folder."""
    provider_model: str | None = None
    """``provider/model`` for ``remote``, e.g. ``openai/text-embedding-3-small``; unset: the first provider with a key
    and its usual model. Providers are openai, cohere, voyage and custom."""
    openai_api_key: SecretStr | None = None
    """Key for OpenAI. Only keys given to this service are used: an ``OPENAI_API_KEY`` that is there for other
    programs does not send anybody's memories out."""
    cohere_api_key: SecretStr | None = None
    """Key for Cohere."""
    voyage_api_key: SecretStr | None = None
    """Key for Voyage."""
    custom_api_key: SecretStr | None = None
    """Key for the server at ``custom_url``, if it wants one."""
    custom_url: str | None = Field(None, pattern=r"^https?://")
    """Base address of any server that speaks OpenAI's protocol, e.g. ``http://127.0.0.1:11434/v1``; it counts as a
    provider with a key. Name its model as ``custom/…`` in ``provider_model``."""
    openai_url: str | None = Field(None, pattern=r"^https?://")
    """Base address in place of OpenAI's own, such as a proxy's."""
    cohere_url: str | None = Field(None, pattern=r"^https?://")
    """Base address in place of Cohere's own."""
    voyage_url: str | None = Field(None, pattern=r"^https?://")
    """Base address in place of Voyage's own."""
    timeout_seconds: float = Field(10.0, gt=0, le=120)
    """How long one request to a provider may take."""
    query_seconds: float = Field(3.0, gt=0, le=60)
    """How long a recall waits for its query's vector before it goes on with keywords."""
    quantization: Literal["NONE", "SCALAR", "BINARY"] = "SCALAR"
    """How the vector index compresses vectors; SCALAR (int8) kept every true top 10 at a quarter of the memory."""
    passage_tokens: int = Field(220, ge=100, le=254)
    """How many word pieces of a long memory one passage has."""
    passage_max: int = Field(8, ge=0, le=64)
    """Into how many passages a long memory is cut at most, the beginning included; 0: one vector for each memory."""
    cache_max: int = Field(1000, ge=0, le=1_000_000)
    """How many texts' vectors are kept in memory."""
    cache_ttl_seconds: float = Field(300.0, gt=0)
    """How long a cached vector is used."""
    refresh_seconds: float = Field(2.0, ge=0.05, le=60)
    """How often a process reads which vectors are in use; an index that was replaced is kept for five times as long."""


class QdrantSettings(SettingGroup):
    """The optional external vector tier (the extra ``qdrant``)."""

    enabled: bool = False
    """Whether vectors are mirrored to Qdrant and recall may search there; memories that are there already follow."""
    host: str = Field("127.0.0.1", min_length=1)
    """Host name or ``http(s)://`` address of the server; ``:memory:`` or a folder's path run it inside this process,
    which is for trying it out with one process."""
    port: int = Field(6333, ge=1, le=65535)
    """HTTP port of the server."""
    api_key: SecretStr | None = None
    """Key the server wants."""
    collection: str = Field("omniroute_memory", max_length=200, pattern=r"^[\w.\-]+$")
    """Name of the collection; the vectors of each embedder live in one of their own, behind this alias."""
    quantization: Literal["none", "int8", "binary"] = "none"
    """How Qdrant compresses vectors."""
    timeout_seconds: float = Field(3.0, gt=0, le=60)
    """How long one request of the workers may take."""
    query_seconds: float = Field(1.0, gt=0, le=60)
    """How long a recall waits for Qdrant before it goes on with the graph's own index."""


class RecallSettings(SettingGroup):
    """How memories are found."""

    strategy: Literal["exact", "recent", "semantic", "hybrid"] = "hybrid"
    """How recall looks where neither the query nor the workspace's setting ``strategy`` says; ``recent`` is another
    word for ``exact``, the newest first."""
    pool: int = Field(40, ge=5, le=500)
    """How many of each list become candidates of the fitted ranking, four times as many being read of the vector
    index."""
    vec_top_k: int = Field(20, ge=1, le=500)
    """How many of the nearest memories reciprocal rank fusion fuses with what the words find (also
    ``MEMORY_VEC_TOP_K``); the fitted ranking has ``pool`` instead."""
    text_list: int = Field(200, ge=5, le=2000)
    """How many scores are read of each full-text list."""
    rrf_k: float = Field(60.0, ge=0)
    """The k of reciprocal rank fusion on the surfaces that promise it (also ``MEMORY_RRF_K``)."""
    merge_above: float = Field(0.92, ge=0.0, le=1.0)
    """Cosine above which one of two statements is left out of an answer."""
    relation_limit: int = Field(5, ge=0, le=50)
    """How many connected memories each hit shows, the strongest first (also ``RECALL_RELATION_LIMIT``)."""
    injection_max_memories: int = Field(5, ge=1, le=20)
    """How many memories a turn is given unasked; the workspace's setting ``injectionMaxMemories`` goes before."""
    rerank: Literal["none", "remote", "transformers"] = "none"
    """Whether the best hits are reordered by a model that reads query and text together."""
    rerank_model: str | None = None
    """``provider/model`` of a remote reranker, or the path or hub name of a cross-encoder."""
    rerank_url: str | None = None
    """Address a remote reranker is posted to."""
    rerank_key: SecretStr | None = None
    """Key of a remote reranker."""
    rerank_depth: int = Field(30, ge=1, le=100)
    """How many of the best hits a reranker reads."""
    vector_store: Literal["auto", "neo4j", "sqlite-vec", "qdrant"] = "auto"
    """Whose vectors are searched: ``auto`` is Qdrant where it is enabled and answers, else the graph's own index;
    ``neo4j``, also under the name ``sqlite-vec``, is the graph's own; ``qdrant`` says so in every answer that it did
    not serve."""


class ContextSettings(SettingGroup):
    """What agents fetch before they act."""

    deadline_ms: int = Field(300, ge=1, le=60_000)
    """How long the layers of a context may take, side by side; one that is late is left out, and named."""


class LanguageModelSettings(SettingGroup):
    """The optional language model (the extra ``llm``); everything works without one."""

    url: str | None = Field(None, pattern=r"^https?://")
    """Base address of any server that speaks OpenAI's chat completions, e.g. ``https://api.openai.com/v1`` or
    ``http://127.0.0.1:11434/v1``. Nothing is sent anywhere unless it is set."""
    key: SecretStr | None = None
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

    @model_validator(mode="after")
    def _url_and_model_go_together(self) -> Self:
        if (self.url is None) is not (self.model is None):
            raise ValueError("url and model of the language model are set together")
        return self


class WorkerSettings(SettingGroup):
    """How background work is taken."""

    inline: bool = True
    """Whether the API process works off jobs itself; off where ``recollect worker`` runs beside it."""
    batch_size: int = Field(64, ge=1, le=1000)
    """How many jobs of one kind are claimed together."""
    poll_seconds: float = Field(2.0, gt=0)
    """How long a worker waits when no wake-up comes, and so the longest a lone memory waits to be embedded (B13)."""
    gather_seconds: float = Field(0.7, ge=0, le=2)
    """How long jobs gather after a round of fewer than 20, the first being taken at once (B13)."""
    lease_seconds: float = Field(60.0, gt=0)
    """How long a claimed job is another worker's before it may be taken over."""
    max_attempts: int = Field(5, ge=1)
    """After how many failures a job is parked as FAILED."""
    benchmark_seconds: float = Field(600.0, gt=0)
    """How often workers look for days of telemetry that are over and not measured yet."""


class MemorySettings(SettingGroup):
    """Limits and rules of memories."""

    max_chars: int = Field(2000, ge=1)
    """Longest content a client may save as a memory (A4)."""
    new_workspaces: bool = False
    """Whether the memory of a new workspace is on where its creation does not say: nothing is captured, recorded or
    given to a model unasked where it is off."""
    max_turn_chars: int = Field(32_000, ge=1)
    """Longest content of a memory that is a turn of a conversation (it carries a source conversation)."""
    soft_limit_chars: int = Field(500, ge=1)
    """Longer memories get a warning, or are shortened where a language model is configured (A4); never turns."""
    auto_summarize_long: bool = True
    """Whether a language model, if there is one, shortens memories over the soft limit; the original is kept."""
    classify_with_model: bool = False
    """Whether a language model, if there is one, names the type of a memory that no rule recognises (D35). Off, since
    the save waits for its answer."""
    dedup_threshold: float = Field(0.95, gt=0, le=1)
    """Cosine above which a stored memory is compared word by word with a new one, which is not saved if they agree."""
    dedup_deadline_ms: int = Field(1500, ge=0, le=10_000)
    """How long a save waits for the vector it is compared by; past it the memory is saved and compared later."""
    dedup_on_post: bool = False
    """Whether AutoMem's ``POST /memory`` saves nothing either when a memory says the same; off: it saves what it is
    sent, and only the same ``id`` is the same memory."""
    secret_policy: Literal["reject", "warn", "off"] = "reject"  # noqa: S105 - what is done, no password
    """What happens to a memory that holds a password, key or token."""
    placeholder_vectors: bool = False
    """Whether a memory that has no vector yet keeps one that stands for nothing, beside the real ones: nothing is
    ever compared with it, and the real one takes its place."""
    id_format: Literal["auto", "mem", "uuid"] = "auto"
    """The form of new memories' ids: ``mem`` (``mem_`` and 24 characters), ``uuid``, or ``auto``: the form that the
    surface promises, ``mem`` for GraphQL. Every lookup takes either."""
    delete_mode: Literal["per_surface", "soft", "hard"] = "per_surface"
    """Whether each surface decides if a deleted memory can be restored (soft) or is gone (hard), or all do the same."""
    compaction_delete: Literal["soft", "hard"] = "soft"
    """Whether memories that a summary took the place of can be restored; ``delete_mode`` goes before it."""
    retention_days: int = Field(30, ge=0, le=365)
    """Older memories are left out of the surfaces of ``retention_applies_to``, but kept; 0: nothing is left out."""
    retention_applies_to: str = Field(
        "api_memory,injection_auto", pattern=r"^((api_memory|injection_auto|recall)(,|$))*$"
    )
    """Where the retention cuts: ``api_memory`` (the OmniRoute surface), ``injection_auto`` (memories extracted by
    themselves, when they are injected), ``recall`` (everywhere); separated by commas."""
    sweep_seconds: float = Field(60.0, gt=0)
    """How often workers take expired memories out of the vector index's reach; no query shows them before either."""
    noted_actions: int = Field(10_000, ge=0, le=1_000_000)
    """How many calls of tools and writes may wait to be recorded as telemetry, which they are where memory is on; more
    are dropped and counted in ``/metrics``. 0: only what agents tell themselves is recorded."""
    usage_flush_ms: int = Field(1500, ge=1)
    """How often the counted uses of memories are written to the graph."""


class MachineSettings(BaseSettings):
    """What other programs' variables say about the machine; nothing of it is needed."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, use_attribute_docstrings=True)

    java_home: Path | None = None
    """``JAVA_HOME``: a JDK to look at before the ones on PATH and in the usual folders."""


class Settings(BaseSettings):
    """The whole configuration."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="_",
        env_nested_max_split=1,
        env_file=".env",
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
    )

    host: str = "127.0.0.1"
    """Address the API listens on."""
    port: int = Field(8000, ge=0, le=65535)
    """Port the API listens on."""
    data_dir: Path = Path(".recollect")
    """Folder of the embedded servers' data; one process holds it at a time."""
    admin_key: SecretStr | None = None
    """First administrator's API key; unset: one is made and shown once."""
    automem_api_token: SecretStr | None = None
    """A key that reads and writes the default workspace, for clients of AutoMem (also ``AUTOMEM_API_TOKEN``); at least
    16 characters. It is a key like any other, listed and revoked like them."""
    api_url: str = "http://127.0.0.1:8000"
    """Where the command line finds the service."""
    api_key: SecretStr | None = None
    """Key the command line sends."""
    allowed_origins: str = Field("", pattern=r"^(https?://[^\s,/]+(,|$))*$")
    """Web pages whose scripts may call the API from a browser, such as ``https://chat.example``; separated by commas.
    Each request needs a key all the same."""
    allowed_hosts: str = Field("", pattern=r"^([A-Za-z0-9.\-]+(,|$))*$")
    """Host names under which ``/mcp`` may be asked beside this machine's own, such as a reverse proxy's, where the API
    listens on a loopback address; separated by commas. Where it listens on another address: unset admits any."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level that is logged."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """How events are logged to standard error; ``auto`` is one JSON object a line, unless it is a terminal."""
    neo4j: Neo4jSettings = Neo4jSettings()
    redis: RedisSettings = RedisSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    qdrant: QdrantSettings = QdrantSettings()
    llm: LanguageModelSettings = LanguageModelSettings()
    proxy: ProxySettings = ProxySettings()
    recall: RecallSettings = RecallSettings()
    context: ContextSettings = ContextSettings()
    worker: WorkerSettings = WorkerSettings()
    memory: MemorySettings = MemorySettings()
    extraction: ExtractionSettings = ExtractionSettings()
    documents: DocumentSettings = DocumentSettings()
    session: SessionSettings = SessionSettings()
    limits: LimitSettings = LimitSettings()
    graphql: GraphQLSettings = GraphQLSettings()
    metrics: MetricsSettings = MetricsSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Add the other names behind our own, and refuse names that nobody knows."""
        read = [
            source.env_vars
            for source in (env_settings, dotenv_settings)
            if isinstance(source, EnvSettingsSource)
        ]
        return (
            init_settings,
            env_settings,
            dotenv_settings,
            file_secret_settings,
            OtherNames(settings_cls),
            KnownNames(settings_cls, *read),
        )
