"""The settings of the servers: Neo4j, Redis and Qdrant."""

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.settings.values import Neo4jUri, RedisUrl, SentKey, SettingGroup


class SessionSettings(SettingGroup):
    """Sessions of people who sign in with a key in a browser."""

    idle_minutes: int = Field(720, ge=1, le=43_200)
    """Minutes without a request after which a session ends."""
    max_hours: int = Field(168, ge=1, le=8760)
    """Hours after which a session ends, active or not."""


class LimitSettings(SettingGroup):
    """Limits of one caller."""

    requests_per_minute: int = Field(60_000, ge=0, le=1_000_000)
    """Maximum number of requests of a key in a minute, over all processes; 0: unlimited. A key may have its own limit.
    The service applies no limit while Redis does not answer."""


class Neo4jSettings(SettingGroup):
    """The graph database: an existing server or the embedded one."""

    uri: Neo4jUri | None = None
    """Bolt URI of an existing server or Aura (``neo4j+s://…``). Unset: the service starts an embedded server."""
    user: str = "neo4j"
    """User of the existing server."""
    password: SecretStr | None = None
    """Password of the existing server."""
    database: str = "neo4j"
    """Database name."""
    bolt_port: int = Field(0, ge=0, le=65535)
    """Bolt port of the embedded server; 0: 7687, or any free port if 7687 is in use."""
    http_port: int = Field(0, ge=0, le=65535)
    """HTTP port (Neo4j Browser) of the embedded server; 0: 7474 or any free port."""
    heap_mb: int | None = Field(None, ge=256)
    """Java heap of the embedded server in MB; unset: an eighth of the machine's memory, 512 to 4096."""
    pagecache_mb: int | None = Field(None, ge=64)
    """Page cache of the embedded server in MB; unset: a tenth of the machine's memory, 128 to 4096."""
    timeout_seconds: float = Field(10.0, gt=0)
    """Timeout in seconds for a server that answers nobody, because it is frozen or cut off."""


class RedisSettings(SettingGroup):
    """Redis, for the working set, events and wake-ups."""

    url: RedisUrl | None = None
    """Redis URL. Unset: the service starts an embedded server."""


class QdrantSettings(SettingGroup):
    """The optional external vector tier (the extra ``qdrant``)."""

    enabled: bool = False
    """Mirror vectors to Qdrant and let recall search there; the service copies existing memories too."""
    host: str = Field("127.0.0.1", min_length=1)
    """Host name or ``http(s)://`` address of the server; ``:memory:`` or the path of a folder runs Qdrant inside this
    process, for trying it out."""
    port: int = Field(6333, ge=1, le=65535)
    """HTTP port of the server."""
    api_key: SentKey | None = None
    """API key for the server."""
    collection: str = Field("omniroute_memory", max_length=200, pattern=r"^[\w.\-]+$")
    """Alias of the collection; each embedder has a collection of its own behind it."""


class TracingSettings(BaseSettings):
    """The standard variables; OpenTelemetry itself reads those of the exporter and the sampler."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, use_attribute_docstrings=True)

    otel_exporter_otlp_endpoint: str | None = None
    """``OTEL_EXPORTER_OTLP_ENDPOINT``: base address of a collector that speaks OTLP over HTTP; unset: no traces."""
    otel_exporter_otlp_traces_endpoint: str | None = None
    """``OTEL_EXPORTER_OTLP_TRACES_ENDPOINT``: the same for traces alone, as a whole address."""
    otel_sdk_disabled: bool = False
    """``OTEL_SDK_DISABLED``: no traces, even with an address."""
    otel_service_name: str = "recollect"
    """``OTEL_SERVICE_NAME``: name of the service in the spans."""

    @property
    def is_on(self) -> bool:
        """True if spans are exported."""
        named = self.otel_exporter_otlp_endpoint or self.otel_exporter_otlp_traces_endpoint
        return named is not None and not self.otel_sdk_disabled


class GraphQLSettings(SettingGroup):
    """GraphQL."""

    introspection: bool = True
    """Allow queries about the schema; GraphiQL needs them for documentation and completion."""


class WebhooksSettings(SettingGroup):
    """Webhooks: deliveries to addresses that workspaces register; see the how-to guide on webhooks."""

    allow_private: bool = False
    """Allow webhooks to this machine and to private networks, and ``http://`` addresses."""


class MetricsSettings(SettingGroup):
    """A separate port for Prometheus and probes; administrators also find ``/metrics`` on the API's port."""

    port: int | None = Field(None, ge=0, le=65535)
    """Port for ``/metrics``, ``/ready`` and ``/health`` without a key; unset: none. A worker serves its metrics only
    there. 0: any free port."""
    host: str = "127.0.0.1"
    """Listening address of this port."""
