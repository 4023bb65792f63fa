"""AutoMem's REST interface over the same services."""

from typing import Any

from app.surfaces.rest.automem.finding import Finding
from app.surfaces.rest.automem.routes import AutoMem

ROUTES: list[Any] = [AutoMem, Finding]
