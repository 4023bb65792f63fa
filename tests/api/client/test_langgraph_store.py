"""LangGraph's store over the running service, compared with LangGraph's in-memory store."""

import asyncio
import random
from collections.abc import AsyncIterator
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchItem,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from app.client.generated import MemoryFilter, RecollectClient, UpdateMemoryInput
from app.client.langgraph_layout import memory_id
from app.client.langgraph_store import RecollectStore
from app.client.transport import ApiError
from graph.tenancy.models import Scope
from tests.fixtures.waiting import until


@pytest.fixture
async def secret(services, workspace_id) -> str:
    """Create a key that may read and write the test's workspace."""
    _, made = await services.tenancy.keys.create(workspace_id, name="agent", scopes=[Scope.READ, Scope.WRITE])
    return made


@pytest.fixture
async def store(api_url, secret) -> AsyncIterator[RecollectStore]:
    with RecollectStore(api_url, secret) as opened:
        yield opened


def told(result: Any) -> Any:
    """Return the part of a result on which both stores must agree: no times, scores or unranked order."""
    if isinstance(result, list):
        return sorted((told(each) for each in result), key=repr)
    return (result.namespace, result.key, result.value) if hasattr(result, "key") else result


NAMESPACES = [("a",), ("a", "b"), ("a", "B"), ("a", "b", "c"), ("x y", "é/:%"), ("ab",)]


def random_op(choice: random.Random) -> Op:
    namespace, key = choice.choice(NAMESPACES), choice.choice(["k", "K", "k/1"])
    value = {"n": choice.randrange(4), "tag": choice.choice("pq"), "none": None, "deep": {"list": [1, "two"]}}
    condition = MatchCondition(
        match_type=choice.choice(["prefix", "suffix"]),
        path=choice.choice([("a",), ("*", "b"), ("c",), ("a", "*")]),
    )
    return choice.choice(
        [
            PutOp(namespace, key, value),
            PutOp(namespace, key, value, index=False),
            PutOp(namespace, key, None),
            GetOp(namespace, key),
            SearchOp(namespace[: choice.randrange(3)], limit=100),
            SearchOp((), filter={"n": {"$gte": 2}, "tag": "p"}, limit=100),
            SearchOp(("a",), filter={"deep": {"list": [1, "two"]}}, limit=100),
            ListNamespacesOp(match_conditions=(condition,), max_depth=choice.choice([None, 1, 2])),
            ListNamespacesOp(),
        ]
    )


def forget_empty_namespaces(reference: InMemoryStore) -> None:
    """Remove empty namespaces, which LangGraph's own store keeps listing."""
    for namespace in [namespace for namespace, items in reference._data.items() if not items]:
        del reference._data[namespace]


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_the_store_returns_the_same_results_as_langgraphs_own(store, seed) -> None:
    choice, reference = random.Random(seed), InMemoryStore()

    for _ in range(12):
        ops = [random_op(choice) for _ in range(choice.randrange(1, 8))]
        ops.sort(key=lambda op: not isinstance(op, ListNamespacesOp))
        forget_empty_namespaces(reference)
        mine, theirs = await store.abatch(ops), await reference.abatch(ops)

        assert [told(result) for result in mine] == [told(result) for result in theirs], ops


async def test_an_item_is_stored_read_replaced_and_deleted(store) -> None:
    await store.aput(("users", "one"), "prefs", {"theme": "dark", "size": None})
    first = await store.aget(("users", "one"), "prefs")
    await store.aput(("users", "one"), "prefs", {"theme": "light"})
    second = await store.aget(("users", "one"), "prefs")
    await store.adelete(("users", "one"), "prefs")

    assert first is not None
    assert second is not None
    assert (first.value, first.key, first.namespace) == (
        {"theme": "dark", "size": None},
        "prefs",
        ("users", "one"),
    )
    assert (second.value, second.created_at) == ({"theme": "light"}, first.created_at)
    assert second.updated_at > first.updated_at >= first.created_at
    assert await store.aget(("users", "one"), "prefs") is None
    await store.adelete(("users", "one"), "prefs")


