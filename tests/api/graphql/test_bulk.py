"""Bulk changes of memories: tags, owners, ends and deletions, each with a dry run that counts."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.core.scope import EVERYTHING, see_only
from graph.memories.models import MemoryDraft, MemoryType
from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient

DELETE = """mutation($selection: MemorySelection!, $hard: Boolean, $dry: Boolean) {
  deleteMemories(selection: $selection, hard: $hard, dryRun: $dry) {
    matched changed dryRun skipped { id reason }
  }
}"""
CHANGE = """mutation($selection: MemorySelection!, $change: MemoriesChange!, $dry: Boolean) {
  changeMemories(selection: $selection, change: $change, dryRun: $dry) {
    matched changed dryRun skipped { id reason }
  }
}"""


@pytest.fixture
async def ids(services, workspace_id) -> list[str]:
    """Save three memories: of a project and done, of a project only, and of none."""
    drafts = [
        MemoryDraft(content="The parser is done", tags=("project/a", "done"), metadata={"by": "ada", "n": 1}),
        MemoryDraft(content="The lexer is open", tags=("project/a",), metadata={"by": "bob"}),
        MemoryDraft(content="Tea is at five", metadata={"by": "ada"}),
    ]
    return [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]


@pytest.fixture
def stored(services, workspace_id):
    """Return a function that reads stored memories, omitting deleted ones."""

    async def stored(ids):
        see_only(EVERYTHING)
        return await services.memories.store.find_all(workspace_id, ids)

    return stored


async def changed(client, selection, change, dry=False) -> dict:
    return (await client.ok(CHANGE, selection=selection, change=change, dry=dry))["changeMemories"]


async def deleted(client, selection, **options) -> dict:
    return (await client.ok(DELETE, selection=selection, **options))["deleteMemories"]


async def test_a_dry_run_counts_and_changes_nothing(graphql, ids, stored) -> None:
    """Issue 15 point 8."""
    selection = {"filter": {"allTags": ["project/a"]}}

    report = await deleted(graphql, selection, dry=True)
    tagging = await changed(graphql, selection, {"addTags": ["x"]}, dry=True)

    assert report == {"matched": 2, "changed": 2, "dryRun": True, "skipped": []}
    assert tagging == report
    assert [memory.tags for memory in (await stored(ids)).values()] == [
        ("project/a", "done"),
        ("project/a",),
        (),
    ]


async def test_a_selection_is_deleted_by_ids_tags_and_metadata(graphql, ids, stored) -> None:
    by_both = await deleted(graphql, {"filter": {"anyTags": ["project"]}, "metadata": {"by": "ada", "n": 1}})
    by_id = await deleted(graphql, {"ids": [ids[2], "mem_unknown"]}, hard=True)

    assert (by_both["changed"], by_id["changed"]) == (1, 1)
    assert list(await stored(ids)) == [ids[1]]


async def test_only_memories_whose_tags_change_are_changed(graphql, ids, stored) -> None:
    report = await changed(
        graphql,
        {"filter": {"anyTags": ["project"]}},
        {"addTags": ["done", "kept"], "removeTags": ["project/a"]},
    )
    expected = await changed(graphql, {"ids": ids[:2]}, {"addTags": ["done"]}, dry=True)
    again = await changed(graphql, {"ids": ids[:2]}, {"addTags": ["done"]})

    assert (report["matched"], report["changed"]) == (2, 2)
    assert (again["matched"], again["changed"]) == (2, 0)
    assert expected == {**again, "dryRun": True}
    assert [memory.tags for memory in (await stored(ids[:2])).values()] == [
        ("done", "kept"),
        ("done", "kept"),
    ]


async def test_a_memory_that_would_have_too_many_tags_is_named_and_none_is_changed(
    graphql, ids, stored
) -> None:
    change = {"addTags": [f"tag-{number}" for number in range(99)]}

    refused = await graphql.error(CHANGE, selection={"ids": ids}, change=change, dry=False)

    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "addTags")
    assert f"{ids[0]!r} would have 101 tags; at most 100 are allowed" in refused["message"]
    kept = [memory.tags for memory in (await stored(ids)).values()]
    assert sorted(map(len, kept)) == [0, 1, 2]


async def test_an_expiry_is_set_and_removed(graphql, ids, stored) -> None:
    end = datetime(2099, 1, 1, tzinfo=UTC)
    await changed(graphql, {"ids": ids}, {"expiresAt": end.isoformat()})
    await changed(graphql, {"ids": ids[:1]}, {"expiresAt": None})

    assert [memory.expires_at for memory in (await stored(ids)).values()] == [None, end, end]


async def test_memories_with_a_taken_key_do_not_move_to_another_user(graphql, services, workspace_id, stored):
    """A2: a conversation's turns stay with the conversation."""
    drafts = [
        MemoryDraft(content="The editor is vim", key="editor", user_id="alice"),
        MemoryDraft(content="The shell is fish", key="shell", user_id="alice"),
        MemoryDraft(content="The editor is emacs", key="editor", user_id="bob"),
        MemoryDraft(content="Hello", source_conversation_id="chat", user_id="alice"),
    ]
    ids = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]

    move = ({"ids": [ids[0], ids[1], ids[3]]}, {"moveTo": {"userId": "bob"}})
    expected = await changed(graphql, *move, dry=True)
    report = await changed(graphql, *move)

    assert expected == {**report, "dryRun": True}
    assert (report["matched"], report["changed"]) == (3, 1)
    assert {each["id"]: each["reason"].split()[0] for each in report["skipped"]} == {
        ids[0]: "another",
        ids[3]: "a",
    }
    assert [memory.user_id for memory in (await stored(ids)).values()] == ["alice", "bob", "bob", "alice"]


