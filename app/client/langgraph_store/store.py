"""The store: order of operations in a batch, and lifetime of items."""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Self, TypeVar

from langgraph.store.base import (
    BaseStore,
    GetOp,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchOp,
    TTLConfig,
    validate_op_namespace,
)

from ..generated import RecollectClient, UpdateMemoryInput
from ..langgraph_layout import memory_id
from ..shared import SharedClient
from ..transport import ApiError
from .items import (
    WHOLE,
    StoredItem,
    end_of_life,
    item_of,
    memory_of,
)
from .reading import found_items, namespaces

T = TypeVar("T")
_AT_ONCE = 16
"""Number of concurrent requests of one batch."""
_MOST_SAVED = 100
"""Number of items that one request writes."""


class RecollectStore(BaseStore):
    """Long-term memory of LangGraph in a workspace of Recollect; safe for concurrent use, lives until it is closed.

    Items are memories: other clients of the workspace recall them too, and ``items`` describes their form. Search needs
    no ``index`` configuration, because the service embeds automatically, soon after a put. A value has JSON of at most
    about 65,000 characters and no credentials, a namespace about 190 characters; the service refuses others.
    """

    supports_ttl = True

    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        *,
        workspace_id: str | None = None,
        fields: Sequence[str] = (WHOLE,),
        ttl: TTLConfig | None = None,
        user_label: int | None = None,
        **options: Any,
    ) -> None:
        """Make a store.

        Args:
            base_url: Address of the service, such as ``http://127.0.0.1:8000``.
            api_key: Key with the scopes read and write.
            workspace_id: Workspace of the items; default: the workspace of the key.
            fields: Paths of searched texts if ``put`` names none, as in LangGraph's ``IndexConfig``.
            ttl: ``default_ttl`` and ``refresh_on_read``; expired items vanish at once and need no sweep.
            user_label: Index of the namespace label with the owner of an item, from 0, such as 1 for ``("users",
                "ada")``; default: items are everybody's, or those of the key's user.
            options: As for ``Client``.
        """
        self.ttl_config = ttl
        self._workspace_id = workspace_id
        self._fields = tuple(fields)
        self._user_label = user_label
        self._client = SharedClient(base_url, api_key, **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; closing again does nothing."""
        self._client.close()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations: reads see the state before the batch, and the last put of an item counts.

        Raises:
            InvalidNamespaceError: A label is invalid.
            ApiError: The service refuses or cannot be reached; puts of the batch may have been stored.
        """
        checked = _checked(ops)
        return self._client.run(lambda client: self._execute(client, checked))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same as :meth:`batch`, asynchronously."""
        checked = _checked(ops)
        return await self._client.arun(lambda client: self._execute(client, checked))

    async def _execute(self, client: RecollectClient, ops: Sequence[Op]) -> list[Result]:
        if self._workspace_id is None:
            self._workspace_id = (await client.me()).workspace_id
        batch = _Batch(client, self._workspace_id, self._fields, self._user_label)
        results = await batch.gathered([batch.read(op) for op in ops])
        await batch.write({(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}.values())
        return results


class _Batch:
    """The requests of one batch."""

    def __init__(
        self, client: RecollectClient, workspace_id: str, fields: Sequence[str], user_label: int | None
    ) -> None:
        self._client = client
        self._workspace_id = workspace_id
        self._fields = fields
        self._user_label = user_label
        self._under_way = asyncio.Semaphore(_AT_ONCE)

    async def gathered(self, work: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        async def limited(one: Coroutine[Any, Any, T]) -> T:
            async with self._under_way:
                return await one

        return await asyncio.gather(*(limited(one) for one in work))

    async def read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return await self._get(op)
        if isinstance(op, SearchOp):
            return await self._search(op)
        if isinstance(op, ListNamespacesOp):
            return await namespaces(self._client, self._workspace_id, op)
        return None

    async def _get(self, op: GetOp) -> Result:
        id_ = memory_id(self._workspace_id, op.namespace, op.key)
        memory = await self._client.memory(id_, workspace_id=self._workspace_id)
        stored = None if memory is None else item_of(memory)
        if stored is None:
            return None
        if op.refresh_ttl:
            await self._put_off(stored)
        return stored.item()

    async def _search(self, op: SearchOp) -> Result:
        found = await found_items(self._client, self._workspace_id, op)
        if op.refresh_ttl:
            for stored, _ in found:
                await self._put_off(stored)
        return [stored.search_item(score) for stored, score in found]

    async def _put_off(self, stored: StoredItem) -> None:
        if stored.ttl is None:
            return
        # A read extends the lifetime of the memory, but keeps the item's time of change and so its place in lists.
        change = UpdateMemoryInput(expires_at=end_of_life(stored.ttl), updated_at=stored.changed_at)
        try:
            await self._change(stored.id, change)
        except ApiError as error:
            if error.code != "NOT_FOUND":  # the item expired or was deleted since the read
                raise

    async def _change(self, id_: str, change: UpdateMemoryInput) -> None:
        await self._client.update_memory(id_, change, workspace_id=self._workspace_id)

    async def write(self, ops: Iterable[PutOp]) -> None:
        puts = list(ops)
        now = datetime.now(UTC)
        inputs = [
            memory_of(op, self._workspace_id, self._fields, now, self._user_label)
            for op in puts
            if op.value is not None
        ]
        for start in range(0, len(inputs), _MOST_SAVED):
            saved = await self._client.save_memories(
                inputs[start : start + _MOST_SAVED], workspace_id=self._workspace_id
            )
            # A save keeps omitted fields, so remove the expiry of items put without a ttl.
            lasting = {item.id for item in inputs[start : start + _MOST_SAVED] if item.expires_at is None}
            ending = [receipt.memory for receipt in saved if receipt.memory.expires_at is not None]
            endless = UpdateMemoryInput(expires_at=None)
            await self.gathered(
                [self._change(memory.id, endless) for memory in ending if memory.id in lasting]
            )
        ids = [memory_id(self._workspace_id, op.namespace, op.key) for op in puts if op.value is None]
        await self.gathered(
            [self._client.delete_memory(id_, hard=True, workspace_id=self._workspace_id) for id_ in ids]
        )


def _checked(ops: Iterable[Op]) -> list[Op]:
    checked = list(ops)
    for op in checked:
        validate_op_namespace(op)
    return checked
