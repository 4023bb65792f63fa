"""All settings, in groups; ``Settings`` reads them once."""

from app.settings.deployment import MachineSettings, Settings
from app.settings.memories import (
    ContextSettings,
    ExtractionSettings,
    MemorySettings,
    RecallSettings,
    WorkerSettings,
)
from app.settings.models import EmbeddingSettings, LanguageModelSettings, ProxySettings
from app.settings.servers import (
    GraphQLSettings,
    LimitSettings,
    MetricsSettings,
    Neo4jSettings,
    QdrantSettings,
    RedisSettings,
    SessionSettings,
    TracingSettings,
    WebhooksSettings,
)

__all__ = [
    "ContextSettings",
    "EmbeddingSettings",
    "ExtractionSettings",
    "GraphQLSettings",
    "LanguageModelSettings",
    "LimitSettings",
    "MachineSettings",
    "MemorySettings",
    "MetricsSettings",
    "Neo4jSettings",
    "ProxySettings",
    "QdrantSettings",
    "RecallSettings",
    "RedisSettings",
    "SessionSettings",
    "Settings",
    "TracingSettings",
    "WebhooksSettings",
    "WorkerSettings",
]