async def test_a_query_ranks_indexed_items_first_and_lists_the_others_without_a_score(store) -> None:
    await store.abatch(
        [
            PutOp(("docs",), "tabs", {"text": "we indent with tabs", "n": 1}, index=["text"]),
            PutOp(("docs",), "tests", {"text": "tests run in parallel", "n": 2}, index=["text"]),
            PutOp(("docs",), "hidden", {"text": "we indent with tabs", "n": 1}, index=False),
            PutOp(("other",), "tabs", {"text": "we indent with tabs"}),
        ]
    )

    async def both_ranked() -> list[SearchItem]:
        """Search; return nothing until the hit without a common word has a score."""
        found = await store.asearch(("docs",), query="indent with tabs")
        return found if found[1].score is not None else []

    found = await until(both_ranked)
    page = await store.asearch(("docs",), query="indent with tabs", limit=1, offset=1)
    filtered = await store.asearch(("docs",), query="indent with tabs", filter={"n": {"$gt": 1}})

    assert found[0].key == "tabs"
    assert found[0].score is not None
    assert {item.key for item in found} == {"tabs", "tests", "hidden"}
    assert [item.score for item in found if item.key == "hidden"] == [None]
    scores = [item.score for item in found if item.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert [item.key for item in page] == [found[1].key]
    assert [item.key for item in filtered] == ["tests"]


async def test_more_items_than_a_page_are_searched_and_listed(store) -> None:
    await store.abatch([PutOp(("many", f"n{n % 3}"), f"k{n}", {"n": n}) for n in range(230)])

    found = await store.asearch(("many",), limit=300)
    page = await store.asearch(("many",), limit=20, offset=215)

    assert {item.value["n"] for item in found} == set(range(230))
    assert len(page) == 15
    assert await store.alist_namespaces() == [("many", "n0"), ("many", "n1"), ("many", "n2")]


async def test_an_item_expires_and_reading_extends_its_ttl(api_url, secret, workspace_id) -> None:
    name = (("cache",), "k")
    id_ = memory_id(workspace_id, *name)

    with RecollectStore(api_url, secret, ttl={"default_ttl": 60.0, "refresh_on_read": True}) as store:
        async with RecollectClient(api_url, secret) as client:
            await store.aput(*name, {"a": 1})
            put = await client.memory(id_)
            unread = await store.aget(*name, refresh_ttl=False)
            still = await client.memory(id_)
            read = await store.aget(*name)
            put_off = await client.memory(id_)
            await store.aput(*name, {"a": 2}, ttl=None)
            lasting = await client.memory(id_)
            await store.aput(*name, {"a": 3}, ttl=0.001)

            async def is_gone() -> bool:
                return await store.aget(*name, refresh_ttl=False) is None

            await until(is_gone)
            assert await store.asearch(("cache",)) == []

    assert put is not None
    assert still is not None
    assert put_off is not None
    assert lasting is not None
    assert put.expires_at == still.expires_at < put_off.expires_at
    assert unread is not None
    assert read is not None
    assert read.updated_at == unread.updated_at
    assert lasting.expires_at is None


async def test_reading_an_item_does_not_change_its_place_in_lists(api_url, secret) -> None:
    """LangGraph's own stores list the latest put first and ignore reads."""
    with RecollectStore(api_url, secret, ttl={"default_ttl": 60.0, "refresh_on_read": True}) as store:
        for key in ("one", "two", "three"):
            await store.aput(("cache",), key, {"a": 1})
        await store.aget(("cache",), "one")
        await store.asearch(("cache",), limit=1, offset=1)
        read = await store.asearch(("cache",), refresh_ttl=False)
        await store.aput(("cache",), "two", {"a": 2})
        put = await store.asearch(("cache",), refresh_ttl=False)

    assert [item.key for item in read] == ["three", "two", "one"]
    assert [item.key for item in put] == ["two", "three", "one"]


async def test_other_surfaces_find_items_but_the_store_ignores_other_memories(store, api_url, secret) -> None:
    await store.aput(("users", "one"), "prefs", {"text": "prefers tabs over spaces"})

    async with RecollectClient(api_url, secret) as client:
        (edge,) = (await client.memories(filter_=MemoryFilter(all_tags=["langgraph/users"]))).edges
        await client.update_memory(edge.node.id, UpdateMemoryInput(importance=0.9))

    assert edge.node.content == "prefers tabs over spaces"
    item = await store.aget(("users", "one"), "prefs")
    assert item is not None
    assert item.value == {"text": "prefers tabs over spaces"}


async def test_items_with_equal_names_are_separate_in_two_workspaces(
    api_url, store, services, other_workspace_id
) -> None:
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="other", scopes=[Scope.READ, Scope.WRITE]
    )
    await store.aput(("a",), "k", {"mine": True})

    with RecollectStore(api_url, secret) as other:
        assert await other.aget(("a",), "k") is None
        await other.aput(("a",), "k", {"mine": False})
        await other.adelete(("a",), "k")

    item = await store.aget(("a",), "k")
    assert item is not None
    assert item.value == {"mine": True}


