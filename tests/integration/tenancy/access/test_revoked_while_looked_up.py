"""Lookups that start before a change and end after it, whose results must not be cached."""

import asyncio

import pytest

from graph.core.errors import Unauthenticated
from graph.tenancy import queries as keys
from graph.tenancy import queries as workspaces
from graph.tenancy.access import Access
from graph.tenancy.keys import Keys
from graph.tenancy.models import Scope
from graph.tenancy.workspaces import Workspaces


class Late:
    """A query whose first result is delayed until a test releases it."""

    def __init__(self, query) -> None:
        self._query = query
        self.is_answered = asyncio.Event()
        self.may_come = asyncio.Event()

    async def __call__(self, *args, **parameters):
        answer = await self._query(*args, **parameters)
        if not self.is_answered.is_set():
            self.is_answered.set()
            await self.may_come.wait()
        return answer


async def test_a_key_revoked_during_its_lookup_is_invalid_immediately(
    services, workspace_id, monkeypatch
) -> None:
    """Otherwise the lookup caches it again: valid for 5 more seconds, and for an hour without the graph."""
    access = Access(services.core.database, services.tenancy.workspaces, services.core.clock)
    own_keys = Keys(services.core.database, access, services.core.clock)
    key, secret = await own_keys.create(workspace_id, name="late", scopes=[Scope.READ])
    late = Late(keys.find_api_key)
    with monkeypatch.context() as patch:
        patch.setattr(keys, "find_api_key", late)
        under_way = asyncio.create_task(access.authenticate(secret))
        await late.is_answered.wait()
        await own_keys.revoke(key.id)
        late.may_come.set()
        await under_way

    for refused in (access.authenticate(secret), access.recognise(secret, patience_seconds=30)):
        with pytest.raises(Unauthenticated):
            await refused


async def test_settings_changed_during_their_lookup_apply_immediately(
    services, workspace_id, monkeypatch
) -> None:
    own = Workspaces(services.core.database, services.core.clock)
    late = Late(workspaces.find_workspace)
    with monkeypatch.context() as patch:
        patch.setattr(workspaces, "find_workspace", late)
        under_way = asyncio.create_task(own.settings_of(workspace_id))
        await late.is_answered.wait()
        await own.update(workspace_id, settings={"maxTokens": 500})
        late.may_come.set()
        before = await under_way

    assert before != await own.settings_of(workspace_id)
