"""The TypeScript example: its types come from the SDL, it compiles, and it runs against the service."""

import asyncio
import os
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from graph.tenancy.access.models import Scope

FOLDER = Path(__file__).parents[3] / "app" / "client" / "typescript"


async def run(*command: str, **environment: str) -> str:
    """Run a command in the example's folder and return what it printed."""
    inherited = dict(os.environ)  # noqa: TID251 - a child's environment is made here, no setting is read
    process = await asyncio.create_subprocess_exec(
        *command, cwd=FOLDER, env={**inherited, **environment}, stdout=PIPE, stderr=STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


@pytest.fixture(scope="module")
async def built() -> Path:
    """The example, generated from the SDL and compiled; `make test` has fetched the compilers."""
    await run("npm", "run", "--silent", "build")
    return FOLDER / "build" / "example.js"


async def test_it_saves_recalls_and_prints_the_context(built, api_url, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, key = await services.tenancy.access.create_key(
        workspace_id, name="typescript", scopes=[Scope.READ, Scope.WRITE]
    )

    first = await run("node", str(built), RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY=key)
    saved, recalled, *context = first.splitlines()

    assert saved.split()[0] == "CREATED"
    assert saved.split()[1] in {"EMBEDDED", "LINKED"}
    assert recalled.split(maxsplit=1)[1] == "We indent with tabs, because everybody may then choose a width"
    assert "We indent with tabs" in "\n".join(context)


async def test_a_refusal_is_told_with_its_code(built, api_url) -> None:
    with pytest.raises(AssertionError, match="UNAUTHENTICATED"):
        await run("node", str(built), RECOLLECT_API_URL=api_url, RECOLLECT_API_KEY="rk_wrong")


def test_the_lock_has_checksums_and_no_addresses_of_a_registry() -> None:
    lock = (FOLDER / "package-lock.json").read_text()

    assert lock.count('"integrity": "sha512-') > 20
    assert '"resolved"' not in lock
