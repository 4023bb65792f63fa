"""The settings of memories and of the workers behind them."""

from typing import Literal

from pydantic import Field

from app.settings.values import HttpUrl, SentKey, SettingGroup


class MemorySettings(SettingGroup):
    """Limits and rules of memories."""

    new_workspaces: bool = False
    """Turn memory on in new workspaces, and in the default one, unless their creator decides. While memory is off, the
    service captures, extracts and records nothing and injects nothing into chats. Injected context costs tokens in each
    turn."""
    auto_summarize_long: bool = True
    """Shorten memories of more than 500 characters with the language model, if there is one; the service keeps the
    original."""
    classify_with_model: bool = False
    """Ask the language model for the type of a memory that no rule recognizes. Disabled by default, because the save
    waits for the answer."""
    dedup_threshold: float = Field(0.6, gt=0, le=1)
    """Cosine similarity above which the service compares a new memory with a stored one word by word; it saves no
    memory that says the same."""
    dedup_deadline_ms: int = Field(1500, ge=0, le=10_000)
    """Milliseconds a save waits for its vector. After that, the service saves the memory and compares it later."""
    dedup_on_post: bool = False
    """Deduplicate in AutoMem's ``POST /memory`` too. Off: it saves every request, and only an equal ``id`` means the
    same memory."""
    secret_policy: Literal["reject", "warn", "off"] = "reject"  # noqa: S105 - what is done, no password
    """Treatment of a memory that contains a password, key or token."""
    placeholder_vectors: bool = False
    """Store a placeholder vector with a memory that has no vector yet. Searches never compare it, and the real vector
    replaces it."""
    id_format: Literal["auto", "mem", "uuid"] = "auto"
    """Form of new memories' ids: ``mem`` (``mem_`` and 24 characters), ``uuid``, or ``auto``: the form that the surface
    promises, ``mem`` for GraphQL. Every lookup accepts both."""
    delete_mode: Literal["per_surface", "soft", "hard"] = "per_surface"
    """Kind of deletion: restorable (soft), final (hard), or the choice of each surface."""
    compaction_delete: Literal["soft", "hard"] = "soft"
    """Kind of deletion for memories that a summary replaces; ``delete_mode`` overrides it."""
    retention_days: int = Field(30, ge=0, le=365)
    """Age in days after which the surfaces of ``retention_applies_to`` omit a memory; nothing is deleted. 0: no
    limit."""
    retention_applies_to: str = Field(
        "api_memory,injection_auto", pattern=r"^((api_memory|injection_auto|recall)(,|$))*$"
    )
    """Scope of the retention, separated by commas: ``api_memory`` (the OmniRoute surface), ``injection_auto``
    (injection of automatically extracted memories, unless repeated or changed within that time), ``recall``
    (everywhere)."""
    noted_actions: int = Field(10_000, ge=0, le=1_000_000)
    """Maximum number of tool calls and writes that wait to be recorded as telemetry; the service drops further ones and
    counts them in ``/metrics``. It records while memory is on. 0: only actions that agents report."""


class WorkerSettings(SettingGroup):
    """Background jobs."""

    inline: bool = True
    """Run background jobs in the API process; turn it off if ``recollect worker`` runs beside it."""


class ExtractionSettings(SettingGroup):
    """Extraction of facts from captured conversations; settings of a workspace override these."""

    mode: Literal["regex", "llm", "both", "off"] = "both"
    """Extractors in use: the rules, the language model, both, or none except on request. Without a language model the
    rules extract. The workspace setting ``extractionMode`` overrides it."""
    at_once: bool = False
    """Let the rules read captured messages immediately. Disabled by default, because pages capture unfinished answers,
    and half a sentence gives wrong facts."""
    raw_conversation_retention: Literal["until_consolidated", "until_extracted", "keep"] = (
        "until_consolidated"
    )
    """Retention of original messages (workspace setting ``rawConversationRetention``): until an episode replaces them,
    until every extractor has read them, or permanently."""


class RecallSettings(SettingGroup):
    """Recall."""

    strategy: Literal["exact", "recent", "semantic", "hybrid"] = "hybrid"
    """Default strategy of recall; the query and the workspace's setting ``strategy`` override it. ``exact`` (also
    ``recent``) returns those of the 100 newest memories that contain words of the query."""
    vec_top_k: int = Field(20, ge=1, le=500)
    """Number of nearest memories that reciprocal rank fusion combines with the text hits (also ``MEMORY_VEC_TOP_K``);
    the fitted ranking reads more."""
    rrf_k: float = Field(60.0, ge=0)
    """Constant k of reciprocal rank fusion on the surfaces that use it (also ``MEMORY_RRF_K``)."""
    relation_limit: int = Field(5, ge=0, le=50)
    """Maximum number of connected memories of a hit, the strongest first (also ``RECALL_RELATION_LIMIT``)."""
    rerank_model: str | None = None
    """Reranker of the best hits: ``transformers/<path or hub name>`` for a local cross-encoder, else the name of a
    model at ``rerank_url``, without the prefixes ``cohere/``, ``jina/``, ``voyage/`` and ``custom/``. Unset: no
    reranker."""
    rerank_url: HttpUrl | None = None
    """Address of a remote reranker."""
    rerank_key: SentKey | None = None
    """Key for a remote reranker."""
    rerank_seconds: float = Field(5.0, gt=0, le=60)
    """Timeout in seconds for a reranker; after that, the order stays unchanged."""


class ContextSettings(SettingGroup):
    """Contexts that agents fetch before they act."""

    deadline_ms: int = Field(3000, ge=1, le=60_000)
    """Deadline in milliseconds for the layers of a requested context, which run in parallel. The service omits a late
    layer and names it. Contexts of chat turns use ``RECOLLECT_PROXY_DEADLINE_MS``."""
