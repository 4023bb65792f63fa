"""Oxagen's REST interface over the same services (formats F§10)."""

from typing import Any

from app.surfaces.rest.oxagen.routes import Oxagen

ROUTES: list[Any] = [Oxagen]
