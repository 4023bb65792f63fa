"""The settings of the servers: Neo4j, Redis and Qdrant."""

from pydantic import Field, SecretStr

from app.settings.group import SettingGroup
from app.settings.values import Neo4jUri, RedisUrl, SentKey


class Neo4jSettings(SettingGroup):
    """Where the graph is, or how the embedded one is run."""

    uri: Neo4jUri | None = None
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
    timeout_seconds: float = Field(10.0, gt=0)
    """How long a server that says nothing to anybody is waited for: it is frozen or cut off."""


class RedisSettings(SettingGroup):
    """Where the working set, events and wake-ups live."""

    url: RedisUrl | None = None
    """Redis URL. Unset: an embedded server is started."""


class QdrantSettings(SettingGroup):
    """The optional external vector tier (the extra ``qdrant``)."""

    enabled: bool = False
    """Whether vectors are mirrored to Qdrant and recall may search there; memories that are there already follow."""
    host: str = Field("127.0.0.1", min_length=1)
    """Host name or ``http(s)://`` address of the server; ``:memory:`` or a folder's path run it inside this process,
    which is for trying it out with one process."""
    port: int = Field(6333, ge=1, le=65535)
    """HTTP port of the server."""
    api_key: SentKey | None = None
    """Key the server wants."""
    collection: str = Field("omniroute_memory", max_length=200, pattern=r"^[\w.\-]+$")
    """Name of the collection; the vectors of each embedder live in one of their own, behind this alias."""
