"""The working set in a real Redis: keys, lifetimes and separate owners."""

import json
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from app.adapters.redis_stores import RedisWorkingSet
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput
from graph.core.working_set import DEFAULT_TTL_SECONDS, MOST_VALUE_BYTES, WorkingSet
from tests.fixtures.waiting import until

NASTY = [
    "a",
    "a:b",
    "b",
    "*",
    "?",
    "[ab]",
    "a*",
    "\\*",
    "ü",
    "a b",
    "%3A",
    "%",
    ":",
    "::",
    "a:ttl",
    "ttl",
    "#ttl",
]


@pytest.fixture
async def redis(redis_url) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url, decode_responses=True) as client:
        yield client


@pytest.fixture
def working_set(redis) -> WorkingSet:
    return WorkingSet(RedisWorkingSet(redis, patience_seconds=60))


async def keys(redis: Redis, workspace_id: str) -> set[str]:
    return {key async for key in redis.scan_iter(match=f"oxa:ws:{workspace_id}:*")}


async def test_a_slot_is_json_under_its_key_for_an_hour(redis, working_set, workspace_id) -> None:
    """H1, H2."""
    value = {"steps": ["find", {"n": 1}], "done": None, "名": "ü"}

    assert await working_set.write(workspace_id, "conv-1", "planner_decision", value) is True

    key = f"oxa:ws:{workspace_id}:conv-1:planner_decision"
    assert await keys(redis, workspace_id) == {key}
    assert json.loads(await redis.get(key)) == value
    assert DEFAULT_TTL_SECONDS == 3600
    assert DEFAULT_TTL_SECONDS - 60 < await redis.ttl(key) <= DEFAULT_TTL_SECONDS
    assert await working_set.read(workspace_id, "conv-1", "planner_decision") == value


async def test_every_read_restarts_the_lifetime(redis, working_set, workspace_id) -> None:
    """H2: to the default hour or the given time."""
    await working_set.write(workspace_id, "c", "usual", 1)
    await working_set.write(workspace_id, "c", "longer", 2, ttl_seconds=7200)
    for slot, usual in (("usual", 3600), ("longer", 7200)):
        key = f"oxa:ws:{workspace_id}:c:{slot}"
        await redis.expire(key, 90)
        await working_set.read(workspace_id, "c", slot)
        assert usual - 60 < await redis.ttl(key) <= usual

    await working_set.write(workspace_id, "c", "longer", 3)
    assert 3500 < await redis.ttl(f"oxa:ws:{workspace_id}:c:longer") <= 3600
    await working_set.read(workspace_id, "c", "longer")
    assert 3500 < await redis.ttl(f"oxa:ws:{workspace_id}:c:longer") <= 3600


async def test_an_expired_slot_is_empty(working_set, redis, workspace_id) -> None:
    """H4: it looks as if it had never existed, and nothing of it is left."""
    await working_set.write(workspace_id, "c", "s", 1, ttl_seconds=1)

    async def is_gone() -> bool:
        return await keys(redis, workspace_id) == set()

    assert await until(is_gone)
    assert await working_set.read(workspace_id, "c", "s") is None
    assert await working_set.read(workspace_id, "c", "never") is None
    assert await keys(redis, workspace_id) == set()


async def test_any_id_and_slot_name_has_a_separate_key(redis, working_set, workspace_id) -> None:
    """H3: with any characters, keys neither collide nor match others; values have any JSON type."""
    places = [(conversation, slot) for conversation in NASTY for slot in NASTY]
    for number, (conversation, slot) in enumerate(places):
        await working_set.write(workspace_id, conversation, slot, [number], ttl_seconds=3000 + number % 2)

    for number, (conversation, slot) in enumerate(places):
        assert await working_set.read(workspace_id, conversation, slot) == [number]
    cleared = {conversation: await working_set.clear(workspace_id, conversation) for conversation in NASTY}
    assert cleared == dict.fromkeys(NASTY, len(NASTY))
    assert await keys(redis, workspace_id) == set()


@pytest.mark.parametrize("value", [0, False, "", "null", [], {}, 1.5, "袋鼠"], ids=repr)
async def test_values_are_returned_unchanged(working_set, workspace_id, value) -> None:
    await working_set.write(workspace_id, "c", "s", value)

    assert await working_set.read(workspace_id, "c", "s") == value


