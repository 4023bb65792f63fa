"""`recollect erase` against the running service (issue 15, point 7)."""

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.app import GraphQLClient
from tests.fixtures.served import CommandLine

_ERASE = """mutation($user: ID!, $dry: Boolean, $ws: ID) {
  eraseUser(userId: $user, dryRun: $dry, workspaceId: $ws) { userId isDryRun total memories apiKeys }
}"""


@pytest.fixture
async def alice(services, workspace_id) -> str:
    for text in ("alice likes tea", "alice keeps bees"):
        await services.memories.store.save(workspace_id, MemoryDraft(content=text, user_id="alice"))
    return workspace_id


async def test_a_dry_run_counts_and_the_erasure_leaves_nothing(admin_cli: CommandLine, alice) -> None:
    counted = await admin_cli.ok("erase", "--user", "alice", "--workspace", alice, "--dry-run")
    erased = await admin_cli.ok("erase", "--user", "alice", "--workspace", alice, "--yes")
    again = await admin_cli.ok("erase", "--user", "alice", "--workspace", alice, "--dry-run")

    assert counted == "2 memories\n2 in all; nothing was changed\n"
    assert erased == "2 memories\nerased alice\n"
    assert again == "0 in all; nothing was changed\n"


async def test_erasing_asks_for_confirmation(admin_cli: CommandLine, alice) -> None:
    result = await admin_cli.run("erase", "--user", "alice", "--workspace", alice, stdin="n\n")

    assert result.exit_code == 1
    assert "Erase all of this of alice, permanently?" in result.output
    assert "2 in all" in await admin_cli.ok("erase", "--user", "alice", "--workspace", alice, "--dry-run")


async def test_a_request_without_dry_run_false_erases_nothing(admin: GraphQLClient, alice) -> None:
    answer = await admin.ok(_ERASE, user="alice", ws=alice)
    same = await admin.ok(_ERASE, user="alice", ws=alice, dry=None)

    assert answer["eraseUser"] == {
        "userId": "alice",
        "isDryRun": True,
        "total": 2,
        "memories": 2,
        "apiKeys": 0,
    }
    assert same == answer


async def test_only_an_administrator_erases(graphql: GraphQLClient, alice) -> None:
    assert (await graphql.error(_ERASE, user="alice"))["code"] == "FORBIDDEN"


async def test_the_user_must_be_named(admin: GraphQLClient, alice) -> None:
    error = await admin.error(_ERASE, user=" ", ws=alice, dry=False)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "userId")
