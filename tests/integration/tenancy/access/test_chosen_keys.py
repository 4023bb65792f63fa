"""The administrator's key from the environment: created at start, beside the old one, never revived."""

import asyncio
import secrets

import pytest

from app.bootstrap.runtime import SystemClock
from graph.core.errors import Conflict, Unauthenticated
from graph.tenancy.keys import ChosenKeys


@pytest.fixture
def access(services):
    return services.tenancy.access


@pytest.fixture
def keys(services):
    return services.tenancy.keys


@pytest.fixture
def chosen_keys(services) -> ChosenKeys:
    return ChosenKeys(services.core.database, services.tenancy.keys, SystemClock())


def new_secret() -> str:
    return f"rk_{secrets.token_hex(16)}"


async def test_a_changed_value_adds_a_key_and_the_old_one_stays_valid(
    access, keys, chosen_keys, workspace_id
) -> None:
    """N4."""
    first, second = new_secret(), new_secret()

    for chosen in (first, second, second):
        assert await chosen_keys.ensure_admin(workspace_id, chosen) is None

    for chosen in (first, second):
        assert (await access.authenticate(chosen)).workspace_id == workspace_id
    assert len(await keys.list_live(workspace_id)) == 2


async def test_concurrently_starting_processes_create_one_key(keys, chosen_keys, workspace_id) -> None:
    chosen = new_secret()

    await asyncio.gather(*(chosen_keys.ensure_admin(workspace_id, chosen) for _ in range(4)))

    assert len(await keys.list_live(workspace_id)) == 1


async def test_a_start_with_a_revoked_key_is_refused_with_a_remedy(
    access, keys, chosen_keys, workspace_id
) -> None:
    """N4."""
    chosen = new_secret()
    await chosen_keys.ensure_admin(workspace_id, chosen)
    await keys.revoke((await access.authenticate(chosen)).key_id)

    with pytest.raises(Conflict, match="RECOLLECT_ADMIN_KEY is a revoked key"):
        await chosen_keys.ensure_admin(workspace_id, chosen)

    with pytest.raises(Unauthenticated):
        await access.authenticate(chosen)