async def test_a_conversation_is_cleared_and_nothing_else(
    redis, working_set, workspace_id, other_workspace_id
) -> None:
    """H5, I8, N12: with more slots than one scan step returns; other conversations and workspaces stay."""
    for slot in range(1100):
        await redis.set(f"oxa:ws:{workspace_id}:c:s{slot}", "1", ex=3600)
    await working_set.write(workspace_id, "c", "own", 1, ttl_seconds=60)
    await working_set.write(workspace_id, "c2", "s0", "kept")
    await working_set.write(other_workspace_id, "c", "s0", "theirs")

    assert await working_set.read(other_workspace_id, "c", "own") is None
    assert await working_set.clear(workspace_id, "c") == 1101
    assert await working_set.clear(workspace_id, "c") == 0
    assert await keys(redis, workspace_id) == {f"oxa:ws:{workspace_id}:c2:s0"}
    assert await working_set.read(other_workspace_id, "c", "s0") == "theirs"
    assert await working_set.clear_workspace(workspace_id) == 1
    assert await working_set.read(workspace_id, "c2", "s0") is None
    assert await working_set.read(other_workspace_id, "c", "s0") == "theirs"


async def test_slots_are_removed_by_the_end_of_their_conversations_name(redis, workspace_id) -> None:
    """H5: only the conversation's name counts, not the slot's; their lifetimes are removed as well."""
    store = RedisWorkingSet(redis, patience_seconds=60)
    for conversation, slot in (("alice\x1fc", "s"), ("bob\x1fc", "s"), ("bob\x1fcc", "s"), ("d", "s\x1fc")):
        await store.set(workspace_id, conversation, slot, "1", 60)

    assert await store.clear_named(workspace_id, end="\x1fc") == 2

    assert await keys(redis, workspace_id) == {
        f"oxa:ws:{workspace_id}:{kept}{ttl}" for kept in ("bob%1Fcc:s", "d:s%1Fc") for ttl in ("", ":#ttl")
    }


@pytest.mark.parametrize("workspace", ["*", "?", "", "ws_*"])
async def test_no_workspace_id_matches_all_workspaces(redis, working_set, workspace_id, workspace) -> None:
    """I8: ids with pattern characters match only a workspace with exactly that id."""
    await working_set.write(workspace_id, "c", "s", 1)

    assert await working_set.clear_workspace(workspace) == 0
    assert await working_set.clear(workspace, "c") == 0
    assert await working_set.read(workspace, "c", "s") is None
    assert await keys(redis, workspace_id) == {f"oxa:ws:{workspace_id}:c:s"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"conversation_id": " "}, "conversationId"),
        ({"conversation_id": "c" * 513}, "conversationId"),
        ({"slot": ""}, "slot"),
        ({"slot": "s" * 129}, "slot"),
        ({"slot": "a\x00"}, "slot"),
        ({"ttl_seconds": 0}, "ttlSeconds"),
        ({"ttl_seconds": 604_801}, "ttlSeconds"),
        ({"value": float("nan")}, "value"),
        ({"value": "\ud800"}, "value"),
        ({"value": "x" * MOST_VALUE_BYTES}, "value"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_value_that_cannot_be_stored_names_its_field(
    redis, working_set, workspace_id, change, field
) -> None:
    given = {"conversation_id": "c", "slot": "s", "value": 1, **change}

    with pytest.raises(InvalidInput) as refused:
        await working_set.write(workspace_id, **given)

    assert refused.value.field == field
    assert field in refused.value.message
    assert await keys(redis, workspace_id) == set()


async def test_deleting_a_conversation_or_workspace_deletes_its_working_set(
    services, capturing_workspace_id
) -> None:
    """H5, I14."""
    for conversation in ("c", "d"):
        await services.core.working_set.write(capturing_workspace_id, conversation, "s", 1)
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="Hello")])
    await services.conversations.capture.append(capturing_workspace_id, draft)

    await services.conversations.capture.delete(capturing_workspace_id, "c")
    assert await services.core.working_set.read(capturing_workspace_id, "c", "s") is None
    assert await services.core.working_set.read(capturing_workspace_id, "d", "s") == 1

    await services.tenancy.workspaces.delete(capturing_workspace_id, hard=True)
    assert await services.core.working_set.read(capturing_workspace_id, "d", "s") is None
