"""Checkpoints of frameworks for agents through GraphQL (issue 16)."""

import base64
from typing import Any

import pytest

from graph.tenancy.access.models import Scope
from tests.fixtures.app import GraphQLClient
from tests.fixtures.graphs import run

FIELDS = """threadId namespace checkpointId parentId state stateType metadata userId agentId
  writes { taskId taskPath position channel value valueType }"""
SAVE = "mutation($input: SaveCheckpointInput!) { saveCheckpoint(input: $input) }"
SAVE_WRITES = "mutation($input: SaveCheckpointWritesInput!) { saveCheckpointWrites(input: $input) }"
READ = f"""query($thread: ID!, $ns: String, $id: ID) {{
  checkpoint(threadId: $thread, namespace: $ns, id: $id) {{ {FIELDS} }} }}"""
LIST = """query(
  $thread: ID, $ns: String, $before: ID, $metadata: JSON, $first: Int, $after: String, $scope: ScopeInput
) {
  checkpoints(threadId: $thread, namespace: $ns, before: $before, metadata: $metadata, first: $first, after: $after,
              scope: $scope) {
    edges { node { threadId namespace checkpointId } cursor } pageInfo { hasNextPage endCursor }
  } }"""
DELETE = "mutation($thread: ID!) { deleteThread(threadId: $thread) }"
COUNT = """CYPHER 25 MATCH (n:AgentCheckpoint|AgentCheckpointWrite|AgentCheckpointThread {workspace_id: $ws})
RETURN labels(n)[0] AS label, count(*) AS count ORDER BY label"""


def text_of(state: bytes) -> str:
    return base64.b64encode(state).decode()


def checkpoint(id_: str, thread: str = "t", **others: Any) -> dict[str, Any]:
    return {
        "threadId": thread,
        "checkpointId": id_,
        "state": text_of(id_.encode()),
        "stateType": "msgpack",
        **others,
    }


def write(position: int, value: bytes, channel: str = "c") -> dict[str, Any]:
    return {"position": position, "channel": channel, "value": text_of(value), "valueType": "bytes"}


def writes(id_: str, *rows: dict[str, Any], task: str = "task", **others: Any) -> dict[str, Any]:
    return {"threadId": "t", "checkpointId": id_, "taskId": task, "writes": list(rows), **others}


async def listed(client: GraphQLClient, **asked: Any) -> list[str]:
    page = (await client.ok(LIST, **asked))["checkpoints"]
    return [edge["node"]["checkpointId"] for edge in page["edges"]]


async def counted(driver, workspace_id: str) -> dict[str, int]:
    return {r["label"]: r["count"] for r in (await run(driver, COUNT, ws=workspace_id)).records}


async def bound(http, services, workspace_id: str, user: str) -> GraphQLClient:
    """Return a client whose key is bound to a user."""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name=user, scopes=[Scope.READ, Scope.WRITE], user_id=user
    )
    return GraphQLClient(http, secret)


async def test_a_checkpoint_is_saved_read_replaced_and_deleted(graphql, graph_driver, workspace_id) -> None:
    """Memory being off in this workspace makes no difference."""
    first = checkpoint("1", namespace="n", parentId="0", metadata={"step": 1})

    assert await graphql.ok(SAVE, input=first) == {"saveCheckpoint": True}
    assert await graphql.ok(SAVE, input=first) == {"saveCheckpoint": False}
    assert await graphql.ok(SAVE, input={**first, "state": "AP8="}) == {"saveCheckpoint": False}
    assert await counted(graph_driver, workspace_id) == {"AgentCheckpoint": 1, "AgentCheckpointThread": 1}
    expected = {
        **first,
        "state": "AP8=",
        "userId": None,
        "agentId": None,
        "writes": [],
    }
    assert (await graphql.ok(READ, thread="t", ns="n", id="1"))["checkpoint"] == expected
    assert (await graphql.ok(READ, thread="t", ns="n"))["checkpoint"] == expected
    assert (await graphql.ok(READ, thread="t"))["checkpoint"] is None
    assert (await graphql.ok(READ, thread="other", ns="n", id="1"))["checkpoint"] is None
    assert await graphql.ok(DELETE, thread="t") == {"deleteThread": True}
    assert await graphql.ok(DELETE, thread="t") == {"deleteThread": False}
    assert await counted(graph_driver, workspace_id) == {}


