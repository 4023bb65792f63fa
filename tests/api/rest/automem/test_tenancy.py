"""Tenancy of AutoMem's interface, which neither shows nor changes other workspaces (I8, N12)."""

import pytest


@pytest.fixture
async def theirs(their_rest) -> str:
    """Save a memory of another tenant; return its id."""
    body = {"content": "Another tenant's words.", "tags": ["shared"], "importance": 1}
    return (await their_rest.post("/memory", body))["memory_id"]


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/memory/by-tag", {"tags": "shared"}),
        ("/recall", {"tags": "shared"}),
        ("/recall", {"query": "another tenant's words"}),
        ("/recall", {}),
    ],
    ids=repr,
)
async def test_another_tenants_memories_are_not_found(rest, theirs, path, parameters) -> None:
    assert (await rest.get(path, **parameters))["results"] == []


async def test_another_tenants_memories_are_not_changed(rest, theirs, their_rest) -> None:
    """The status is 404, as for a missing memory; here the same id is another memory (A42, C20)."""
    changed = await rest.patch(f"/memory/{theirs}", {"content": "Mine."}, status=404)
    deleted = await rest.delete(f"/memory/{theirs}", status=404)
    taken = await rest.post("/memory", {"id": theirs, "content": "Mine."})
    await rest.delete(f"/memory/{theirs}")

    assert {answer["field"] for answer in (changed, deleted)} == {"id"}
    assert taken["memory_id"] == theirs
    (kept,) = (await their_rest.get("/memory/by-tag", tags="shared"))["results"]
    assert kept["memory"]["content"] == "Another tenant's words."


@pytest.mark.parametrize("theirs_first", [True, False])
async def test_another_tenants_memories_cannot_be_associated(rest, theirs, theirs_first) -> None:
    """E2, E15."""
    mine = (await rest.post("/memory", {"content": "Mine."}))["memory_id"]
    ends = (theirs, mine) if theirs_first else (mine, theirs)

    answer = await rest.post(
        "/associate",
        {"memory1_id": ends[0], "memory2_id": ends[1], "type": "RELATES_TO"},
        status=404,
    )

    assert answer["field"] == ("memory1_id" if theirs_first else "memory2_id")
