"""The settings of recall and of the contexts made from it."""

from typing import Literal

from pydantic import Field

from app.settings.group import SettingGroup
from app.settings.values import HttpUrl, SentKey


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
