"""Every setting, in groups; ``Settings`` reads them once."""

from app.settings.access import LimitSettings, SessionSettings
from app.settings.chat_proxy import ProxySettings
from app.settings.deployment import MachineSettings, Settings
from app.settings.memories import (
    ContextSettings,
    ExtractionSettings,
    MemorySettings,
    RecallSettings,
    WorkerSettings,
)
from app.settings.models import EmbeddingSettings, LanguageModelSettings
from app.settings.operations import GraphQLSettings, MetricsSettings, TracingSettings, WebhooksSettings
from app.settings.servers import Neo4jSettings, QdrantSettings, RedisSettings

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
