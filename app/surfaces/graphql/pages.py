"""Relay connections over pages of the engine."""

from collections.abc import Callable
from typing import Generic, TypeVar

import strawberry

from graph.core.pages import Page

DEFAULT_PAGE = 50

NodeT = TypeVar("NodeT")
ItemT = TypeVar("ItemT")


@strawberry.type
class PageInfo:
    """Position of a page in its list."""

    has_next_page: bool
    end_cursor: str | None
    has_previous_page: bool = False
    start_cursor: str | None = None


@strawberry.type
class Edge(Generic[NodeT]):
    """One row of a page with its cursor."""

    node: NodeT
    cursor: str


@strawberry.type
class Connection(Generic[NodeT]):
    """A page of a list; pass ``endCursor`` as ``after`` to read the next page."""

    edges: list[Edge[NodeT]]
    page_info: PageInfo


def connection_parts(
    page: Page[ItemT], node: Callable[[ItemT], NodeT], after: str | None
) -> tuple[list[Edge[NodeT]], PageInfo]:
    """Return the edges and the page info of a page."""
    cursors = [cursor.encode() for cursor in page.cursors]
    edges = [Edge(node=node(item), cursor=cursor) for item, cursor in zip(page.items, cursors, strict=True)]
    info = PageInfo(
        has_next_page=page.has_more,
        end_cursor=cursors[-1] if cursors else None,
        has_previous_page=after is not None,
        start_cursor=cursors[0] if cursors else None,
    )
    return edges, info
