"""LangGraph's checkpointer over the running service, held to LangGraph's own in-memory saver (issue 16)."""

import asyncio
import operator
import random
from collections.abc import AsyncIterator
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, Send, interrupt

from app.client.langgraph_checkpointer import RecollectCheckpointer
from app.client.transport import ApiError
from graph.tenancy.access.models import Scope
from tests.fixtures.graphs import run

CONFIG: Any = {"configurable": {"thread_id": "one"}}


@pytest.fixture
async def secret(services, workspace_id) -> str:
    """A key that may read and write this test's workspace."""
    _, made = await services.tenancy.keys.create(workspace_id, name="agent", scopes=[Scope.READ, Scope.WRITE])
    return made


@pytest.fixture
async def saver(api_url, secret) -> AsyncIterator[RecollectCheckpointer]:
    with RecollectCheckpointer(api_url, secret) as opened:
        yield opened


class State(TypedDict, total=False):
    """What the graphs below hand on."""

    said: Annotated[list[str], operator.add]
    answer: str


class Answer(TypedDict, total=False):
    """What a graph within one of them hands on."""

    answer: str


def asking(saver: BaseCheckpointSaver) -> Any:
    """A graph that says hello, asks a person, and says what it heard."""
    graph = StateGraph(State)
    graph.add_node("greet", lambda _: {"said": ["hello"]})
    graph.add_node("ask", lambda _: {"answer": interrupt("which editor?")})
    graph.add_node("tell", lambda state: {"said": [f"you use {state['answer']}"]})
    graph.add_edge(START, "greet")
    graph.add_edge("greet", "ask")
    graph.add_edge("ask", "tell")
    graph.add_edge("tell", END)
    return graph.compile(checkpointer=saver)


def nested(saver: BaseCheckpointSaver) -> Any:
    """A graph around one that asks, whose checkpoints lie in a namespace of their own."""
    inner = StateGraph(Answer)
    inner.add_node("ask", lambda _: {"answer": interrupt("which editor?")})
    inner.add_edge(START, "ask")
    inner.add_edge("ask", END)
    outer = StateGraph(State)
    outer.add_node("inner", inner.compile())
    outer.add_node("tell", lambda state: {"said": [f"you use {state['answer']}"]})
    outer.add_edge(START, "inner")
    outer.add_edge("inner", "tell")
    outer.add_edge("tell", END)
    return outer.compile(checkpointer=saver)


def parallel(saver: BaseCheckpointSaver) -> Any:
    """A graph of several tasks in one step, one of which fails at first."""
    failing = [False, True]

    def work(state: Any) -> State:
        if state["number"] == 2 and failing.pop():
            raise RuntimeError("the second fails once")
        return {"said": [f"task {state['number']}"]}

    graph = StateGraph(State)
    graph.add_node("work", work)
    graph.add_conditional_edges(
        START, lambda _: [Send("work", {"number": number}) for number in range(4)], ["work"]
    )
    graph.add_edge("work", END)
    return graph.compile(checkpointer=saver)


async def test_a_run_that_was_interrupted_goes_on_in_another_process(api_url, secret) -> None:
    with RecollectCheckpointer(api_url, secret) as saver:
        paused = await asking(saver).ainvoke({"said": ["hi"]}, CONFIG)
    with RecollectCheckpointer(api_url, secret) as saver:
        waiting = await asking(saver).aget_state(CONFIG)
        done = await asking(saver).ainvoke(Command(resume="vim"), CONFIG)
        after = await asking(saver).aget_state(CONFIG)

    assert paused["__interrupt__"][0].value == "which editor?"
    assert (waiting.next, waiting.interrupts[0].value) == (("ask",), "which editor?")
    assert done == {"said": ["hi", "hello", "you use vim"], "answer": "vim"}
    assert (after.next, after.values) == ((), done)


