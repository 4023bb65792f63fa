"""All settings, read once from the environment (prefix ``RECOLLECT_``) or a ``.env`` file.

Groups are nested one level: ``neo4j.uri`` is ``RECOLLECT_NEO4J_URI``. Only ``app/bootstrap/runtime`` and the command
line read settings; they pass values to all other code.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from app.settings.memories import (
    ContextSettings,
    ExtractionSettings,
    MemorySettings,
    RecallSettings,
    WorkerSettings,
)
from app.settings.models import EmbeddingSettings, LanguageModelSettings, ProxySettings
from app.settings.names import (
    PREFIX,
    OtherNames,
    check_names,
    without_service_links,
    without_strange_address,
)
from app.settings.servers import (
    GraphQLSettings,
    LimitSettings,
    MetricsSettings,
    Neo4jSettings,
    QdrantSettings,
    RedisSettings,
    SessionSettings,
    WebhooksSettings,
)


class MachineSettings(BaseSettings):
    """Other programs' variables about the machine; all are optional."""

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
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
    )

    host: str = "127.0.0.1"
    """Address the API listens on."""
    port: int = Field(8000, ge=0, le=65535)
    """Port the API listens on."""
    data_dir: Path = Path(".recollect")
    """Folder for the data of the embedded servers; only one process may use it at a time."""
    admin_key: SecretStr | None = None
    """API key of the first administrator, at least 16 characters; unset: the service creates one and shows it once.
    Another value adds a key, and the old key stays valid until you revoke it. The service does not start with a revoked
    key."""
    automem_api_token: SecretStr | None = None
    """Key for clients of AutoMem that reads and writes the default workspace (also ``AUTOMEM_API_TOKEN``); at least 16
    characters. You can list and revoke it like any other key."""
    api_url: str = "http://127.0.0.1:8000"
    """Address of the service for the command line; unset: this machine, at ``RECOLLECT_PORT``. The command line ignores
    an address in ``.env`` if its key comes from the environment."""
    api_key: SecretStr | None = None
    """Key the command line sends."""
    allowed_origins: str = Field("", pattern=r"^(https?://[^\s,/]+(,|$))*$")
    """Web origins whose scripts may call the API from a browser, such as ``https://chat.example``, separated by commas.
    Each request still needs a key."""
    allowed_hosts: str = Field("", pattern=r"^([A-Za-z0-9.\-]+(,|$))*$")
    """Host names that ``/mcp`` accepts besides this machine's own, such as a reverse proxy's, separated by commas.
    Unset: any host name if the API listens on an address other than loopback."""
    mcp_profile: Literal["agent", "full", "automem", "omniroute", "oxagen", "xerotier"] | None = None
    """Default tool profile of MCP; ``?profile=`` in the address overrides it, and ``recollect mcp`` uses it. Unset:
    ``agent``."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level of events in the log."""
    log_format: Literal["auto", "json", "console"] = "auto"
    """Format of events on standard error; ``auto`` writes one JSON object a line, or plain text on a terminal."""
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
    session: SessionSettings = SessionSettings()
    limits: LimitSettings = LimitSettings()
    graphql: GraphQLSettings = GraphQLSettings()
    metrics: MetricsSettings = MetricsSettings()
    webhooks: WebhooksSettings = WebhooksSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Add the names of other services with lower precedence, and refuse unknown names."""
        read: list[Mapping[str, str | None]] = []
        for source in (env_settings, dotenv_settings):
            if isinstance(source, EnvSettingsSource):
                source.env_vars = without_service_links(source.env_vars)
                if read:
                    source.env_vars = without_strange_address(source.env_vars, read[0])
                check_names(settings_cls, source.env_vars)
                read.append(source.env_vars)
        return (
            init_settings,
            env_settings,
            dotenv_settings,
            file_secret_settings,
            OtherNames(settings_cls, *read),
        )
