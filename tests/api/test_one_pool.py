"""One pool behind all surfaces: each surface finds the memories of every other."""

import httpx
import pytest

from graph.memories.models import MemoryFilter
from graph.tenancy.models import Scope
from tests.fixtures.interfaces import INTERFACES, Caller
from tests.fixtures.served import CommandLine
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

# One sentence for each surface, so similar that a question about gardens matches them all.
SUBJECTS = ["beans", "carrots", "garlic", "leeks", "onions", "peas", "radishes", "spinach", "turnips"]
SAID = {
    interface: f"In the garden the {subject} grow"
    for interface, subject in zip(INTERFACES, SUBJECTS, strict=True)
}


@pytest.fixture
async def caller(chat_proxy, upstream, services, api_url, tmp_path):
    """Yield an administrator of the chats' workspace, since one of the surfaces needs one."""
    workspace_id = chat_proxy.workspace_id
    _, key = await services.tenancy.keys.create(workspace_id, name="interfaces", scopes=[Scope.ADMIN])
    async with httpx.AsyncClient(base_url=api_url, timeout=scaled_timeout(60)) as http:
        signed_in = await http.post("/sign-in", data={"key": key})
        cookie = signed_in.cookies["session"]
        http.cookies.clear()
        yield Caller(
            url=api_url,
            key=key,
            cookie=cookie,
            workspace_id=workspace_id,
            http=http,
            proxy=chat_proxy,
            upstream=upstream,
            command_line=CommandLine(api_url, key, tmp_path),
        )


async def test_every_surface_finds_memories_saved_on_any_other(caller, services) -> None:
    """K1, K2, K4-K6, K8, K11-K13, I1: for all pairs of surfaces."""
    for name, interface in INTERFACES.items():
        await interface.save(caller, SAID[name])

    async def all_are_embedded() -> bool:
        page = await services.memories.store.page(caller.workspace_id, MemoryFilter(), first=50)
        return len(page.items) == len(INTERFACES) and all(
            str(m.state).upper() == "LINKED" for m in page.items
        )

    assert await until(all_are_embedded)
    found = {
        name: await interface.find(caller, "What grows in the garden?")
        for name, interface in INTERFACES.items()
    }

    missing = {
        (saved, finder)
        for finder, lines in found.items()
        for saved, text in SAID.items()
        if not any(text in line for line in lines)
    }
    assert missing == set()
