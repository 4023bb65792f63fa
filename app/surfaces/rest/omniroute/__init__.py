"""OmniRoute's REST dialect: ``/api/memory`` for keys that read and write, ``/api/settings`` for administrators'."""

from app.surfaces.rest.omniroute.engine import EngineRoutes
from app.surfaces.rest.omniroute.memories import MemoryRoutes
from app.surfaces.rest.omniroute.settings import QdrantRoutes, SettingsRoutes

ROUTES = [MemoryRoutes, EngineRoutes, SettingsRoutes, QdrantRoutes]
