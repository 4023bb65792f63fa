"""Xerotier's dialect: what a dashboard in a browser asks, by the cookie of a session."""

from typing import Final

from litestar.types import ControllerRouterHandler

from app.surfaces.dialects.xerotier.chats import Chats, auto_saved
from app.surfaces.dialects.xerotier.overview import Overview, WorkspaceMemories

ROUTES: Final[list[ControllerRouterHandler]] = [Chats, Overview, WorkspaceMemories, auto_saved]