async def test_the_synchronous_methods_do_the_same(api_url, secret) -> None:
    def use() -> tuple[Any, Any, list[Any]]:
        with RecollectCheckpointer(api_url, secret) as saver:
            asking(saver).invoke({"said": ["hi"]}, CONFIG)
        with RecollectCheckpointer(api_url, secret) as saver:
            done = asking(saver).invoke(Command(resume="vim"), CONFIG)
            history = list(asking(saver).get_state_history(CONFIG))
            latest = list(saver.list(CONFIG, limit=1))
            saver.delete_thread("one")
            return done, saver.get_tuple(CONFIG), [history, latest]

    done, left, (history, latest) = await asyncio.to_thread(use)

    assert done["said"] == ["hi", "hello", "you use vim"]
    assert [each.values.get("said", []) for each in history] == [
        ["hi", "hello", "you use vim"],
        ["hi", "hello"],
        ["hi", "hello"],
        ["hi"],
        [],
    ]
    assert [each.config["configurable"]["checkpoint_id"] for each in latest] == [
        history[0].config["configurable"]["checkpoint_id"]
    ]
    assert left is None


async def test_a_thread_is_taken_back_changed_and_forked(saver) -> None:
    graph = asking(saver)
    await graph.ainvoke({"said": ["hi"]}, CONFIG)
    await graph.ainvoke(Command(resume="vim"), CONFIG)
    history = [each async for each in graph.aget_state_history(CONFIG)]
    before = next(each for each in history if each.next == ("tell",))

    forked = await graph.aupdate_state(before.config, {"answer": "emacs"})
    again = await graph.ainvoke(None, forked)

    assert again == {"said": ["hi", "hello", "you use emacs"], "answer": "emacs"}
    assert (await graph.aget_state(CONFIG)).values == again
    assert (await graph.aget_state(history[0].config)).values["answer"] == "vim"
    assert [each async for each in graph.aget_state_history(CONFIG)][-len(history) :] == history
    sources = [each.metadata["source"] async for each in graph.aget_state_history(CONFIG)]
    assert sources.count("update") == 1
    (update,) = [each async for each in saver.alist(CONFIG, filter={"source": "update"})]
    assert update.metadata["step"] == 3


async def test_a_graph_within_a_graph_has_a_namespace_of_its_own(saver, workspace_id, graph_driver) -> None:
    graph = nested(saver)
    await graph.ainvoke({"said": ["hi"]}, CONFIG)
    waiting = await graph.aget_state(CONFIG, subgraphs=True)

    done = await nested(saver).ainvoke(Command(resume="vim"), CONFIG)

    namespaces = {each.config["configurable"]["checkpoint_ns"] async for each in saver.alist(CONFIG)}
    inner = waiting.tasks[0].state.config["configurable"]["checkpoint_ns"]
    assert inner.startswith("inner:")
    assert namespaces == {"", inner}
    assert done["said"] == ["hi", "you use vim"]
    only = {"configurable": {"thread_id": "one", "checkpoint_ns": inner}}
    assert {each.config["configurable"]["checkpoint_ns"] async for each in saver.alist(only)} == {inner}
    await saver.adelete_thread("one")
    assert [each async for each in saver.alist(None)] == []
    left = """CYPHER 25
MATCH (n:AgentCheckpoint|AgentCheckpointWrite|AgentCheckpointThread {workspace_id: $ws})
RETURN count(n) AS n"""
    assert (await run(graph_driver, left, ws=workspace_id)).records[0]["n"] == 0


async def test_tasks_that_succeeded_are_not_done_again_after_another_failed(saver) -> None:
    graph = parallel(saver)
    with pytest.raises(RuntimeError, match="the second fails once"):
        await graph.ainvoke({"said": []}, CONFIG)
    failed = await saver.aget_tuple(CONFIG)

    done = await graph.ainvoke(None, CONFIG)

    assert failed is not None
    written = {channel: value for _, channel, value in failed.pending_writes or ()}
    assert "__error__" in written
    assert done["said"] == [f"task {number}" for number in range(4)]


