"""AutoMem's REST interface over the same services (formats F§6)."""

from typing import Any

from app.surfaces.rest.automem.routes import AutoMem

ROUTES: list[Any] = [AutoMem]
