"""Routes for OpenAI's clients other than chats: the list of models, and embeddings."""

from typing import Any

from app.surfaces.rest.openai.routes import EmbeddingRoutes

ROUTES: list[Any] = [EmbeddingRoutes]
