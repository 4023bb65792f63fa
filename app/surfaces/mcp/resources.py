"""Resources: one memory or one entity as JSON, with its neighbours."""

import re
from urllib.parse import unquote

from mcp import types
from mcp.server.lowlevel.helper_types import ReadResourceContents

from app.surfaces.mcp.reading import Connected, Content, connected, content_of
from app.surfaces.mcp.tool import Call, Result
from graph.core.errors import NotFound
from graph.knowledge.traversal.models import NodeKind

MIME_TYPE = "application/json"
_KINDS = {"memory": NodeKind.MEMORY, "entity": NodeKind.ENTITY}
_URI = re.compile(r"recollect://(memory|entity)/([^/?#]+)")

TEMPLATES = [
    types.ResourceTemplate(
        name="memory",
        title="A memory",
        uriTemplate="recollect://memory/{id}",
        description="A memory with everything about it, and what it is joined to in the graph.",
        mimeType=MIME_TYPE,
    ),
    types.ResourceTemplate(
        name="entity",
        title="An entity",
        uriTemplate="recollect://entity/{id}",
        description="A thing the workspace knows of, with its relations and the memories that mention it.",
        mimeType=MIME_TYPE,
    ),
]


class ReadNode(Result):
    """Content of a resource."""

    content: Content
    connected: tuple[Connected, ...]


async def read_resource(call: Call, uri: str) -> list[ReadResourceContents]:
    """Return what a URI names.

    Raises:
        NotFound: It names nothing in this workspace.
    """
    named = _URI.fullmatch(uri)
    if named is None:
        raise _nothing(uri)
    id_ = unquote(named[2])
    node = (await call.services.knowledge.traversal.find(call.workspace_id, [id_], field="uri")).get(id_)
    if node is None or node.kind is not _KINDS[named[1]]:
        raise _nothing(uri)
    content = await content_of(call, node)
    if content is None:
        raise _nothing(uri)
    read = ReadNode(content=content, connected=await connected(call, node.id))
    return [ReadResourceContents(content=read.model_dump_json(exclude_none=True), mime_type=MIME_TYPE)]


def _nothing(uri: str) -> NotFound:
    return NotFound(f"there is nothing at {uri[:200]!r} in this workspace", field="uri")