async def test_the_synchronous_methods_do_the_same(store) -> None:
    def use() -> tuple[Any, Any, Any]:
        store.put(("sync",), "k", {"a": 1})
        return store.get(("sync",), "k"), store.search(("sync",)), store.list_namespaces()

    got, found, listed = await asyncio.to_thread(use)
    await asyncio.to_thread(store.delete, ("sync",), "k")

    assert got.value == {"a": 1}
    assert [item.key for item in found] == ["k"]
    assert listed == [("sync",)]
    assert await store.aget(("sync",), "k") is None


async def test_an_invalid_namespace_is_refused_before_anything_is_stored(store) -> None:
    with pytest.raises(InvalidNamespaceError):
        await store.abatch([PutOp(("ok",), "k", {}), PutOp(("not.ok",), "k", {})])
    with pytest.raises(ApiError, match="200 characters"):
        await store.aput(("x" * 250,), "k", {})

    assert await store.alist_namespaces() == []


class State(TypedDict):
    """The state that the graph below passes on."""

    found: list[str]


async def test_a_graph_of_langgraph_remembers_through_it(store) -> None:
    async def remember(_: State, *, store: BaseStore) -> State:
        await store.aput(("memories",), "one", {"text": "we indent with tabs"})
        return {"found": []}

    async def recall(_: State, *, store: BaseStore) -> State:
        return {"found": [item.value["text"] for item in await store.asearch(("memories",), query="tabs")]}

    graph = StateGraph(State)
    graph.add_node("remember", remember)
    graph.add_node("recall", recall)
    graph.add_edge(START, "remember")
    graph.add_edge("remember", "recall")
    graph.add_edge("recall", END)

    assert await graph.compile(store=store).ainvoke({"found": []}) == {"found": ["we indent with tabs"]}


async def test_a_label_of_a_namespace_may_name_the_user(api_url, secret, graphql) -> None:
    """I2, issue 15 point 4."""
    with RecollectStore(api_url, secret, user_label=1) as store:
        await store.aput(("users", "ada"), "editor", {"text": "Ada prefers tabs"})
        await store.aput(("users", "bob"), "editor", {"text": "Bob prefers spaces"})
        await store.aput(("app",), "motd", {"text": "Be kind"})

        found = await store.aget(("users", "bob"), "editor")
    page = await graphql.ok('{ memories(scope: {userId: "ada"}) { edges { node { userId } } } }')

    assert found is not None
    assert found.value == {"text": "Bob prefers spaces"}
    owners = {edge["node"]["userId"] for edge in page["memories"]["edges"]}
    assert owners == {"ada", None}
