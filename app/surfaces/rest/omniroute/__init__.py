"""OmniRoute's REST dialect: ``/api/memory`` and ``/api/settings``, for administrators' keys."""

from app.surfaces.rest.omniroute.engine import EngineRoutes
from app.surfaces.rest.omniroute.memories import MemoryRoutes
from app.surfaces.rest.omniroute.settings import QdrantRoutes, SettingsRoutes

ROUTES = [MemoryRoutes, EngineRoutes, SettingsRoutes, QdrantRoutes]
