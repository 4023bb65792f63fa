"""Data loaders: read the data of a field for many objects in one query.

Each request has its own loaders, because another request must not see its data.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from strawberry.dataloader import DataLoader

from graph.core.pages import Page
from graph.operations.services import Services

ResultT = TypeVar("ResultT")


class Key(NamedTuple):
    """One node, and the number of its rows to load."""

    workspace_id: str
    id: str
    first: int = 1


class PageKey(NamedTuple):
    """One node, and the page of its rows to load."""

    workspace_id: str
    id: str
    first: int
    after: str | None


class RowsOf(Protocol[ResultT]):
    """A use case that reads the first rows of each node, by the nodes' ids."""

    def __call__(
        self, workspace_id: str, ids: Sequence[str], /, *, first: int
    ) -> Awaitable[Mapping[str, list[ResultT]]]:
        """Return the rows; nodes without rows may be omitted."""
        ...


class PagesOf(Protocol[ResultT]):
    """A use case that reads a page of rows of each node, by the nodes' ids."""

    def __call__(
        self, workspace_id: str, ids: Sequence[str], /, *, first: int, after: str | None
    ) -> Awaitable[Mapping[str, Page[ResultT]]]:
        """Return a page for each node."""
        ...


class PagesBefore(Protocol[ResultT]):
    """A use case like ``PagesOf`` that reads pages from the end of the rows."""

    def __call__(
        self, workspace_id: str, ids: Sequence[str], /, *, last: int, before: str | None
    ) -> Awaitable[Mapping[str, Page[ResultT]]]:
        """Return a page for each node."""
        ...


class Loaders:
    """All data loaders of one request."""

    def __init__(self, services: Services) -> None:
        ontology, telemetry = services.knowledge.ontology, services.telemetry.reader
        self.actions = _rows(telemetry.actions_of)
        self.artifacts = _ones(services.knowledge.artifacts.find_all)
        self.associations = _rows(services.memories.associations.of_memories)
        self.chunk_pages = _pages(services.knowledge.documents.chunks_of)
        self.chunks = _ones(services.knowledge.documents.find_chunks)
        self.connection_counts = _ones(services.knowledge.connections.count_entities)
        self.conversation_counts = _ones(services.conversations.capture.counts_of)
        self.conversations = _ones(services.conversations.capture.find_all)
        self.documents = _ones(services.knowledge.documents.find_all)
        self.entities = _ones(ontology.find_all)
        self.entity_counts = _of_workspaces(ontology.count_by_type)
        self.episodes = _ones(services.conversations.episodes.find_all)
        self.evidence = _rows(telemetry.evidence_of)
        self.handoffs = _ones(services.conversations.handoffs.of_conversations)
        self.handoffs_by_id = _ones(services.conversations.handoffs.find_all)
        self.last_message_pages = _pages(_from_the_end(services.conversations.capture.messages_before))
        self.memories = _ones(services.memories.store.find_all)
        self.memories_with_deleted = _ones(partial(services.memories.store.find_all, include_deleted=True))
        self.mentioned = _rows(services.knowledge.linking.mentions_of_memories)
        self.mentioning = _rows(services.knowledge.linking.mentions_of_entities)
        self.message_pages = _pages(services.conversations.capture.messages_of)
        self.neighbours = _rows(services.knowledge.traversal.neighbours)
        self.outcomes = _ones(services.telemetry.outcomes.of_memories)
        self.partly_embedded = _ones(services.knowledge.documents.count_partly_embedded)
        self.relations = _rows(ontology.relations.of_entities)
        self.relation_counts = _of_workspaces(ontology.count_relations_by_type)
        self.target_actions = _pages(telemetry.actions_on)
        self.versions = _rows(services.memories.store.versions)


def _rows(load: RowsOf[ResultT]) -> DataLoader[Key, list[ResultT] | None]:
    async def load_rows(workspace_id: str, ids: Sequence[str], first: int) -> Mapping[str, list[ResultT]]:
        return await load(workspace_id, ids, first=first)

    return DataLoader(_batched(load_rows))


def _from_the_end(load: PagesBefore[ResultT]) -> PagesOf[ResultT]:
    def load_pages(
        workspace_id: str, ids: Sequence[str], /, *, first: int, after: str | None
    ) -> Awaitable[Mapping[str, Page[ResultT]]]:
        return load(workspace_id, ids, last=first, before=after)

    return load_pages


def _pages(load: PagesOf[ResultT]) -> DataLoader[PageKey, Page[ResultT]]:
    async def load_pages(keys: list[PageKey]) -> list[Page[ResultT]]:
        found: dict[PageKey, Page[ResultT]] = {}
        for scope in {(key.workspace_id, key.first, key.after) for key in keys}:
            workspace_id, first, after = scope
            ids = [key.id for key in keys if (key.workspace_id, key.first, key.after) == scope]
            pages = await load(workspace_id, ids, first=first, after=after)
            found |= {PageKey(workspace_id, id_, first, after): page for id_, page in pages.items()}
        return [found[key] for key in keys]

    return DataLoader(load_pages)


def _ones(
    load: Callable[[str, Sequence[str]], Awaitable[Mapping[str, ResultT]]],
) -> DataLoader[Key, ResultT | None]:
    async def load_ones(workspace_id: str, ids: Sequence[str], _: int) -> Mapping[str, ResultT]:
        return await load(workspace_id, ids)

    return DataLoader(_batched(load_ones))


def _of_workspaces(load: Callable[[str], Awaitable[ResultT]]) -> DataLoader[str, ResultT]:
    async def load_all(workspace_ids: list[str]) -> list[ResultT]:
        return [await load(id_) for id_ in workspace_ids]

    return DataLoader(load_all)


def _batched(
    load: Callable[[str, Sequence[str], int], Awaitable[Mapping[str, ResultT]]],
) -> Callable[[list[Key]], Awaitable[list[ResultT | None]]]:
    """Return a load function that reads once for each workspace and size, and keeps the order of the keys."""

    async def load_keys(keys: list[Key]) -> list[ResultT | None]:
        groups: dict[tuple[str, int], list[str]] = defaultdict(list)
        for key in keys:
            groups[key.workspace_id, key.first].append(key.id)
        found = {group: await load(group[0], ids, group[1]) for group, ids in groups.items()}
        return [found[key.workspace_id, key.first].get(key.id) for key in keys]

    return load_keys