async def test_what_a_task_wrote_stays_and_errors_are_replaced(graphql, graph_driver, workspace_id) -> None:
    """Whichever comes first, the writes or their checkpoint."""
    rows = [write(0, b"a"), write(1, b"b"), write(-1, b"error", "__error__")]

    assert await graphql.ok(SAVE_WRITES, input=writes("1", *rows, taskPath="~2")) == {
        "saveCheckpointWrites": 3
    }
    await graphql.ok(SAVE, input=checkpoint("1"))
    again = [write(0, b"changed"), write(-1, b"changed", "__error__"), write(2, b"new")]
    assert await graphql.ok(SAVE_WRITES, input=writes("1", *again, taskPath="~2")) == {
        "saveCheckpointWrites": 2
    }
    await graphql.ok(SAVE_WRITES, input=writes("1", write(0, b"d"), task="another", taskPath="~1"))
    await graphql.ok(SAVE_WRITES, input=writes("2", write(0, b"of the next")))
    await graphql.ok(SAVE_WRITES, input=writes("1", write(0, b"elsewhere"), namespace="n"))

    found = (await graphql.ok(READ, thread="t"))["checkpoint"]
    assert [
        (each["taskId"], each["position"], base64.b64decode(each["value"])) for each in found["writes"]
    ] == [
        ("another", 0, b"d"),
        ("task", -1, b"changed"),
        ("task", 0, b"a"),
        ("task", 1, b"b"),
        ("task", 2, b"new"),
    ]
    assert await counted(graph_driver, workspace_id) == {
        "AgentCheckpoint": 1,
        "AgentCheckpointThread": 1,
        "AgentCheckpointWrite": 7,
    }


