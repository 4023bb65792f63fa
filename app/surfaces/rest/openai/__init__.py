"""What OpenAI's clients ask beside chats: which models there are, and vectors of texts."""

from typing import Any

from app.surfaces.rest.openai.routes import EmbeddingRoutes

ROUTES: list[Any] = [EmbeddingRoutes]
