"""`recollect export` and `recollect restore` against the running service (issue 15, point 6)."""

import json
import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from graph.core.ids import new_workspace_id
from graph.memories.models import MemoryDraft
from graph.operations.models import RestoreProgress
from tests.fixtures.graphs import run
from tests.fixtures.served import CommandLine

_CONTENTS = "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) RETURN m.content AS content ORDER BY content"


@pytest.fixture
async def saved(services, workspace_id) -> str:
    for number in range(3):
        await services.memories.store.save(
            workspace_id, MemoryDraft(content=f"the harbour has {number} cranes")
        )
    return workspace_id


async def contents(driver, workspace_id: str) -> list[str]:
    return [record["content"] for record in (await run(driver, _CONTENTS, ws=workspace_id)).records]


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


async def test_a_workspace_is_exported_and_restored_into_another(
    admin_cli: CommandLine, saved, graph_driver
) -> None:
    file, target = admin_cli.folder / "a.tar.zst", new_workspace_id()

    out = await admin_cli.ok("export", str(file), "--workspace", saved, "--vectors")
    first = await admin_cli.ok("restore", str(file), "--workspace", target)
    again = await admin_cli.ok("restore", str(file), "--workspace", target)

    assert out.startswith(f"exported to {file}: 3 memories, ")
    assert first.startswith(f"restored into {target}: ")
    assert "restored into" in again
    assert ": 0 of " in again
    assert " and 0 of " in again
    assert await contents(graph_driver, target) == await contents(graph_driver, saved)
    assert files_in(admin_cli.folder) == [file]


async def test_export_and_import_report_as_json(admin_cli: CommandLine, saved) -> None:
    """Programs read the file's contents and the service's report."""
    file, target = admin_cli.folder / "a.tar.zst", new_workspace_id()

    out = json.loads(await admin_cli.ok("export", str(file), "--workspace", saved, "--json"))
    restored = json.loads(await admin_cli.ok("restore", str(file), "--workspace", target, "--json"))

    assert (out["file"], out["memories"], out["vectors"]) == (str(file), 3, None)
    assert restored["workspace_id"] == target
    assert restored["created_nodes"] == restored["total_nodes"] == out["memories"] + out["others"]


async def test_an_export_replaces_a_file_only_on_request(admin_cli: CommandLine, saved) -> None:
    file = admin_cli.folder / "a.tar.zst"
    file.write_bytes(b"mine")

    assert "is there already" in await admin_cli.error("export", str(file), "--workspace", saved)
    assert file.read_bytes() == b"mine"
    await admin_cli.ok("export", str(file), "--workspace", saved, "--force")
    assert file.read_bytes() != b"mine"


async def test_exporting_a_user_without_data_leaves_no_file(admin_cli: CommandLine, saved) -> None:
    file = admin_cli.folder / "a.tar.zst"

    error = await admin_cli.error("export", str(file), "--workspace", saved, "--user", "carol")

    assert "there is no data of a user 'carol'" in error
    assert files_in(admin_cli.folder) == []


async def test_export_and_restore_need_an_administrators_key(
    cli: CommandLine, admin_cli: CommandLine, saved
) -> None:
    file = admin_cli.folder / "a.tar.zst"
    await admin_cli.ok("export", str(file), "--workspace", saved)

    assert "lacks the scope 'admin'" in await cli.error("export", str(cli.folder / "b.tar.zst"))
    assert "lacks the scope 'admin'" in await cli.error("restore", str(file))


async def test_a_truncated_file_is_refused_before_upload(admin_cli: CommandLine, saved) -> None:
    file = admin_cli.folder / "a.tar.zst"
    await admin_cli.ok("export", str(file), "--workspace", saved)
    file.write_bytes(file.read_bytes()[:-1])

    assert "ends too early" in await admin_cli.error("restore", str(file))


async def test_an_unexpected_restore_failure_names_the_log(
    admin_cli: CommandLine, saved, services, monkeypatch
) -> None:
    file = admin_cli.folder / "a.tar.zst"
    await admin_cli.ok("export", str(file), "--workspace", saved)

    async def failing(workspace_id: str, *_: Any) -> AsyncGenerator[RestoreProgress]:
        yield RestoreProgress(workspace_id=workspace_id, total_nodes=3, total_edges=0)
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr(services.operations.archives, "restore", failing)
    error = await admin_cli.error("restore", str(file), "--workspace", new_workspace_id())

    assert re.search(r"an unexpected error occurred; the log has it under [0-9a-f]{12}", error)
    assert "secret" not in error


async def test_the_service_refuses_a_file_that_is_not_an_archive(http, admin, graph_driver) -> None:
    target = new_workspace_id()

    answer = await http.post(
        f"/v1/workspaces/{target}/archive",
        content=b"no archive",
        headers={"Authorization": f"Bearer {admin.key}", "Content-Type": "application/zstd"},
    )

    assert answer.status_code == 400
    assert answer.json()["field"] == "archive"
    found = await run(graph_driver, "MATCH (w:Workspace {id: $ws}) RETURN count(w) AS n", ws=target)
    assert found.records[0]["n"] == 0


@pytest.mark.parametrize("name", ["My place", "team#1", "team?"])
async def test_a_malformed_workspace_id_is_refused(admin_cli: CommandLine, saved, name) -> None:
    """Also if the name has characters with a meaning in URLs."""
    file = admin_cli.folder / "a.tar.zst"
    await admin_cli.ok("export", str(file), "--workspace", saved)

    error = await admin_cli.error("restore", str(file), "--workspace", name)

    assert "workspaceId must be ws_ followed by lower-case letters or digits" in error
