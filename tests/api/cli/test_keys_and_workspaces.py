"""``recollect keys`` and ``recollect workspaces``."""

import uuid

import pytest

from graph.core.errors import NotFound, Unauthenticated


@pytest.fixture
def name() -> str:
    return f"workspace {uuid.uuid4().hex[:12]}"


async def test_a_workspace_is_created_listed_shown_and_deleted(admin_cli, services, name: str) -> None:
    """I15."""
    workspace_id = (await admin_cli.ok("workspaces", "create", name)).strip()

    assert (await services.tenancy.workspaces.get(workspace_id)).name == name
    assert f"name: {name}" in await admin_cli.ok("workspaces", "show", name)
    assert workspace_id in await admin_cli.ok("workspaces", "list")

    await admin_cli.ok("workspaces", "delete", name, "--hard", "--yes")
    with pytest.raises(NotFound):
        await services.tenancy.workspaces.get(workspace_id)


@pytest.mark.parametrize(("option", "is_on"), [("--memory", True), ("--no-memory", False)])
async def test_create_sets_the_memory_switch_of_a_workspace(
    admin_cli, services, name: str, option: str, is_on: bool
) -> None:
    """I5."""
    workspace_id = (await admin_cli.ok("workspaces", "create", name, option)).strip()

    assert (await services.tenancy.workspaces.get(workspace_id)).memory_enabled is is_on


async def test_deleting_asks_first(admin_cli, services, name: str) -> None:
    workspace_id = (await admin_cli.ok("workspaces", "create", name)).strip()

    result = await admin_cli.run("workspaces", "delete", name, stdin="n\n")

    assert result.exit_code == 1
    assert (await services.tenancy.workspaces.get(workspace_id)).id == workspace_id


async def test_an_ambiguous_workspace_name_is_refused_with_the_ids(admin_cli, services, name: str) -> None:
    """Two workspaces may have the same name unless one has claimed it."""
    first, second = [(await services.tenancy.workspaces.create(name)).id for _ in range(2)]

    message = await admin_cli.error("workspaces", "show", name)

    assert first in message
    assert second in message


async def test_a_taken_workspace_name_is_refused(admin_cli, name: str) -> None:
    """C21."""
    await admin_cli.ok("workspaces", "create", name)

    assert "already" in await admin_cli.error("workspaces", "create", name.upper())


async def test_a_created_key_opens_its_workspace_until_it_is_revoked(admin_cli, services, name: str) -> None:
    """I2."""
    workspace_id = (await admin_cli.ok("workspaces", "create", name)).strip()
    created = await admin_cli.run("keys", "create", "agent", "--scope", "read", "--workspace", name)
    secret, key_id = created.stdout.strip(), created.stderr.removeprefix("id: ").strip()
    holder = type(admin_cli)(admin_cli.url, secret, admin_cli.folder)

    assert f"workspaceId: {workspace_id}" in await holder.ok("keys", "me")
    assert "scopes: READ" in await holder.ok("keys", "me")
    assert "scope" in await holder.error("save", "a reader may not write")
    listed = await admin_cli.ok("keys", "list", "--workspace", name)
    assert key_id in listed
    assert secret not in listed

    await admin_cli.ok("keys", "revoke", key_id)
    with pytest.raises(Unauthenticated):
        await services.tenancy.access.authenticate(secret)


async def test_revoking_an_unknown_key_is_an_error(admin_cli) -> None:
    assert "key" in await admin_cli.error("keys", "revoke", "key_unknown")


async def test_creating_workspaces_needs_an_administrators_key(cli, name: str) -> None:
    assert "admin" in await cli.error("workspaces", "create", name)
