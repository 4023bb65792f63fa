"""Automatic telemetry: tool calls and writes are recorded while memory is on."""

from collections.abc import AsyncIterator

import httpx
import pytest

from app.bootstrap.runtime import Runtime, SystemClock, open_runtime
from app.main import create_app
from app.observability.action_notes import OF_THE_DEPLOYMENT
from app.settings import MemorySettings
from app.surfaces.graphql.schema import schema
from app.surfaces.proxy.output_feed import OutputFeed
from app.surfaces.proxy.tools import ToolCall, Tools
from app.surfaces.tools import Caller
from graph.core.measuring import UNMEASURED
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.models import ActionDraft, ActionFilter, AgentAction, Outcome, SequenceFilter
from graph.tenancy.models import Scope
from tests.fixtures.embedders import HashingEmbedder

MARK = "quokkamarmalade"


@pytest.fixture(scope="module")
async def noting(settings) -> AsyncIterator[Runtime]:
    """Yield a runtime that records actions."""
    own = settings.model_copy(update={"memory": MemorySettings()})
    async with open_runtime(own, embedder=HashingEmbedder()) as runtime:
        yield runtime


class Asking:
    """A client of one engine's surfaces with the key of one workspace."""

    def __init__(self, http: httpx.AsyncClient, key: str, *, conversation: str = "conversation-1") -> None:
        self._http = http
        self.key = key
        self._headers = {"X-API-Key": key, "X-Recollect-Conversation-Id": conversation}

    async def mutate(self, query: str, **variables) -> dict:
        body = {"query": query, "variables": variables}
        return (await self._http.post("/graphql", json=body, headers=self._headers)).json()

    async def call(self, name: str, **arguments) -> dict:
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {**self._headers, "Accept": "application/json, text/event-stream"}
        return (await self._http.post("/mcp", json=body, headers=headers)).json()

    async def post(self, path: str, body: dict) -> int:
        return (await self._http.post(path, json=body, headers=self._headers)).status_code


async def caller_of(runtime: Runtime, http: httpx.AsyncClient, *, memory: bool) -> tuple[Asking, str]:
    workspace = await runtime.services.tenancy.workspaces.create("noted", memory_enabled=memory)
    _, key = await runtime.services.tenancy.keys.create(
        workspace.id, name="agent", scopes=[Scope.READ, Scope.WRITE]
    )
    return Asking(http, key), workspace.id