def told(found: CheckpointTuple | None) -> Any:
    """Return what two savers must agree on; writes of a task are in the order of their places."""
    if found is None:
        return None
    return (
        found.config["configurable"]["checkpoint_ns"],
        found.config["configurable"]["checkpoint_id"],
        found.checkpoint,
        dict(found.metadata),
        found.parent_config,
        found.pending_writes,
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_it_answers_as_langgraphs_own_saver_does(saver, seed) -> None:
    choice, reference = random.Random(seed), InMemorySaver()
    places: list[Any] = []
    configs = [
        {"configurable": {"thread_id": thread, "checkpoint_ns": namespace, "user": "ada"}}
        for thread in ("t", "u")
        for namespace in ("", "inner:1", "inner:1|deeper:2")
    ]

    for step in range(25):
        before = choice.choice([*configs, *places])
        values = {"n": step, "text": "é" * choice.randrange(3), "none": None, "bytes": bytes([step])}
        versions = dict.fromkeys(values, step + 1)
        checkpoint = {**empty_checkpoint(), "channel_values": values, "channel_versions": versions}
        metadata = {"source": choice.choice(["input", "loop"]), "step": step % 4, "parents": {"": "x"}}
        mine = await saver.aput(before, checkpoint, metadata, versions)
        assert mine == reference.put(before, checkpoint, metadata, versions)
        places.append(mine)
        for _ in range(choice.randrange(3)):
            place, task = choice.choice(places), choice.choice(["a", "b"])
            channels = [choice.choice(["c", "d", "__error__", "__interrupt__"]) for _ in range(3)]
            rows = [(channel, {"step": step, "at": at}) for at, channel in enumerate(channels)]
            await saver.aput_writes(place, rows, task, f"~{task}")
            reference.put_writes(place, rows, task, f"~{task}")

    for config in [*configs, *places, {"configurable": {"thread_id": "none"}}]:
        assert told(await saver.aget_tuple(config)) == told(reference.get_tuple(config))
    for config in [*configs, {"configurable": {"thread_id": "t"}}, places[0], None]:
        for asked in (
            {},
            {"limit": 3},
            {"filter": {"source": "loop"}},
            {"filter": {"step": 2, "user": "ada"}, "limit": 2},
            {"filter": {"parents": {"": "x"}}, "before": places[20]},
            {"filter": {"absent": None}, "before": places[9]},
            {"limit": 0},
        ):
            found = [told(each) async for each in saver.alist(config, **asked)]
            theirs = sorted(map(told, reference.list(config, **{**asked, "limit": None})), key=lambda t: t[1])
            assert found == theirs[::-1][: asked.get("limit")], (config, asked)


async def test_two_workspaces_hold_threads_of_one_name_apart(
    api_url, saver, services, other_workspace_id
) -> None:
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="other", scopes=[Scope.READ, Scope.WRITE]
    )
    await asking(saver).ainvoke({"said": ["mine"]}, CONFIG)

    with RecollectCheckpointer(api_url, secret) as other:
        assert await other.aget_tuple(CONFIG) is None
        assert [each async for each in other.alist(None)] == []
        await other.adelete_thread("one")
        await asking(other).ainvoke({"said": ["theirs"]}, CONFIG)

    assert (await asking(saver).aget_state(CONFIG)).values["said"] == ["mine", "hello"]


async def test_a_key_of_the_configuration_may_name_the_user(api_url, secret, graphql) -> None:
    """I2: who is erased with the thread."""
    config: Any = {"configurable": {"thread_id": "one", "user_id": "ada"}}
    with RecollectCheckpointer(api_url, secret, user_key="user_id") as saver:
        await asking(saver).ainvoke({"said": ["hi"]}, config)
        await asking(saver).ainvoke(Command(resume="vim"), CONFIG)
        other: Any = {"configurable": {"thread_id": "one", "user_id": "bob"}}
        with pytest.raises(ApiError, match="belongs to another user"):
            await asking(saver).ainvoke({"said": ["hi"]}, other)

    page = await graphql.ok('{ checkpoints(scope: {userId: "ada"}) { edges { node { userId } } } }')
    assert {edge["node"]["userId"] for edge in page["checkpoints"]["edges"]} == {"ada"}


async def test_a_state_that_is_too_large_is_refused_by_name(saver) -> None:
    with pytest.raises(ApiError, match="must have at most 4194304 bytes") as refused:
        await asking(saver).ainvoke({"said": ["x" * 5_000_000]}, CONFIG)

    assert refused.value.field in {"state", "value"}


async def test_what_is_saved_at_the_same_time_is_all_kept(saver) -> None:
    """A thread begins with whichever comes first of what many tasks write."""
    config = {"configurable": {"thread_id": "one", "checkpoint_ns": "", "checkpoint_id": "1f0"}}
    checkpoint = {**empty_checkpoint(), "id": "1f0"}

    await asyncio.gather(
        saver.aput(CONFIG, checkpoint, {"step": 1}, {}),
        *(saver.aput_writes(config, [("c", number)], f"task{number:02}") for number in range(20)),
    )

    found = await saver.aget_tuple(config)
    assert found is not None
    assert [value for _, _, value in found.pending_writes or ()] == list(range(20))
