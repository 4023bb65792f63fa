"""Xerotier's dialect: what a dashboard in a browser asks, by the cookie of a session."""

from typing import Final

from litestar.types import ControllerRouterHandler

from app.surfaces.rest.xerotier.chats import Chats
from app.surfaces.rest.xerotier.event_stream import auto_saved
from app.surfaces.rest.xerotier.overview import Overview
from app.surfaces.rest.xerotier.workspaces import WorkspaceMemories

ROUTES: Final[list[ControllerRouterHandler]] = [Chats, Overview, WorkspaceMemories, auto_saved]