async def test_a_dry_run_reports_the_same_effect_as_the_change(graphql, services, workspace_id) -> None:
    """Issue 35: formerly it counted memories already in that state, and those whose key was taken."""
    drafts = [
        MemoryDraft(content="The editor is vim", key="editor", user_id="alice"),
        MemoryDraft(content="The editor is emacs", key="editor", user_id="carol"),
        MemoryDraft(content="The shell is fish", key="shell", user_id="bob"),
        MemoryDraft(content="Hello", source_conversation_id="chat", user_id="bob"),
        MemoryDraft(content="Bye", source_conversation_id="other", user_id="alice"),
    ]
    ids = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]
    end = datetime(2099, 1, 1, tzinfo=UTC)
    await changed(graphql, {"ids": ids[2:3]}, {"expiresAt": end.isoformat()})
    changes = [
        ({"expiresAt": end.isoformat()}, 4, set()),
        ({"moveTo": {"userId": "bob"}}, 1, {max(ids[0], ids[1]), ids[4]}),
        ({"moveTo": {"userId": "bob"}}, 0, {max(ids[0], ids[1]), ids[4]}),
    ]

    for change, count, skipped in changes:
        expected = await changed(graphql, {"ids": ids}, change, dry=True)
        report = await changed(graphql, {"ids": ids}, change)

        assert (expected["matched"], expected["changed"]) == (5, count)
        assert {each["id"] for each in expected["skipped"]} == skipped
        assert expected == {**report, "dryRun": True}


async def test_a_bound_key_changes_and_moves_only_its_own_memories(
    graphql, http, services, workspace_id, stored
) -> None:
    """I2."""
    drafts = [MemoryDraft(content=f"{user} keeps bees", user_id=user) for user in ("alice", "bob")]
    ids = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="alice's", scopes=[Scope.READ, Scope.WRITE], user_id="alice"
    )
    alice = GraphQLClient(http, secret)

    tagged = await changed(alice, {"ids": ids}, {"addTags": ["seen"]})
    refused = await alice.error(
        CHANGE, selection={"ids": ids}, change={"moveTo": {"userId": "bob"}}, dry=False
    )

    assert tagged["matched"] == 1
    assert refused["code"] == "FORBIDDEN"
    assert [memory.tags for memory in (await stored(ids)).values()] == [("seen",), ()]


@pytest.mark.parametrize(
    ("selection", "change", "field"),
    [
        ({}, {"addTags": ["x"]}, "selection"),
        ({"ids": ["a"] * 1001}, {"addTags": ["x"]}, "ids"),
        ({"metadata": ["a"]}, {"addTags": ["x"]}, "metadata"),
        ({"metadata": {"a": {"b": 1}}}, {"addTags": ["x"]}, "metadata"),
        ({"ids": ["a"]}, {}, "change"),
        ({"ids": ["a"]}, {"moveTo": {"userId": " "}}, "userId"),
        ({"filter": {"text": ""}}, {"addTags": ["x"]}, "text"),
        ({"filter": {"text": " \t", "allTags": ["a"]}}, {"addTags": ["x"]}, "text"),
        ({"filter": {"minImportance": 0}}, {"addTags": ["x"]}, "selection"),
        ({"filter": {"minConfidence": 0.0}}, {"addTags": ["x"]}, "selection"),
        (
            {"ids": [], "filter": {"types": [], "allTags": []}, "metadata": {}},
            {"addTags": ["x"]},
            "selection",
        ),
        ({"filter": {"anyTags": [" "]}}, {"addTags": ["x"]}, "anyTags"),
        ({"filter": {"categories": [""]}}, {"addTags": ["x"]}, "categories"),
        ({"filter": {"conversationId": ""}}, {"addTags": ["x"]}, "conversationId"),
        ({"filter": {"sessionId": " "}}, {"addTags": ["x"]}, "sessionId"),
        ({"filter": {"apiKeyId": ""}}, {"addTags": ["x"]}, "apiKeyId"),
    ],
)
async def test_a_meaningless_bulk_request_is_refused(graphql, selection, change, field) -> None:
    refused = await graphql.error(CHANGE, selection=selection, change=change, dry=False)

    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", field)


@pytest.mark.parametrize(
    "filter_",
    [{"text": ""}, {"text": "  "}, {"minImportance": 0}, {"types": [], "excludedTags": []}],
    ids=repr,
)
async def test_a_filter_that_excludes_nothing_is_refused(graphql, ids, stored, filter_) -> None:
    refused = await graphql.error(DELETE, selection={"filter": filter_}, hard=True)

    assert refused["code"] == "INVALID_INPUT"
    assert list(await stored(ids)) == ids


async def test_lifetimes_of_memories_follow_the_workspaces_setting(services, workspace_id) -> None:
    """Issue 15 point 8: an explicit end overrides the setting."""
    await services.tenancy.workspaces.update(
        workspace_id, settings={"lifetimeDays": {"Context": 30, "chat": 1}}
    )
    end = datetime(2099, 1, 1, tzinfo=UTC)
    drafts = [
        MemoryDraft(content="The sky is grey", type=MemoryType.CONTEXT),
        MemoryDraft(content="The sea is grey", type=MemoryType.CONTEXT, category="chat"),
        MemoryDraft(content="The sand is grey", type=MemoryType.CONTEXT, expires_at=end),
        MemoryDraft(content="Prefers grey", type=MemoryType.PREFERENCE),
    ]

    saved = [each.memory for each in await services.memories.store.save_all(workspace_id, drafts)]

    lives = [memory.expires_at - memory.created_at for memory in saved[:2] if memory.expires_at]
    assert [round(life / timedelta(days=1), 6) for life in lives] == [30, 1]
    assert saved[2].expires_at == end
    assert saved[3].expires_at is None
