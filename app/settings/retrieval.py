"""The settings of recall and of the contexts made from it."""

from typing import Literal

from pydantic import Field

from app.settings.group import SettingGroup
from app.settings.values import HttpUrl, SentKey


class RecallSettings(SettingGroup):
    """How memories are found."""

    strategy: Literal["exact", "recent", "semantic", "hybrid"] = "hybrid"
    """How recall looks where neither the query nor the workspace's setting ``strategy`` says; ``recent`` is another
    word for ``exact``: of the 100 newest those that hold words of the query."""
    vec_top_k: int = Field(20, ge=1, le=500)
    """How many of the nearest memories reciprocal rank fusion fuses with what the words find (also
    ``MEMORY_VEC_TOP_K``); the fitted ranking reads more."""
    rrf_k: float = Field(60.0, ge=0)
    """The k of reciprocal rank fusion on the surfaces that promise it (also ``MEMORY_RRF_K``)."""
    relation_limit: int = Field(5, ge=0, le=50)
    """How many connected memories each hit shows, the strongest first (also ``RECALL_RELATION_LIMIT``)."""
    rerank_model: str | None = None
    """Reranker of the best hits: ``transformers/<path or hub name>`` for a local cross-encoder, else the name of a
    model at ``rerank_url``. The prefixes ``cohere/``, ``jina/``, ``voyage/`` and ``custom/`` are not sent. Unset: no
    reranker."""
    rerank_url: HttpUrl | None = None
    """Address a remote reranker is posted to."""
    rerank_key: SentKey | None = None
    """Key of a remote reranker."""
    rerank_seconds: float = Field(5.0, gt=0, le=60)
    """How long a recall waits for a reranker before the order stays as it was."""


class ContextSettings(SettingGroup):
    """What agents fetch before they act."""

    deadline_ms: int = Field(3000, ge=1, le=60_000)
    """How long the layers of a context that somebody asks for may take, side by side; one that is late is left out,
    and named. Contexts of turns have ``RECOLLECT_PROXY_DEADLINE_MS``."""