@pytest.fixture(scope="module")
async def http(noting) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(create_app(noting.services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        yield client


async def everything(caller: Asking) -> None:
    await caller.mutate(
        "mutation($c: String!) { saveMemory(input: {content: $c}) { outcome } }", c=f"{MARK} one"
    )
    # Nothing was executed.
    await caller.mutate('mutation { deleteMemory(id: "mem_none") { id } nothingLikeIt }')
    await caller.mutate('mutation { again: restoreMemory(id: "mem_none") { id } }')
    await caller.mutate(
        'mutation($c: String!) { updateMemory(id: "mem_none", input: {content: $c}) { id } }', c=MARK
    )
    await caller.mutate("{ me { name } }")
    await caller.call("store_memory", content=f"{MARK} two")
    await caller.call("store_memory")
    await caller.call("memory.record_actions", actions=[])
    await caller.call("no_such_tool")
    await caller.post("/memory", {"content": f"{MARK} three"})
    await caller.post("/memory", {"content": ""})


async def test_every_tool_call_and_every_write_is_recorded(noting, http) -> None:
    """B13: with type, target type, outcome and latency; telemetry calls themselves are not recorded."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    await everything(caller)
    await noting.services.telemetry.notes.flush()

    page = await noting.services.telemetry.reader.actions(workspace_id)
    found = {(each.action_type, each.node_type, each.outcome, each.error_code) for each in page.items}
    assert found == {
        ("saveMemory", "recollect.Memory", Outcome.SUCCESS, None),
        ("restoreMemory", "recollect.Memory", Outcome.ERROR, "NOT_FOUND"),
        ("updateMemory", "recollect.Memory", Outcome.ERROR, "NOT_FOUND"),
        ("store_memory", "recollect.Memory", Outcome.SUCCESS, None),
        ("store_memory", "recollect.Memory", Outcome.ERROR, "INVALID_INPUT"),
        ("automem.store", "recollect.Memory", Outcome.SUCCESS, None),
        ("automem.store", "recollect.Memory", Outcome.ERROR, "INVALID_INPUT"),
    }
    assert {each.session_id for each in page.items} == {"recollect:conversation-1"}
    assert all(each.latency_ms > 0 for each in page.items)
    assert MARK not in repr(page)


async def test_nothing_is_recorded_while_memory_is_off(noting, http) -> None:
    """B13, B10."""
    caller, workspace_id = await caller_of(noting, http, memory=False)
    await everything(caller)
    await noting.services.telemetry.notes.flush()

    assert (await noting.services.telemetry.reader.actions(workspace_id)).items == []


def tools_of(runtime: Runtime, *, seconds: float) -> Tools:
    feed = OutputFeed(runtime.services.conversations.distillation, UNMEASURED, most_waiting=1, most_chars=1)
    return Tools(runtime.services, feed, seconds=seconds)


async def test_tools_that_the_chat_proxy_runs_are_recorded(noting) -> None:
    """B13: under their conversation, and only in its workspace."""
    services = noting.services
    workspace = await services.tenancy.workspaces.create("chats", memory_enabled=True)
    other = await services.tenancy.workspaces.create("others", memory_enabled=True)
    _, key = await services.tenancy.keys.create(workspace.id, name="chat", scopes=[Scope.READ])
    caller = Caller(await services.tenancy.access.authenticate(key), "chat-7")
    calls = [
        ToolCall("1", "x_recall_memory", '{"query": "quokkas"}'),
        ToolCall("2", "x_save_memory", '{"content": "quokkas"}'),
        ToolCall("3", "x_recall_memory", "{"),
    ]
    await tools_of(noting, seconds=60).execute(caller, calls)
    await services.telemetry.notes.flush()

    page = await services.telemetry.reader.actions(workspace.id)
    assert {(each.session_id, each.action_type, each.error_code) for each in page.items} == {
        ("recollect:chat-7", "x_recall_memory", None),
        ("recollect:chat-7", "x_save_memory", "FORBIDDEN"),
        ("recollect:chat-7", "x_recall_memory", "INVALID_INPUT"),
    }
    assert (await services.telemetry.reader.actions(other.id)).items == []


async def test_a_tool_of_the_chat_proxy_that_is_late_is_recorded_as_unavailable(noting) -> None:
    """B13: a call that the model gave up waiting for is no defect of the tool."""
    services = noting.services
    workspace = await services.tenancy.workspaces.create("late", memory_enabled=True)
    _, key = await services.tenancy.keys.create(workspace.id, name="chat", scopes=[Scope.READ])
    caller = Caller(await services.tenancy.access.authenticate(key), "chat-8")
    call = ToolCall("1", "x_recall_memory", '{"query": "quokkas"}')
    results = await tools_of(noting, seconds=0).execute(caller, [call])
    await services.telemetry.notes.flush()

    assert [each.text for each in results] == ["error: memory does not answer now"]
    page = await services.telemetry.reader.actions(workspace.id)
    assert [(each.action_type, each.error_code) for each in page.items] == [
        ("x_recall_memory", "UNAVAILABLE")
    ]


async def test_actions_of_an_administrator_are_recorded_in_their_workspace(noting, http) -> None:
    """B13, N12: through each surface; a refused attempt on another workspace is recorded nowhere."""
    services = noting.services
    own, other, third = [
        await services.tenancy.workspaces.create(name, memory_enabled=True)
        for name in ("own", "other", "third")
    ]
    _, key = await services.tenancy.keys.create(own.id, name="admin", scopes=[Scope.ADMIN])
    _, plain = await services.tenancy.keys.create(third.id, name="agent", scopes=[Scope.READ, Scope.WRITE])
    save = (
        'mutation($w: ID) { saveMemory(workspaceId: $w, input: {content: "quokkas eat leaves"}) { outcome } }'
    )
    for secret in (key, plain):
        caller = Asking(http, secret)
        await caller.mutate(save, w=other.id)
        await caller.mutate("mutation($w: ID) { updateWorkspace(id: $w, input: {}) { id } }", w=other.id)
        await caller.post(f"/v1/workspaces/{other.id}/memories", {"content": "quokkas swim"})
        await caller.post(f"/v1/workspaces/{other.id}/memories", {})
    made = await Asking(http, key).mutate('mutation { createWorkspace(input: {name: "n"}) { id } }')
    removal = "mutation($w: ID!) { deleteWorkspace(id: $w) }"
    await Asking(http, key).mutate(removal, w=made["data"]["createWorkspace"]["id"])
    await services.telemetry.notes.flush()

    acted = await services.telemetry.reader.actions(other.id)
    assert sorted(each.action_type for each in acted.items) == ["rest.save", "saveMemory", "updateWorkspace"]
    assert (await services.telemetry.reader.actions(own.id)).items == []
    assert (await services.telemetry.reader.actions(third.id)).items == []


def test_excluded_mutations_exist() -> None:
    mutations = schema._schema.mutation_type
    assert mutations is not None
    assert set(mutations.fields) >= OF_THE_DEPLOYMENT


async def test_an_agents_runs_and_patterns_are_its_own(noting, http) -> None:
    """B13, G4: automatic actions neither decide how its run ends nor become patterns of its types."""
    services = noting.services
    caller, workspace_id = await caller_of(noting, http, memory=True)
    for run in range(6):
        drafts = [
            ActionDraft(
                session_id=f"run-{run}",
                action_type="deploy",
                node_type="Memory",
                outcome=Outcome.ERROR,
                error_code="E_QUOTA",
            )
        ]
        await services.telemetry.recorder.record(workspace_id, drafts)
        named = Asking(http, caller.key, conversation=f"run-{run}")
        await named.call("store_memory", content=f"the quokkas of run {run}")
        await named.call("delete_memory", memory_id="mem_none")
    await services.telemetry.notes.flush()
    await services.telemetry.promoter.promote(workspace_id)

    runs = await services.telemetry.reader.sequences(workspace_id, SequenceFilter(session_id="run-3"))
    assert [(each.sequence.outcome, each.sequence.action_count) for each in runs.page.items] == [
        (Outcome.ERROR, 1)
    ]
    told = await services.telemetry.reader.patterns_for(workspace_id, node_types=["Memory"])
    assert [(each.action_type, each.confidence) for each in told] == [("deploy", 1.0)]


class Counting:
    """A counter of dropped actions."""

    def __init__(self) -> None:
        self.dropped = 0

    def fallback(self, operation: str, reason: str) -> None:
        self.dropped += (operation, reason) == ("telemetry", "no_room")


async def test_what_there_is_no_room_for_is_dropped_and_counted(noting) -> None:
    """B13: the call is not delayed, and the other actions are recorded at the end."""
    services, counting = noting.services, Counting()
    workspace = await services.tenancy.workspaces.create("busy", memory_enabled=True)
    notes = ActionNotes(services.telemetry.recorder, counting, SystemClock(), most_waiting=2)
    for session in ("s", "a sentence is no id"):
        for _ in range(3):
            notes.note(
                workspace.id,
                session_id=session,
                action_type="a",
                node_type="Memory",
                outcome=Outcome.SUCCESS,
                error_code=None,
                seconds=0.1,
            )
        notes.note(
            workspace.id,
            session_id=session,
            action_type="no identifier",
            node_type="Memory",
            outcome=Outcome.SUCCESS,
            error_code=None,
            seconds=0.1,
        )
        await notes.flush()
    await notes.close()

    assert counting.dropped == 2
    page = await services.telemetry.reader.actions(workspace.id)
    assert sorted({each.session_id == "recollect:s" for each in page.items}) == [False, True]
    assert len(page.items) == 4
    assert "sentence" not in repr(page)


UPSERT = """mutation($inputs: [EntityInput!]!) { upsertEntities(inputs: $inputs) { id } }"""
SERVICE = {"type": "Service", "name": "payments"}


async def recorded(runtime: Runtime, workspace_id: str, target_id: str | None = None) -> list[AgentAction]:
    await runtime.services.telemetry.notes.flush()
    page = await runtime.services.telemetry.reader.actions(workspace_id, ActionFilter(target_id=target_id))
    return list(page.items)


async def test_an_action_targets_its_entity(noting, http) -> None:
    """Issue 35, point 15: with the ontology's type, one edge from the entity."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    made = await caller.mutate(UPSERT, inputs=[SERVICE, {"type": "Service", "name": "ledger"}])
    payments, ledger = [each["id"] for each in made["data"]["upsertEntities"]]
    relate = "mutation($inputs: [RelationInput!]!) { upsertRelations(inputs: $inputs) { id } }"
    await caller.mutate(relate, inputs=[{"from": payments, "type": "DEPENDS_ON", "to": ledger}])
    await caller.call("get", id=ledger)
    await caller.call("context", query="deploy", target_ids=["Service:payments"])

    actions = await recorded(noting, workspace_id)
    assert {(each.action_type, each.node_type, each.target_id) for each in actions} == {
        ("upsertEntities", "Service", payments),
        ("upsertRelations", "Service", payments),
        ("get", "Service", ledger),
        ("context", "Service", payments),
    }
    of_payments = await recorded(noting, workspace_id, payments)
    assert sorted(each.action_type for each in of_payments) == [
        "context",
        "upsertEntities",
        "upsertRelations",
    ]
    of_ledger = await recorded(noting, workspace_id, ledger)
    assert sorted(each.action_type for each in of_ledger) == ["get", "upsertEntities", "upsertRelations"]
    near = await noting.services.knowledge.traversal.neighbours(workspace_id, [ledger], first=10)
    assert [each.edge.type for each in near[ledger]] == ["DEPENDS_ON", "TARGETED", "TARGETED", "TARGETED"]


async def test_an_action_targets_its_memories(noting, http) -> None:
    """Issue 35, point 15: a memory shows which agents saved, related and recalled it."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    ids = [
        (await caller.call("remember", content=content))["result"]["structuredContent"]["memory_id"]
        for content in ("quokkas eat leaves", "wombats dig burrows")
    ]
    await caller.call("relate", from_id=ids[0], to_id=ids[1], type="RELATES_TO")
    await caller.call("recall", query="what do quokkas eat")

    actions = await recorded(noting, workspace_id)
    assert {each.node_type for each in actions} == {"recollect.Memory"}
    first, second = [
        sorted(each.action_type for each in await recorded(noting, workspace_id, id_)) for id_ in ids
    ]
    assert (first, second) == (["recall", "relate", "remember"], ["relate", "remember"])


async def test_a_call_that_finds_nothing_is_a_dead_end(noting, http) -> None:
    """Issue 35, point 15: such as a recall without a relevant hit, or a refused deletion."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    await caller.call("remember", content="quokkas eat leaves")
    await caller.call("recall", query="how many bytes fit into the xylophone's cache")
    await caller.call("forget", memory_id="mem_none")
    await caller.call("ask", question="How many bytes fit into the cache of a xylophone?")
    await caller.mutate('mutation { deleteMemory(id: "mem_none") }')
    await caller.mutate('mutation { restoreMemory(id: "mem_none") { id } }')

    found = {(each.action_type, each.outcome) for each in await recorded(noting, workspace_id)}
    assert found == {
        ("remember", Outcome.SUCCESS),
        ("recall", Outcome.DEAD_END),
        ("forget", Outcome.DEAD_END),
        ("ask", Outcome.DEAD_END),
        ("deleteMemory", Outcome.DEAD_END),
        ("restoreMemory", Outcome.ERROR),
    }


async def test_repeated_failures_on_a_type_become_a_pattern_automatically(noting, http) -> None:
    """Issue 35, point 15; G4: five sessions of an agent that records nothing itself."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    await caller.mutate(UPSERT, inputs=[SERVICE])
    for run in range(5):
        named = Asking(http, caller.key, conversation=f"run-{run}")
        await named.mutate(UPSERT, inputs=[SERVICE | {"uri": "no uri at all"}])
    await noting.services.telemetry.notes.flush()
    await noting.services.telemetry.promoter.promote(workspace_id)

    told = await noting.services.telemetry.reader.patterns_for(workspace_id, node_types=["Service"])
    assert [(each.action_type, each.node_type, each.error_code, each.sequences) for each in told] == [
        ("upsertEntities", "Service", "INVALID_INPUT", 5)
    ]


async def test_a_memory_of_another_user_is_not_a_target(noting, http) -> None:
    """Issue 35, point 15; N12: actions get no edge to memories that the caller may not see."""
    caller, workspace_id = await caller_of(noting, http, memory=True)
    theirs = await caller.call("remember", content="quokkas eat leaves", user_id="ada")
    id_ = theirs["result"]["structuredContent"]["memory_id"]
    await caller.call("update_memory", memory_id=id_, content="quokkas eat", user_id="bob")
    await recorded(noting, workspace_id)

    near = await noting.services.knowledge.traversal.neighbours(workspace_id, [id_], first=10)
    assert [each.edge.type for each in near[id_]] == ["TARGETED"]
