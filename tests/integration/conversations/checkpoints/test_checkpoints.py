"""Checkpoints in the graph: how large ones are read and deleted, and with what else they go."""

import base64
import io
import os
from collections import Counter

import pytest

from graph.conversations.checkpoints.models import (
    CheckpointDraft,
    CheckpointFilter,
    WriteDraft,
    WritesDraft,
)
from graph.conversations.checkpoints.service import Checkpoints
from graph.core.audit.models import AuditAction
from graph.core.ids import new_workspace_id
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

MIB = 1024 * 1024


@pytest.fixture
def checkpoints(services) -> Checkpoints:
    return services.conversations.checkpoints


def text_of(state: bytes) -> str:
    return base64.b64encode(state).decode()


def draft(id_: str, state: bytes = b"x", thread: str = "t", user: str | None = None) -> CheckpointDraft:
    return CheckpointDraft(
        thread_id=thread, checkpoint_id=id_, state=text_of(state), state_type="bytes", user_id=user
    )


def wrote(id_: str, value: bytes, thread: str = "t", task: str = "task") -> WritesDraft:
    write = WriteDraft(position=0, channel="c", value=text_of(value), value_type="bytes")
    return WritesDraft(thread_id=thread, checkpoint_id=id_, task_id=task, writes=[write])


async def kinds(driver, workspace_id: str) -> Counter[str]:
    found = await run(
        driver,
        "CYPHER 25 MATCH (n:AgentCheckpoint|AgentCheckpointWrite|AgentCheckpointThread {workspace_id: $ws}) "
        "RETURN labels(n)[0] AS l",
        ws=workspace_id,
    )
    return Counter(record["l"] for record in found.records)


async def test_a_page_ends_early_where_states_are_large(checkpoints, workspace_id) -> None:
    """A state of 4 MiB with 4 MiB beside it, and small ones: 16 MiB a page, but at least one checkpoint."""
    for number in range(3):
        await checkpoints.save(workspace_id, draft(f"1f{number}", bytes(4 * MIB)))
    for task in range(4):
        await checkpoints.save_writes(workspace_id, wrote("1f2", bytes(4 * MIB), task=f"task{task}"))
    await checkpoints.save(workspace_id, draft("1e"))

    sizes, after = [], None
    while True:
        page = await checkpoints.page(workspace_id, CheckpointFilter(thread_id="t"), first=20, after=after)
        sizes.append([each.id for each in page.items])
        if not page.has_more:
            break
        after = page.cursors[-1].encode()

    assert sizes == [["1f2"], ["1f1", "1f0", "1e"]]


async def test_a_thread_that_no_transaction_holds_is_deleted_in_several(
    checkpoints, services, workspace_id, graph_driver
) -> None:
    for number in range(6):
        await checkpoints.save(workspace_id, draft(f"1f{number}", os.urandom(4 * MIB)))
        await checkpoints.save_writes(workspace_id, wrote(f"1f{number}", b"x"))
    await checkpoints.save(workspace_id, draft("1f0", thread="other"))

    assert await checkpoints.delete_thread(workspace_id, "t")
    assert not await checkpoints.delete_thread(workspace_id, "t")

    assert await kinds(graph_driver, workspace_id) == {"AgentCheckpoint": 1, "AgentCheckpointThread": 1}
    entries = (await services.core.audit.page(actions=[AuditAction.THREAD_REMOVED], first=50)).items
    assert [each.subject_id for each in entries if each.workspace_id == workspace_id] == ["t"]


async def test_they_go_with_their_workspace(services, checkpoints, workspace_id, graph_driver) -> None:
    for number in range(5):
        await checkpoints.save(workspace_id, draft(f"1f{number}", os.urandom(4 * MIB)))
    await checkpoints.save_writes(workspace_id, wrote("1f0", b"x"))

    await services.tenancy.workspaces.delete(workspace_id, hard=True)

    assert await kinds(graph_driver, workspace_id) == {}


async def test_threads_of_a_user_go_with_the_user(services, checkpoints, workspace_id, graph_driver) -> None:
    for thread, user in (
        ("of-alice", "alice"),
        ("of-alice-too", "alice"),
        ("of-bob", "bob"),
        ("shared", None),
    ):
        await checkpoints.save(workspace_id, draft("1f", thread=thread, user=user))
        await checkpoints.save_writes(workspace_id, wrote("1f", b"x", thread=thread))

    counts = await services.operations.erasure.begin(workspace_id, "alice")

    async def is_erased() -> bool:
        return (await services.operations.erasure.count(workspace_id, "alice")).total == 0

    await until(is_erased)
    assert (counts.threads, counts.checkpoints, counts.checkpoint_writes, counts.total) == (2, 2, 2, 6)
    assert await checkpoints.find(workspace_id, "of-alice") is None
    assert await kinds(graph_driver, workspace_id) == {
        "AgentCheckpoint": 2,
        "AgentCheckpointThread": 2,
        "AgentCheckpointWrite": 2,
    }


async def test_an_archive_takes_large_states_along_however_alike_they_are(
    services, checkpoints, workspace_id
) -> None:
    """What unpacks to far more than its size is refused as no archive: they are compressed before they are in it."""
    for number in range(20):
        await checkpoints.save(
            workspace_id, draft(f"1f{number:02}", b"the same again " * 200_000, user="alice")
        )
    await checkpoints.save(workspace_id, draft("1f", os.urandom(3 * MIB), thread="other"))
    await checkpoints.save_writes(workspace_id, wrote("1f00", b"written"))
    archives = services.operations.archives

    for user, expected in ((None, ["1f", "1f19", "1f00"]), ("alice", [None, "1f19", "1f00"])):
        stream = await archives.export(workspace_id, user_id=user)
        file = io.BytesIO(b"".join([piece async for piece in stream.pieces]))
        target = new_workspace_id()
        checked = await archives.check(file)
        *_, last = [progress async for progress in archives.restore(target, checked, file)]
        again = [progress async for progress in archives.restore(target, checked, file)][-1]

        assert (last.is_done, again.created_nodes) == (True, 0)
        found = [
            await checkpoints.find(target, thread, id_=id_)
            for thread, id_ in (("other", None), ("t", None), ("t", "1f00"))
        ]
        assert [each and each.id for each in found] == expected
        assert found[1] is not None
        assert found[1].state == b"the same again " * 200_000
        assert found[2] is not None
        assert [write.value for write in found[2].writes] == [b"written"]
