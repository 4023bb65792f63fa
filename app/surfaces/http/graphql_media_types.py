"""The media types in which GraphQL answers (GraphQL over HTTP, section "Media Types")."""

from typing import Any, Final

from litestar import Request

JSON: Final = "application/json"
"""The older media type: clients that accept nothing else expect 200 even for an invalid query."""
GRAPHQL_RESPONSE: Final = "application/graphql-response+json"
"""The one whose statuses tell what became of a request, and which leaves out ``data`` where nothing was executed."""


def media_type_for(request: Request[Any, Any, Any]) -> str:
    """Return which of the two a caller would rather have: JSON, where it says nothing of them."""
    return request.accept.best_match([JSON, GRAPHQL_RESPONSE], default=JSON)
