"""Group commits: concurrent saves share a transaction, and no caller's error affects the others."""

import asyncio
from collections.abc import Sequence

import pytest

from graph.core.errors import Conflict, Unavailable
from graph.memories.saving.saver import GroupCommit
from tests.fixtures.waiting import until


class Store:
    """A store that records the items of each transaction and commits when released."""

    def __init__(self) -> None:
        self.transactions: list[list[str]] = []
        self.free = asyncio.Event()
        self.is_away = False

    async def write(self, _key: str, batches: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
        self.transactions.append([item for batch in batches for item in batch])
        await self.free.wait()
        if self.is_away:
            raise Unavailable("neo4j", "the graph database does not answer")
        if "bad" in self.transactions[-1]:
            raise Conflict("bad is taken", field="key")
        return [[f"{item} written" for item in batch] for batch in batches]


async def started(store: Store, group: GroupCommit[str, str, str], *batches: Sequence[str]):
    """Return the callers of batches, the first of which is already writing."""
    callers = []
    for batch in batches:
        callers.append(asyncio.create_task(group.write("ws", batch)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert len(store.transactions) == 1
    return callers


async def test_requests_during_a_transaction_form_the_next_group():
    store = Store()
    callers = await started(store, GroupCommit(store.write, most=3), ["a"], ["b", "c"], ["d"], ["e"])
    store.free.set()

    assert await asyncio.gather(*callers) == [
        ["a written"],
        ["b written", "c written"],
        ["d written"],
        ["e written"],
    ]
    assert store.transactions == [["a"], ["b", "c", "d"], ["e"]]


async def test_a_refused_batch_does_not_affect_others():
    store = Store()
    callers = await started(store, GroupCommit(store.write, most=9), ["a"], ["b"], ["bad"], ["c"])
    store.free.set()
    results = await asyncio.gather(*callers, return_exceptions=True)

    assert [result for result in results if not isinstance(result, Conflict)] == [
        ["a written"], ["b written"], ["c written"],
    ]  # fmt: skip
    assert isinstance(results[2], Conflict)
    assert store.transactions == [["a"], ["b", "bad", "c"], ["b"], ["bad"], ["c"]]


async def test_an_unavailable_store_is_tried_once_for_all_batches():
    store = Store()
    callers = await started(store, GroupCommit(store.write, most=9), ["a"], ["b"], ["c"])
    store.is_away = True
    store.free.set()
    results = await asyncio.gather(*callers, return_exceptions=True)

    assert [type(result) for result in results] == [Unavailable] * 3
    assert store.transactions == [["a"], ["b", "c"]]


async def test_a_caller_cancelled_before_the_transaction_writes_nothing():
    store = Store()
    first, gone, last = await started(store, GroupCommit(store.write, most=9), ["a"], ["b"], ["c"])
    gone.cancel()
    store.free.set()
    with pytest.raises(asyncio.CancelledError):
        await gone

    assert await asyncio.gather(first, last) == [["a written"], ["c written"]]
    assert store.transactions == [["a"], ["c"]]


async def test_keys_do_not_wait_for_each_other():
    store = Store()
    group = GroupCommit(store.write, most=9)
    callers = [asyncio.create_task(group.write(key, [key])) for key in ("one", "two")]

    async def both_began() -> bool:
        return len(store.transactions) == 2

    await until(both_began)
    assert store.transactions == [["one"], ["two"]]
    store.free.set()
    await asyncio.gather(*callers)
