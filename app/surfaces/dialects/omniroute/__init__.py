"""OmniRoute's dialect: ``/api/memory`` for keys that read and write, ``/api/settings`` for administrators', tools."""

from app.surfaces.dialects.omniroute.engine import EngineRoutes
from app.surfaces.dialects.omniroute.rest import MemoryRoutes, QdrantRoutes, SettingsRoutes

ROUTES = [MemoryRoutes, EngineRoutes, SettingsRoutes, QdrantRoutes]
