"""Reads items: pages of a namespace, hits of a query, and the existing namespaces."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from itertools import count

from langgraph.store.base import ListNamespacesOp, SearchOp

from ..generated import (
    MemoryFilter,
    MemoryOrder,
    RecallInput,
    RecollectClient,
    TagMode,
)
from ..langgraph_layout import namespace_of, tag_of
from .filters import admits, fixed_prefix, matches, validated
from .items import StoredItem, item_of

_PAGE = 100
_HITS = 50
"""Page size of a list and of a recall."""


async def found_items(
    client: RecollectClient, workspace_id: str, op: SearchOp
) -> list[tuple[StoredItem, float | None]]:
    """Return the items of a search with their scores.

    A query ranks indexed items, best first; other items follow without a score, latest change first.

    Raises:
        ValueError: The filter has an unknown operator.
    """
    filter_ = validated(op.filter)
    found: list[tuple[StoredItem, float | None]] = []
    met: set[str] = set()
    most = op.offset + op.limit
    if most <= 0:
        return []
    async with aclosing(_candidates(client, workspace_id, op)) as candidates:
        async for item, score in candidates:
            if item.id not in met and admits(filter_, item.value):
                met.add(item.id)
                found.append((item, score))
            if len(found) == most:
                break
    return found[op.offset :]


async def namespaces(
    client: RecollectClient, workspace_id: str, op: ListNamespacesOp
) -> list[tuple[str, ...]]:
    """Return the distinct namespaces that match the conditions, in order; reads the tags of every item there."""
    conditions = op.match_conditions or ()
    filter_ = MemoryFilter(all_tags=[tag_of(fixed_prefix(conditions))])
    found: set[tuple[str, ...]] = set()
    after: str | None = None
    while True:
        page = await client.memory_tags(filter_=filter_, first=_PAGE, after=after, workspace_id=workspace_id)
        for edge in page.edges:
            namespace = namespace_of(edge.node.tags)
            if namespace is not None and matches(conditions, namespace):
                found.add(namespace[: op.max_depth])
        if not page.page_info.has_next_page:
            return sorted(found)[op.offset : op.offset + op.limit]
        after = page.page_info.end_cursor


async def _candidates(
    client: RecollectClient, workspace_id: str, op: SearchOp
) -> AsyncGenerator[tuple[StoredItem, float | None]]:
    tag = tag_of(op.namespace_prefix)
    if op.query and op.query.strip():
        # With a filter, read full pages, because it drops some of the hits.
        size = _HITS if op.filter else min(op.offset + op.limit, _HITS)
        async for ranked in _ranked(client, workspace_id, tag, op.query, size):
            yield ranked
    async for item in _listed(client, workspace_id, tag):
        yield item, None


async def _ranked(
    client: RecollectClient, workspace_id: str, tag: str, query: str, size: int
) -> AsyncGenerator[tuple[StoredItem, float | None]]:
    for offset in count(0, size):
        request = RecallInput(
            query=query,
            tags=[tag],
            tag_mode=TagMode.ALL,
            limit=size,
            offset=offset,
            expand_relations=False,
        )
        hits = (await client.recall(request, workspace_id=workspace_id)).hits
        for hit in hits:
            item = item_of(hit.memory)
            if item is not None and item.indexed:
                yield item, hit.score
        if not hits:
            return


async def _listed(client: RecollectClient, workspace_id: str, tag: str) -> AsyncGenerator[StoredItem]:
    after: str | None = None
    while True:
        page = await client.memories(
            filter_=MemoryFilter(all_tags=[tag]),
            order_by=MemoryOrder.UPDATED_AT,
            first=_PAGE,
            after=after,
            workspace_id=workspace_id,
        )
        for edge in page.edges:
            item = item_of(edge.node)
            if item is not None:
                yield item
        if not page.page_info.has_next_page:
            return
        after = page.page_info.end_cursor
