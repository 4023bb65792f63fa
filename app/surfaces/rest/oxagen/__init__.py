"""Oxagen's REST interface over the same services."""

from typing import Any

from app.surfaces.rest.oxagen.routes import Oxagen

ROUTES: list[Any] = [Oxagen]
