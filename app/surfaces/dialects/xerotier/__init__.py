"""Xerotier's REST routes for a dashboard in a browser, authenticated by a session cookie."""

from typing import Final

from litestar.types import ControllerRouterHandler

from app.surfaces.dialects.xerotier.chats import Chats, auto_saved
from app.surfaces.dialects.xerotier.overview import Overview, WorkspaceMemories

ROUTES: Final[list[ControllerRouterHandler]] = [Chats, Overview, WorkspaceMemories, auto_saved]
