"""Models of settings at run time, webhooks, erasures and archives."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from graph.core.errors import InvalidInput
from graph.core.exact import Flag, Whole, not_null
from graph.core.models import Frozen, Occurred
from graph.core.text.budget import MOST_TOKENS
from graph.tenancy.settings import MOST_RETENTION_DAYS, MOST_TOKENS_SET
from graph.vectors.external.models import VectorStore

DEFAULT_COMPACTION_DAYS = 30
Strategy = Literal["recent", "semantic", "hybrid"]
EmbeddingSource = Literal["remote", "static", "transformers", "auto", "none"]

WORKSPACE_KEYS: Final[Mapping[str, str]] = {
    "enabled": "memoryEnabled",
    "max_tokens": "memoryMaxTokens",
    "retention_days": "memoryRetentionDays",
    "strategy": "memoryStrategy",
    "skills_enabled": "skillsEnabled",
}
"""Settings of each workspace, by their stored keys."""
DEPLOYMENT_KEYS: Final[Mapping[str, str]] = {
    "embedding_source": "memoryEmbeddingSource",
    "embedding_provider_model": "memoryEmbeddingModel",
    "transformers_enabled": "memoryTransformersEnabled",
    "static_enabled": "memoryStaticEnabled",
    "rerank_enabled": "memoryRerankEnabled",
    "rerank_provider_model": "memoryRerankModel",
    "vector_store": "memoryVectorStore",
}
"""Settings of the deployment, by their stored keys."""
OTHER_KEYS: Final[Mapping[str, str]] = {"memoryEmbeddingProviderModel": "embedding_provider_model"}
"""Former keys, which the service reads but never writes."""
MAY_BE_NULL: Final = frozenset({"embedding_provider_model", "rerank_provider_model"})
_NEVER_NULL: Final = (WORKSPACE_KEYS.keys() | DEPLOYMENT_KEYS.keys()) - MAY_BE_NULL - {"retention_days"}


_MODEL_NAME: Final = r"^\S+$"
_AN_EXAMPLE: JsonDict = {
    "enabled": False,
    "maxTokens": 2000,
    "retentionDays": 30,
    "strategy": "hybrid",
    "skillsEnabled": False,
    "embeddingSource": "auto",
    "embeddingProviderModel": None,
    "transformersEnabled": True,
    "staticEnabled": False,
    "rerankEnabled": False,
    "rerankProviderModel": None,
    "vectorStore": "auto",
}


class DeploymentSettings(Frozen):
    """Settings of the deployment, without the external tier (``graph.vectors.external``).

    Attributes:
        embedding_source: Also ``minilm`` and ``none``, if set in the environment.
        embedding_provider_model: ``provider/model`` of a remote source, or the model alone; None: the first provider
            with a key.
        transformers_enabled: Allow ``auto`` to use a local model; true, so that vectors work out of the box.
        static_enabled: Allow ``auto`` to use the static model, which needs an extra.
        rerank_provider_model: ``transformers/<path or hub name>``, or the model of the remote reranker.
    """

    embedding_source: str
    embedding_provider_model: str | None
    transformers_enabled: bool = True
    static_enabled: bool = False
    rerank_enabled: bool
    rerank_provider_model: str | None


class RunningMemorySettings(BaseModel):
    """The twelve effective settings of one workspace.

    Attributes:
        enabled: The workspace's ``memoryEnabled``; injected text costs tokens in each turn.
        max_tokens: Token limit of a turn's injection; values above 8000 count as 8000.
        retention_days: Maximum age of recalled memories where retention applies; None: no limit.
        strategy: Default strategy of recall; ``recent`` is a synonym of ``exact``.
        skills_enabled: Offer the workspace's skills to models.
    """

    model_config = ConfigDict(
        frozen=True,
        alias_generator=to_camel,
        populate_by_name=True,
        json_schema_extra={"examples": [_AN_EXAMPLE]},
    )

    enabled: bool
    max_tokens: int
    retention_days: int | None
    strategy: Strategy
    skills_enabled: bool
    embedding_source: EmbeddingSource
    embedding_provider_model: str | None
    transformers_enabled: bool
    static_enabled: bool
    rerank_enabled: bool
    rerank_provider_model: str | None
    vector_store: Literal["sqlite-vec", "neo4j", "qdrant", "auto"]

    @property
    def cost_warning(self) -> str | None:
        """Warning about the cost of injection, for the person who switches it on; None while it is off."""
        if not self.enabled or self.max_tokens == 0:
            return None
        tokens = min(self.max_tokens, MOST_TOKENS)
        return f"memory is on: each chat request is given up to {tokens} tokens more, which are billed"

    @property
    def days_before_compaction(self) -> int:
        """Default minimum age of memories for a compaction, in days."""
        return DEFAULT_COMPACTION_DAYS if self.retention_days is None else self.retention_days


class ConnectionTrial(Frozen):
    """Result of a connection test, which stores nothing.

    Attributes:
        latency_ms: Time to load the model or open the store, and for one request.
        signature: Signature of the embedder, or name of the reranker; None after a failure and for a store.
        error: Reason of the failure; None if it answered.
    """

    latency_ms: float
    signature: str | None = None
    error: str | None = None


class SettingsChange(BaseModel):
    """Settings to change; unset ones stay unchanged, and a value out of range is refused."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        json_schema_extra={"examples": [{"enabled": True, "maxTokens": 1500}]},
    )

    enabled: Flag | SkipJsonSchema[None] = Field(
        None, description="On, each chat request is given up to `maxTokens` tokens more, which are billed."
    )
    max_tokens: Annotated[Whole, Field(ge=0, le=MOST_TOKENS_SET)] | SkipJsonSchema[None] = None
    retention_days: Whole | None = Field(
        None,
        ge=1,
        le=MOST_RETENTION_DAYS,
        description="Null is taken where it is shown as null, as no days are set.",
    )
    strategy: Strategy | SkipJsonSchema[None] = None
    skills_enabled: Flag | SkipJsonSchema[None] = None
    embedding_source: EmbeddingSource | SkipJsonSchema[None] = None
    embedding_provider_model: str | None = Field(None, pattern=_MODEL_NAME, max_length=300)
    transformers_enabled: Flag | SkipJsonSchema[None] = None
    static_enabled: Flag | SkipJsonSchema[None] = None
    rerank_enabled: Flag | SkipJsonSchema[None] = None
    rerank_provider_model: str | None = Field(None, pattern=_MODEL_NAME, max_length=300)
    vector_store: VectorStore | SkipJsonSchema[None] = None

    _is_not_null = field_validator(*_NEVER_NULL)(not_null)

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Return the change for values under their API names.

        Raises:
            InvalidInput: A value breaks a rule or has an unknown name; the error names the first.
        """
        try:
            return cls.model_validate(dict(values))
        except ValidationError as error:
            first = error.errors()[0]
            field = str(first["loc"][0]) if first["loc"] else "settings"
            raise InvalidInput(field, f"{field}: {first['msg']}") from None

    def over(self, shown: RunningMemorySettings) -> dict[str, Any]:
        """Return the changes by field name, without deployment settings that already have this value.

        Raises:
            InvalidInput: A setting that does not allow null is null.
        """
        values: dict[str, Any] = {}
        for name in self.model_fields_set:
            value = getattr(self, name)
            if value == getattr(shown, name) and (value is None or name in DEPLOYMENT_KEYS):
                continue
            if value is None and name not in MAY_BE_NULL:
                field = to_camel(name)
                raise InvalidInput(field, f"{field} must not be null; leave it out to keep it, or reset it")
            values[name] = value
        return values


class WebhookEvent(StrEnum):
    """Events of webhooks."""

    MEMORY_SAVED = Occurred.MEMORY_SAVED
    MEMORY_UPDATED = Occurred.MEMORY_UPDATED
    MEMORY_DELETED = Occurred.MEMORY_DELETED
    PATTERN_PROMOTED = Occurred.PATTERN_PROMOTED
    JOB_FAILED = Occurred.JOB_FAILED


TEST_EVENT = "webhook.test"
"""Event type of ``testWebhook``, for any subscription."""


class Webhook(Frozen):
    """An address that receives events of a workspace, without the secret that signs the deliveries.

    Attributes:
        last_error: Reason of the latest failed delivery; None if none has failed yet.
    """

    id: str
    workspace_id: str
    url: str
    events: tuple[WebhookEvent, ...]
    description: str | None = None
    created_at: datetime
    last_delivered_at: datetime | None = None
    last_failed_at: datetime | None = None
    last_error: str | None = None


class ErasureCounts(Frozen):
    """Number of nodes of one user, by kind.

    Attributes:
        memories: Memories, including restorable ones.
        versions: Earlier texts of the memories.
        passages: Vectors of parts of the memories.
        distillations: Texts submitted for distillation.
        sequences: Runs of agents.
        actions: Actions of these runs.
        prompt_runs: Records of the user's answers.
        api_keys: Keys bound to the user, including revoked ones.
    """

    memories: int
    versions: int
    passages: int
    conversations: int
    messages: int
    episodes: int
    summaries: int
    distillations: int
    sequences: int
    actions: int
    prompt_runs: int
    api_keys: int

    @property
    def total(self) -> int:
        """Total number of nodes."""
        return sum(self.model_dump().values())


@dataclass(frozen=True)
class ArchiveStream:
    """An archive that is packed while the workspace is read.

    Attributes:
        nodes: Number of nodes at the start.
        pieces: Bytes of the archive.
    """

    nodes: int
    pieces: AsyncGenerator[bytes]


class RestoreProgress(Frozen):
    """Progress of a restore; the last one is its report.

    Attributes:
        nodes: Number of processed nodes out of ``total_nodes``; ``edges`` likewise.
        created_nodes: Number of created nodes; the others existed.
        skipped_nodes: Number of skipped nodes: parts of a node that the workspace has under another id or with another
            text, and parts of a missing conversation.
        embedding: Number of nodes that wait for a vector.
        is_done: True after everything is written.
    """

    workspace_id: str
    total_nodes: int
    total_edges: int
    nodes: int = 0
    edges: int = 0
    created_nodes: int = 0
    created_edges: int = 0
    skipped_nodes: int = 0
    embedding: int = 0
    is_done: bool = False
