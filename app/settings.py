"""Every setting, read once from the environment (prefix ``RECOLLECT_``) or a ``.env`` file.

Groups are nested one level: ``neo4j.uri`` is ``RECOLLECT_NEO4J_URI``. Only ``app/bootstrap.py`` and the command
line read settings; everything else is handed values.
"""

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Neo4jSettings(_Group):
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
    timeout_seconds: float = Field(30.0, gt=0)
    """How long one transaction may run before the server ends it."""


class RedisSettings(_Group):
    """Where the working set, events and wake-ups live."""

    url: str | None = None
    """Redis URL. Unset: an embedded server is started."""


class EmbeddingSettings(_Group):
    """Which model turns text into vectors."""

    source: Literal["minilm", "transformers", "none"] = "minilm"
    """``minilm`` (packaged, no torch), ``transformers`` (the extra of that name), or ``none`` (keywords only)."""
    model: str | None = None
    """Path or hub name for ``transformers``."""
    quantization: Literal["NONE", "SCALAR", "BINARY"] = "SCALAR"
    """How the vector index compresses vectors; SCALAR (int8) kept every true top 10 at a quarter of the memory."""
    cache_max: int = Field(1000, ge=0)
    """How many texts' vectors are kept in memory."""
    cache_ttl_seconds: float = Field(300.0, gt=0)
    """How long a cached vector is used."""


class WorkerSettings(_Group):
    """How background work is taken."""

    inline: bool = True
    """Whether the API process works off jobs itself; off where ``recollect worker`` runs beside it."""
    batch_size: int = Field(64, ge=1, le=1000)
    """How many jobs of one kind are claimed together."""
    poll_seconds: float = Field(2.0, gt=0)
    """How long a worker waits when no wake-up comes."""
    lease_seconds: float = Field(60.0, gt=0)
    """How long a claimed job is another worker's before it may be taken over."""
    max_attempts: int = Field(5, ge=1)
    """After how many failures a job is parked as FAILED."""


class MemorySettings(_Group):
    """Limits and rules of memories."""

    max_chars: int = Field(2000, ge=1)
    """Longest content a client may save as a memory (A4)."""
    max_turn_chars: int = Field(32_000, ge=1)
    """Longest content of a memory that is a turn of a conversation (it carries a source conversation)."""


class MachineSettings(BaseSettings):
    """What other programs' variables say about the machine; nothing of it is needed."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, use_attribute_docstrings=True)

    java_home: Path | None = None
    """``JAVA_HOME``: a JDK to look at before the ones on PATH and in the usual folders."""


class Settings(BaseSettings):
    """The whole configuration."""

    model_config = SettingsConfigDict(
        env_prefix="RECOLLECT_",
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
    api_url: str = "http://127.0.0.1:8000"
    """Where the command line finds the service."""
    api_key: SecretStr | None = None
    """Key the command line sends."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Lowest level that is logged."""
    neo4j: Neo4jSettings = Neo4jSettings()
    redis: RedisSettings = RedisSettings()
    embedding: EmbeddingSettings = EmbeddingSettings()
    worker: WorkerSettings = WorkerSettings()
    memory: MemorySettings = MemorySettings()