async def test_checkpoints_are_listed_the_latest_first_page_by_page(graphql) -> None:
    for thread in ("t", "u"):
        for number in range(4):
            for namespace in ("", "n"):
                given = checkpoint(f"1f{number}", thread, namespace=namespace, metadata={"step": number})
                await graphql.ok(SAVE, input=given)

    found: list[tuple[str, str, str]] = []
    after = None
    while True:
        page = (await graphql.ok(LIST, first=3, after=after))["checkpoints"]
        found += [tuple(edge["node"].values()) for edge in page["edges"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]

    everything = [(f"1f{n}", thread, ns) for n in range(4) for thread in ("t", "u") for ns in ("", "n")]
    assert [(id_, thread, ns) for thread, ns, id_ in found] == sorted(everything, reverse=True)
    assert await listed(graphql, thread="t", ns="") == ["1f3", "1f2", "1f1", "1f0"]
    assert await listed(graphql, thread="t", before="1f2") == ["1f1", "1f1", "1f0", "1f0"]
    assert await listed(graphql, thread="t", ns="n", metadata={"step": 2}) == ["1f2"]
    assert await listed(graphql, thread="t", metadata={"step": 2, "source": "loop"}) == []
    assert await listed(graphql, thread="t", ns="n", metadata={"source": None}, before="1f1") == ["1f0"]
    assert await listed(graphql, thread="t", metadata={"step": None}) == []
    assert await listed(graphql, thread="t", first=2) == ["1f3", "1f3"]
    assert await listed(graphql, thread="none") == []


async def test_another_workspace_never_sees_them(
    graphql, http, services, workspace_id, other_workspace_id
) -> None:
    _, secret = await services.tenancy.keys.create(
        other_workspace_id, name="other", scopes=[Scope.READ, Scope.WRITE]
    )
    other = GraphQLClient(http, secret)
    await graphql.ok(SAVE, input=checkpoint("1"))
    await graphql.ok(SAVE_WRITES, input=writes("1", write(0, b"ours")))

    assert (await other.ok(READ, thread="t", id="1"))["checkpoint"] is None
    assert await listed(other) == []
    assert await other.ok(SAVE, input=checkpoint("1", state="")) == {"saveCheckpoint": True}
    await other.ok(SAVE_WRITES, input=writes("1", write(-1, b"theirs")))
    assert await other.ok(DELETE, thread="t") == {"deleteThread": True}
    found = (await graphql.ok(READ, thread="t"))["checkpoint"]
    assert (found["state"], [each["value"] for each in found["writes"]]) == (
        text_of(b"1"),
        [text_of(b"ours")],
    )


async def test_a_thread_is_the_users_who_began_it(graphql, http, services, workspace_id) -> None:
    """I2: a key that is bound to somebody else neither reads it nor writes to it nor deletes it."""
    alice, bob = [await bound(http, services, workspace_id, user) for user in ("alice", "bob")]
    await alice.ok(SAVE, input=checkpoint("1"))
    await alice.ok(SAVE_WRITES, input=writes("1", write(0, b"hers")))

    for given in ({}, {"userId": "bob"}):
        refused = await bob.error(SAVE, input=checkpoint("1", **given))
        assert (refused["code"], refused["field"]) == ("CONFLICT", "threadId")
        refused = await bob.error(SAVE_WRITES, input=writes("1", write(-1, b"his"), **given))
        assert (refused["code"], refused["field"]) == ("CONFLICT", "threadId")
    assert (await bob.error(SAVE, input=checkpoint("1", userId="alice")))["code"] == "FORBIDDEN"
    assert (await graphql.error(SAVE, input=checkpoint("1", userId="bob")))["code"] == "CONFLICT"
    assert (await bob.ok(READ, thread="t"))["checkpoint"] is None
    assert await listed(bob) == []
    assert await bob.ok(DELETE, thread="t") == {"deleteThread": False}
    assert await graphql.ok(SAVE, input=checkpoint("2")) == {"saveCheckpoint": True}
    await graphql.ok(SAVE, input=checkpoint("3", "everybody's"))
    found = (await alice.ok(READ, thread="t"))["checkpoint"]
    assert (found["checkpointId"], found["userId"]) == ("2", "alice")
    assert await listed(alice) == ["3", "2", "1"]
    assert await listed(graphql, scope={"userId": "alice", "includeShared": False}) == ["2", "1"]
    assert await listed(bob) == ["3"]
    users = (await graphql.ok("{ users { edges { node { id threads since } } } }"))["users"]["edges"]
    assert [(edge["node"]["id"], edge["node"]["threads"]) for edge in users] == [("alice", 1)]
    assert users[0]["node"]["since"] is not None


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"state": "no base64"}, "state"),
        ({"state": text_of(bytes(4 * 1024 * 1024 + 1))}, "state"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": {"x": "y" * 65_536}}, "metadata"),
        ({"threadId": ""}, "threadId"),
        ({"checkpointId": "a/b"}, "checkpointId"),
        ({"namespace": "n" * 1025}, "namespace"),
        ({"userId": " "}, "userId"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_what_cannot_be_kept_is_refused_by_its_field(
    graphql, graph_driver, workspace_id, change, field
) -> None:
    error = await graphql.error(SAVE, input=checkpoint("1", **change))

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert field in error["message"]
    assert await counted(graph_driver, workspace_id) == {}


async def test_writes_that_cannot_be_kept_leave_nothing(graphql, graph_driver, workspace_id) -> None:
    large = bytes(2 * 1024 * 1024 + 1)
    for rows, field in (
        ([write(0, b"a"), {**write(1, b"b"), "value": "?"}], "value"),
        ([write(0, large), write(1, large)], "writes"),
        ([], "writes"),
        ([write(0, b"a", "")], "channel"),
    ):
        error = await graphql.error(SAVE_WRITES, input=writes("1", *rows))
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)

    assert await counted(graph_driver, workspace_id) == {}


async def test_the_largest_names_and_states_are_kept(graphql) -> None:
    """Of characters of four bytes, which the keys of the indexes just hold."""
    given = checkpoint(
        "f" * 128,
        "\U0001f41d" * 512,
        namespace="\U0001f41d" * 1024,
        state=text_of(bytes(range(256)) * 16 * 1024),
    )
    task = writes("f" * 128, write(2**31 - 1, b"x"), task="t" * 128)

    await graphql.ok(SAVE, input=given)
    await graphql.ok(
        SAVE_WRITES, input={**task, "threadId": given["threadId"], "namespace": given["namespace"]}
    )

    found = (await graphql.ok(READ, thread=given["threadId"], ns=given["namespace"]))["checkpoint"]
    assert found["state"] == given["state"]
    assert len(found["writes"]) == 1


@pytest.mark.parametrize(
    "cursor",
    [base64.urlsafe_b64encode(b'{"id": "mem_1"}').decode().rstrip("="), "[" * 5000, "[1, 2]", "null"],
)
async def test_a_cursor_of_another_list_is_refused(graphql, cursor: str) -> None:
    error = await graphql.error(LIST, after=cursor)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "after")


async def test_nothing_of_them_is_found_or_counted_as_memory(graphql) -> None:
    word = "zanzibarite"
    await graphql.ok(SAVE, input=checkpoint("1", state=text_of(word.encode()), metadata={"note": word}))
    await graphql.ok(SAVE_WRITES, input=writes("1", write(0, word.encode(), word)))

    found = await graphql.ok(
        f'{{ recall(input: {{query: "{word}"}}) {{ hits {{ memory {{ id }} }} }} '
        f'search(query: "{word}") {{ markdown }} '
        f'context(input: {{query: "{word}"}}) {{ prompt }} jobs {{ edges {{ node {{ id }} }} }} '
        "memories { edges { node { id } } } }"
    )

    assert found["recall"]["hits"] == found["memories"]["edges"] == found["jobs"]["edges"] == []
    assert word not in found["search"]["markdown"] + (found["context"]["prompt"] or "")
