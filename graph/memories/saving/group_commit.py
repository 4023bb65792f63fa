"""Writes what several callers save at once in one transaction, whose log reaches the disk once.

No save waits for others: if no write is running, a save is written at once; saves during a write form the next
transaction.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from graph.core.errors import RecollectError, Unavailable

KeyT = TypeVar("KeyT", bound=Hashable)
ItemT = TypeVar("ItemT")
ReceiptT = TypeVar("ReceiptT")


@dataclass(frozen=True)
class _Batch(Generic[ItemT, ReceiptT]):
    """Drafts of one caller, with the future for its receipts."""

    items: Sequence[ItemT]
    receipts: "asyncio.Future[Sequence[ReceiptT]]"


class GroupCommit(Generic[KeyT, ItemT, ReceiptT]):
    """Groups the batches that have a key in common; lives as long as the process.

    Args:
        write: Writes several batches in one transaction, given their key, and returns the receipts of each in order.
        most: Maximum number of items in a transaction; a larger batch has its own.
    """

    def __init__(
        self,
        write: Callable[[KeyT, Sequence[Sequence[ItemT]]], Awaitable[Sequence[Sequence[ReceiptT]]]],
        *,
        most: int,
    ) -> None:
        self._write = write
        self._most = most
        self._waiting: dict[KeyT, deque[_Batch[ItemT, ReceiptT]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def write(self, key: KeyT, items: Sequence[ItemT]) -> Sequence[ReceiptT]:
        """Return the receipts of a batch once it is committed.

        A caller that is cancelled before its transaction begins has written nothing. A refused batch does not affect
        the others: each is then written separately.

        Raises:
            RecollectError: Error from writing the batch.
        """
        batch = _Batch[ItemT, ReceiptT](items, asyncio.get_running_loop().create_future())
        if key in self._waiting:
            self._waiting[key].append(batch)
        else:
            self._waiting[key] = deque([batch])
            task = asyncio.create_task(self._drain(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return await batch.receipts

    async def _drain(self, key: KeyT) -> None:
        waiting = self._waiting[key]
        try:
            while group := self._next_group(waiting):
                await self._write_group(key, group)
        finally:
            del self._waiting[key]
            for batch in waiting:
                batch.receipts.cancel()

    def _next_group(self, waiting: deque[_Batch[ItemT, ReceiptT]]) -> list[_Batch[ItemT, ReceiptT]]:
        """Take the batches that are next and still wanted; one at least, if there is any."""
        group: list[_Batch[ItemT, ReceiptT]] = []
        size = 0
        while waiting and (not group or size + len(waiting[0].items) <= self._most):
            batch = waiting.popleft()
            if not batch.receipts.done():
                group.append(batch)
                size += len(batch.items)
        return group

    async def _write_group(self, key: KeyT, group: Sequence[_Batch[ItemT, ReceiptT]]) -> None:
        try:
            receipts = await self._write(key, [batch.items for batch in group])
        except BaseException as error:  # whoever waits is told, or would never stop waiting
            if isinstance(error, RecollectError) and not isinstance(error, Unavailable) and len(group) > 1:
                for batch in group:
                    await self._write_group(key, [batch])
                return
            for batch in group:
                _refuse(batch, error)
            if not isinstance(error, Exception):
                raise
        else:
            for batch, own in zip(group, receipts, strict=True):
                if not batch.receipts.done():
                    batch.receipts.set_result(own)


def _refuse(batch: _Batch[ItemT, ReceiptT], error: BaseException) -> None:
    if batch.receipts.done():
        return
    if isinstance(error, Exception):
        batch.receipts.set_exception(error)
    else:
        batch.receipts.cancel()
