"""OmniRoute's REST dialect: ``/api/memory`` and ``/api/settings`` (formats F§7), for administrators' keys."""

from app.rest.omniroute.engine import EngineRoutes
from app.rest.omniroute.memories import MemoryRoutes
from app.rest.omniroute.settings import QdrantRoutes, SettingsRoutes

ROUTES = [MemoryRoutes, EngineRoutes, SettingsRoutes, QdrantRoutes]
