"""Events of memories and jobs over graphql-transport-ws, between two instances that share a Redis."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from redis.asyncio import Redis

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.memories.models import MemoryChange, MemoryClearing, MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient
from tests.fixtures.waiting import until
from tests.fixtures.websockets import connected

MEMORIES = """
subscription($ws: ID) {
  memoryEvents(workspaceId: $ws) { type workspaceId memoryId at memory { id content version versions { content } } }
}
"""
JOBS = "subscription { jobEvents { id workspaceId kind subjectId state attempts error createdAt updatedAt dueAt } }"


@pytest.fixture
async def key(services, workspace_id) -> str:
    """Create a key that may only read the test's workspace; return its secret."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])
    return secret


def told(data: Any) -> tuple[str, str, str | None]:
    """Return the type, id and content of an event."""
    event = data["memoryEvents"]
    return event["type"], event["memoryId"], event["memory"] and event["memory"]["content"]


async def test_a_write_on_one_instance_reaches_subscribers_of_another(
    services, second_sockets, heard, key, workspace_id
) -> None:
    """K1: save, update, delete and restore, each after its commit, with the memory if it still exists."""
    memories = services.memories.store
    async with connected(second_sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        before = datetime.now(UTC)
        memory = (await memories.save(workspace_id, MemoryDraft(content="Gulls circle the light"))).memory
        first = (await subscriber.next(id_))["memoryEvents"]
        await memories.update(workspace_id, memory.id, MemoryChange(content="Gulls left the light"))
        second = (await subscriber.next(id_))["memoryEvents"]
        await services.memories.deletion.delete(workspace_id, memory.id)
        third = await subscriber.next(id_)
        await memories.restore(workspace_id, memory.id)
        fourth = await subscriber.next(id_)
        await memories.restore(workspace_id, memory.id, version=1)
        fifth = await subscriber.next(id_)
        await services.memories.deletion.delete(workspace_id, memory.id, hard=True)
        sixth = await subscriber.next(id_)

    assert first["memory"] == {
        "id": memory.id,
        "content": "Gulls circle the light",
        "version": 1,
        "versions": [],
    }
    assert (first["type"], first["workspaceId"]) == ("SAVED", workspace_id)
    assert before - timedelta(seconds=1) <= datetime.fromisoformat(first["at"]) <= datetime.now(UTC)
    assert second["type"] == "UPDATED"
    assert second["memory"]["versions"] == [{"content": "Gulls circle the light"}]
    assert [told(event) for event in (third, fourth, fifth, sixth)] == [
        ("DELETED", memory.id, None),
        ("SAVED", memory.id, "Gulls left the light"),
        ("UPDATED", memory.id, "Gulls circle the light"),
        ("DELETED", memory.id, None),
    ]


async def test_a_write_without_a_change_publishes_no_event(
    services, sockets, heard, key, workspace_id
) -> None:
    """A deduplicated, unchanged, missing or refused write publishes none; the next real event comes first."""
    memories = services.memories.store
    saved = (await memories.save(workspace_id, MemoryDraft(content="The bell is cracked", key="bell"))).memory
    async with connected(sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        await memories.save(workspace_id, MemoryDraft(content="The bell is cracked", key="bell"))
        await memories.save(workspace_id, MemoryDraft(content="The bell is cracked"))
        await memories.restore(workspace_id, saved.id)
        await services.memories.deletion.delete(workspace_id, "mem_ofNobody0000000000000000")
        with pytest.raises(Exception, match="content"):
            await memories.save(workspace_id, MemoryDraft(content=" "))
        await memories.save(workspace_id, MemoryDraft(content="The bell was recast", key="bell"))

        assert told(await subscriber.next(id_)) == ("UPDATED", saved.id, "The bell was recast")


async def test_a_duplicate_that_adds_tags_publishes_an_update(
    services, sockets, heard, key, workspace_id
) -> None:
    """K1: the stored memory changed."""
    memories = services.memories.store
    saved = (await memories.save(workspace_id, MemoryDraft(content="The bell is cracked"))).memory
    async with connected(sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        again = await memories.save(workspace_id, MemoryDraft(content="The bell is cracked", tags=("bell",)))

        assert again.merged == ("tags",)
        assert told(await subscriber.next(id_)) == ("UPDATED", saved.id, "The bell is cracked")


async def test_batches_automatic_saves_and_clearing_publish_an_event_for_each_memory(
    services, sockets, heard, key, workspace_id
) -> None:
    """D6: automatic saves are marked as such. Events beyond one message's limit arrive in order."""
    drafts = [MemoryDraft(content=f"Tide table {number}", dedup=False) for number in range(120)]
    automatic = MemoryDraft(content="The harbour closes at six", source_type="auto_research")
    async with connected(sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        receipts = await services.memories.store.save_all(workspace_id, [*drafts, automatic])
        saved = [told(await subscriber.next(id_)) for _ in receipts]
        await services.memories.deletion.clear(workspace_id, MemoryClearing())
        deleted = {told(await subscriber.next(id_)) for _ in receipts}

    assert saved == [("SAVED", receipt.memory.id, receipt.memory.content) for receipt in receipts[:-1]] + [
        ("AUTO_SAVED", receipts[-1].memory.id, automatic.content)
    ]
    assert deleted == {("DELETED", receipt.memory.id, None) for receipt in receipts}


async def test_events_stay_in_their_workspace(
    services, sockets, heard, admin, key, workspace_id, other_workspace_id
) -> None:
    """Another tenant's events never arrive, and a foreign workspace looks like a missing one."""
    async with connected(sockets, key=key) as subscriber:
        own = await subscriber.subscribe(MEMORIES)
        others = [
            await subscriber.subscribe(MEMORIES, ws=ws) for ws in (other_workspace_id, "ws_missing", "*")
        ]
        errors = [await subscriber.error(id_) for id_ in others]
        await heard.by(workspace_id)
        await services.memories.store.save(other_workspace_id, MemoryDraft(content="Theirs"))
        await services.memories.store.save(workspace_id, MemoryDraft(content="Ours"))

        assert (await subscriber.next(own))["memoryEvents"]["memory"]["content"] == "Ours"
        assert await subscriber.is_silent()

    assert [(error["code"], error["field"]) for error in errors] == [("NOT_FOUND", "workspaceId")] * 3
    assert errors[0]["message"].replace(other_workspace_id, "ws_missing") == errors[1]["message"]
    async with connected(sockets, key=admin.key) as administrator:
        id_ = await administrator.subscribe(MEMORIES, ws=other_workspace_id)
        await heard.by(other_workspace_id)
        await services.memories.store.save(other_workspace_id, MemoryDraft(content="Seen from above"))
        assert (await administrator.next(id_))["memoryEvents"]["memory"]["content"] == "Seen from above"


@pytest.mark.parametrize("query", [MEMORIES, JOBS], ids=["memoryEvents", "jobEvents"])
async def test_a_key_without_the_scope_is_refused(services, sockets, workspace_id, query) -> None:
    _, secret = await services.tenancy.keys.create(workspace_id, name="writer", scopes=[Scope.WRITE])
    async with connected(sockets, key=secret) as subscriber:
        error = await subscriber.error(await subscriber.subscribe(query))

    assert error == {"message": "this key lacks the scope 'read'", "code": "FORBIDDEN", "field": None}


async def test_redis_contains_ids_and_no_texts(services, settings, workspace_id, heard) -> None:
    """Texts stay in the graph; each subscriber's process reads them there."""
    async with Redis.from_url(settings.redis.url, decode_responses=True).pubsub() as pubsub:
        await pubsub.subscribe(
            *(f"recollect:events:{workspace_id}:{topic}" for topic in ("memories", "jobs"))
        )
        await heard.by(workspace_id)
        draft = MemoryDraft(content="hunter2 is what Ada said", key="ada-secret", tags=("private",))
        memory = (await services.memories.store.save(workspace_id, draft)).memory
        texts: list[str] = []

        async def all_told() -> bool:
            message = await pubsub.get_message(ignore_subscribe_messages=True, timeout=None)
            texts.extend([message["data"]] if message else [])
            return any('"DONE"' in text for text in texts) and any('"SAVED"' in text for text in texts)

        await until(all_told)

    assert all(memory.id in text for text in texts)
    assert not any(word in text for text in texts for word in ("hunter2", "Ada", "ada-secret", "private"))


async def test_a_job_publishes_its_states_from_start_to_end(
    services, second_sockets, heard, key, workspace_id
) -> None:
    async with connected(second_sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(JOBS)
        await heard.by(workspace_id, "jobs")
        draft = MemoryDraft(content="Oil the lamp", dedup=False)  # otherwise its vector is made at once
        memory = (await services.memories.store.save(workspace_id, draft)).memory
        taken = await next_of_kind(subscriber, id_, "EMBED")
        done = await next_of_kind(subscriber, id_, "EMBED")

    assert {**taken, "updatedAt": "", "dueAt": ""} == {
        "id": done["id"],
        "workspaceId": workspace_id,
        "kind": "EMBED",
        "subjectId": memory.id,
        "state": "RUNNING",
        "attempts": 1,
        "error": None,
        "createdAt": done["createdAt"],
        "updatedAt": "",
        "dueAt": "",
    }
    assert (done["state"], done["subjectId"], done["dueAt"], done["error"]) == ("DONE", memory.id, None, None)
    assert done["createdAt"] <= taken["updatedAt"] <= done["updatedAt"]


async def test_a_reindex_publishes_events_of_each_job(
    services, sockets, heard, graphql, workspace_id
) -> None:
    drafts = [MemoryDraft(content=f"Wreck {number}") for number in range(5)]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    await until(lambda: jobs_are_done(services, workspace_id))
    async with connected(sockets, key=graphql.key) as subscriber:
        id_ = await subscriber.subscribe(JOBS)
        await heard.by(workspace_id, "jobs")
        report = (await graphql.ok("mutation { reindex(force: true) { pending } }"))["reindex"]
        done = set()
        while len(done) < report["pending"]:
            job = (await subscriber.next(id_))["jobEvents"]
            done |= {job["subjectId"]} if job["state"] == "DONE" else set()

    assert done == {receipt.memory.id for receipt in receipts}


async def test_a_bound_key_receives_events_of_its_own_extraction_only(
    services, http, sockets, heard, capturing_workspace_id
) -> None:
    """I2: others' jobs are private, and a caller who requested an extraction may wait for it."""
    workspace_id = capturing_workspace_id

    async def only_hers_is_left() -> bool:  # her job waits until she falls silent
        jobs = (await services.core.jobs.page(workspace_id)).items
        return [job.subject_id for job in jobs] == ["chat-of-alice"]

    _, key = await services.tenancy.keys.create(
        workspace_id, name="alice's", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )
    for user in ("alice", "bob"):
        messages = [MessageDraft(content="I moved to Oslo.", role="user")]
        draft = CaptureDraft(conversation_id=f"chat-of-{user}", user_id=user, messages=messages)
        await services.conversations.capture.append(workspace_id, draft)
    async with connected(sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(JOBS)
        await heard.by(workspace_id, "jobs")
        theirs = MemoryDraft(content="Oil the lamp", user_id="bob", dedup=False)
        await services.memories.store.save(workspace_id, theirs)
        await services.conversations.extraction.request(workspace_id, "chat-of-bob")
        await until(only_hers_is_left)
        extract = 'mutation { extractMemories(conversationId: "chat-of-alice") { kind subjectId } }'
        wanted = (await GraphQLClient(http, key).ok(extract))["extractMemories"]
        told = (await subscriber.next(id_))["jobEvents"]

    assert (
        {name: told[name] for name in wanted} == wanted == {"kind": "EXTRACT", "subjectId": "chat-of-alice"}
    )


async def next_of_kind(subscriber, id_: str, kind: str) -> dict:
    """Return the next event of jobs of one kind: linking a memory overlaps with embedding it."""
    while (event := (await subscriber.next(id_))["jobEvents"])["kind"] != kind:
        pass
    return event


async def jobs_are_done(services, workspace_id: str) -> bool:
    return not (await services.core.jobs.page(workspace_id)).items


async def test_a_parked_and_a_retried_job_publish_their_error(
    services, embedder, sockets, heard, graphql, workspace_id, monkeypatch
) -> None:
    # It is not retried automatically before the request.
    rules = replace(services.core.jobs._rules, first_delay_seconds=600)
    monkeypatch.setattr(services.core.jobs, "_rules", rules)
    monkeypatch.setitem(embedder.refused, "Foghorn", "the model is away")
    async with connected(sockets, key=graphql.key) as subscriber:
        id_ = await subscriber.subscribe(JOBS)
        await heard.by(workspace_id, "jobs")
        await services.memories.store.save(workspace_id, MemoryDraft(content="Foghorn"))
        events = [await next_of_kind(subscriber, id_, "EMBED") for _ in range(2)]
        del embedder.refused["Foghorn"]
        await graphql.ok("mutation($id: ID!) { retryJob(id: $id) { id } }", id=events[1]["id"])
        events += [await next_of_kind(subscriber, id_, "EMBED") for _ in range(3)]

    states = [(event["state"], event["attempts"]) for event in events]
    assert states == [("RUNNING", 1), ("PENDING", 1), ("PENDING", 0), ("RUNNING", 1), ("DONE", 1)]
    assert events[1]["error"] == "the model is away"
    assert {event["id"] for event in events} == {events[0]["id"]}


async def test_a_subscription_ends_when_the_client_has_enough(
    services, sockets, heard, key, workspace_id
) -> None:
    async with connected(sockets, key=key) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        await subscriber.send({"type": "complete", "id": id_})
        jobs = await subscriber.subscribe(JOBS)
        await heard.by(workspace_id, "jobs")
        await services.memories.store.save(workspace_id, MemoryDraft(content="Nobody listens"))
        await heard.by(workspace_id, processes=0)
        await subscriber.next(jobs)

        assert [message for message in subscriber.received if "memoryEvents" in str(message)] == []


async def test_a_reconnected_client_receives_new_events(
    services, sockets, second_sockets, heard, key, workspace_id
) -> None:
    for number, url in enumerate([sockets, second_sockets, sockets]):
        async with connected(url, key=key) as subscriber:
            id_ = await subscriber.subscribe(MEMORIES)
            await heard.by(workspace_id, processes=1 if number == 0 else 2)
            content = f"Watch {number}"
            await services.memories.store.save(workspace_id, MemoryDraft(content=content))
            assert (await subscriber.next(id_))["memoryEvents"]["memory"]["content"] == content


async def test_a_bound_key_receives_events_of_its_users_memories_only(
    services, sockets, heard, workspace_id
) -> None:
    """I2, K1."""
    _, bound = await services.tenancy.keys.create(
        workspace_id, name="alice's", scopes=[Scope.READ], user_id="alice"
    )
    memories = services.memories.store
    async with connected(sockets, key=bound) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        for user_id, content in (
            ("bob", "Bob keeps bees"),
            ("alice", "Alice keeps owls"),
            (None, "Tea at five"),
        ):
            await memories.save(workspace_id, MemoryDraft(content=content, user_id=user_id))

        contents = [told(await subscriber.next(id_))[2] for _ in range(2)]

    assert contents == ["Alice keeps owls", "Tea at five"]


async def test_a_websocket_receives_events_of_its_user(services, sockets, heard, key, workspace_id) -> None:
    """15.4: the user's memories and shared ones, but no other user's."""
    memories = services.memories.store
    async with connected(sockets) as subscriber:
        await subscriber.initialise({"Authorization": f"Bearer {key}", "x-recollect-user-id": "alice"})
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        await memories.save(workspace_id, MemoryDraft(content="Bob likes coffee", user_id="bob"))
        own = await memories.save(workspace_id, MemoryDraft(content="Alice likes tea", user_id="alice"))
        shared = await memories.save(workspace_id, MemoryDraft(content="The office has a kettle"))

        first, second = told(await subscriber.next(id_)), told(await subscriber.next(id_))

    assert first == ("SAVED", own.memory.id, "Alice likes tea")
    assert second == ("SAVED", shared.memory.id, "The office has a kettle")


async def test_a_websocket_is_closed_for_a_user_that_its_key_is_not_bound_to(
    services, sockets, workspace_id
) -> None:
    """15.3: a key bound to one user cannot subscribe for another."""
    _, bound = await services.tenancy.keys.create(
        workspace_id, name="alice's", scopes=[Scope.READ], user_id="alice"
    )
    async with connected(sockets) as subscriber:
        await subscriber.send(
            {
                "type": "connection_init",
                "payload": {"Authorization": f"Bearer {bound}", "x-recollect-user-id": "ボブ" * 50},
            }
        )
        code, _ = await subscriber.closed()

    assert code == 4403
