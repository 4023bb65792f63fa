"""Data loaders: what fields of many objects need of the graph is read for all of them at once.

Built for each request, since what they have read must not be shown to another one.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, TypeVar

from strawberry.dataloader import DataLoader

from graph.associations.models import Association
from graph.memories.models import Memory, MemoryVersion
from graph.services import Services

ResultT = TypeVar("ResultT")


class Key(NamedTuple):
    """One memory, and how many rows of it are wanted."""

    workspace_id: str
    memory_id: str
    first: int = 1


class Loaders:
    """One of each; they live as long as the request."""

    def __init__(self, services: Services) -> None:
        async def associations(
            workspace_id: str, ids: Sequence[str], first: int
        ) -> dict[str, list[Association]]:
            return await services.associations.of_memories(workspace_id, ids, first=first)

        async def memories(workspace_id: str, ids: Sequence[str], _: int) -> dict[str, Memory]:
            return await services.memories.find_all(workspace_id, ids)

        async def versions(
            workspace_id: str, ids: Sequence[str], first: int
        ) -> dict[str, list[MemoryVersion]]:
            return await services.memories.versions(workspace_id, ids, first=first)

        self.associations: DataLoader[Key, list[Association] | None] = DataLoader(_batched(associations))
        self.memories: DataLoader[Key, Memory | None] = DataLoader(_batched(memories))
        self.versions: DataLoader[Key, list[MemoryVersion] | None] = DataLoader(_batched(versions))


def _batched(
    load: Callable[[str, Sequence[str], int], Awaitable[dict[str, ResultT]]],
) -> Callable[[list[Key]], Awaitable[list[ResultT | None]]]:
    """Return a load function that asks once per workspace and size, and answers in the order of the keys."""

    async def load_keys(keys: list[Key]) -> list[ResultT | None]:
        groups: dict[tuple[str, int], list[str]] = defaultdict(list)
        for key in keys:
            groups[key.workspace_id, key.first].append(key.memory_id)
        found = {group: await load(group[0], ids, group[1]) for group, ids in groups.items()}
        return [found[key.workspace_id, key.first].get(key.memory_id) for key in keys]

    return load_keys
