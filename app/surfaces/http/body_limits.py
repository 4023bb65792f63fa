"""Size limits of request bodies; ``/mcp``, which is not a Litestar route, has its own limit."""

from typing import Final

USUAL_BODY_BYTES: Final = 1024 * 1024
"""Of any route that names no other: 2000 characters, 64 KiB of metadata and a vector leave room."""
LARGEST_BODY_BYTES: Final = 32 * 1024 * 1024
"""Of ``/graphql``, where a thousand memories come at once with their vectors, and of chats with pictures in them."""
FORM_BODY_BYTES: Final = 16 * 1024
"""Limit of the sign-in form: Litestar keeps the last thousand forms of all callers."""
MESSAGE_BYTES: Final = 256 * 1024
"""Of one message of a websocket, which holds one subscription."""
