"""AutoMem's interface over the same services."""

from typing import Any

from app.surfaces.dialects.automem.rest import AutoMem, Finding

ROUTES: list[Any] = [AutoMem, Finding]
