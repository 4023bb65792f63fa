"""The settings of the servers: Neo4j, Redis and Qdrant."""

from pydantic import Field, SecretStr

from app.settings.values import Neo4jUri, RedisUrl, SentKey, SettingGroup


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
