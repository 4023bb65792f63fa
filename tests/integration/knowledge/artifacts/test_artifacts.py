"""Artifacts: added by key, found by their topic."""

import asyncio

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.models import Artifact, ArtifactDraft
from tests.fixtures.graphs import fingerprint, run
from tests.fixtures.waiting import until

REPORT = ArtifactDraft(
    name="Q3 report",
    kind="Report",
    uri="s3://reports/q3%20final.pdf",
    summary="Revenue grew by a fifth.",
    metadata={"pages": 9},
    session_id="ses_1",
)
_NODE = (
    "CYPHER 25 MATCH (n:Artifact:Searchable {workspace_id: $ws}) RETURN properties(n) AS node ORDER BY n.key"
)


async def nodes(driver, workspace_id: str) -> list[dict]:
    return [record["node"] for record in (await run(driver, _NODE, ws=workspace_id)).records]


async def until_embedded(services, workspace_id: str, id_: str) -> Artifact:
    async def embedded():
        found = await services.knowledge.artifacts.find(workspace_id, id_)
        return found if found.state == "EMBEDDED" else None

    return await until(embedded)


async def test_an_artifact_is_stored_and_embedded(services, workspace_id, stored_memories) -> None:
    """B27, C23."""
    added = await services.knowledge.artifacts.add(workspace_id, REPORT)

    found = await until_embedded(services, workspace_id, added.id)
    (node,) = await nodes(stored_memories.driver, workspace_id)
    assert added.id.startswith("art_")
    assert found.model_dump(exclude={"id", "created_at", "updated_at"}) == {
        "workspace_id": workspace_id,
        "key": "s3://reports/q3%20final.pdf",
        "name": "Q3 report",
        "kind": "report",
        "uri": "s3://reports/q3%20final.pdf",
        "summary": "Revenue grew by a fifth.",
        "metadata": {"pages": 9},
        "session_id": "ses_1",
        "state": "EMBEDDED",
        "failure": None,
    }
    assert (node["search_kind"], node["active"], node["revision"]) == ("artifact", True, 1)
    assert node["search_text"] == "Q3 report\nRevenue grew by a fifth."
    assert node["search_keys"] == "Q3 report report q3 final.pdf"


async def test_adding_an_artifact_again_updates_the_given_fields(
    services, workspace_id, stored_memories
) -> None:
    """A20, N6: only a new name or summary is embedded again."""
    first = await services.knowledge.artifacts.add(workspace_id, REPORT)
    await until_embedded(services, workspace_id, first.id)

    same = await services.knowledge.artifacts.add(workspace_id, REPORT)
    moved = await services.knowledge.artifacts.add(
        workspace_id, ArtifactDraft(name="Q3 report", key=first.key, uri="s3://old/q3.pdf", metadata={"a": 1})
    )
    (before,) = await nodes(stored_memories.driver, workspace_id)
    renamed = await services.knowledge.artifacts.add(
        workspace_id, ArtifactDraft(name="Third quarter", key=first.key)
    )
    (after,) = await nodes(stored_memories.driver, workspace_id)

    assert same.model_dump(exclude={"updated_at", "state"}) == first.model_dump(
        exclude={"updated_at", "state"}
    )
    assert (moved.id, moved.kind, moved.summary) == (first.id, "report", "Revenue grew by a fifth.")
    assert (moved.uri, moved.metadata, moved.state) == ("s3://old/q3.pdf", {"pages": 9, "a": 1}, "EMBEDDED")
    assert (before["revision"], after["revision"]) == (1, 2)
    assert renamed.state == "STORED"
    assert after["search_text"] == "Third quarter\nRevenue grew by a fifth."


async def test_an_artifact_is_identified_by_its_key_else_its_uri_else_kind_and_name(
    services, workspace_id
) -> None:
    async def add(**fields: str) -> tuple[str, str, str]:
        added = await services.knowledge.artifacts.add(workspace_id, ArtifactDraft(**fields))
        return added.id, added.key, added.kind

    by_name = await add(name="build.log")
    by_kind = await add(name="build.log", kind="Log")
    by_uri = await add(name="build.log", uri="file:///build.log")

    assert by_name[1:] == ("file/build.log", "file")
    assert by_kind[1:] == ("log/build.log", "log")
    assert by_uri[1:] == ("file:///build.log", "file")
    assert len({by_name[0], by_kind[0], by_uri[0]}) == 3
    assert await add(name="build.log") == by_name
    assert await add(name="other name", key="log/build.log") == by_kind


async def test_concurrent_adds_of_one_artifact_create_one(services, workspace_id) -> None:
    """N10."""
    drafts = [REPORT.model_copy(update={"summary": f"Version {n}."}) for n in range(5)]

    added = await asyncio.gather(*(services.knowledge.artifacts.add(workspace_id, draft) for draft in drafts))

    page = await services.knowledge.artifacts.page(workspace_id)
    assert {artifact.id for artifact in added} == {artifact.id for artifact in page.items}
    assert len(page.items) == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 513}, "name"),
        ({"name": "a\x00"}, "name"),
        ({"kind": ""}, "kind"),
        ({"kind": "x" * 65}, "kind"),
        ({"uri": "x" * 2049}, "uri"),
        ({"summary": "x" * 2001}, "summary"),
        ({"key": " "}, "key"),
        ({"session_id": ""}, "sessionId"),
        ({"metadata": {"x": float("inf")}}, "metadata"),
        ({"summary": "key AKIAIOSFODNN7ABCDEFG"}, "summary"),
        ({"uri": "postgres://ada:hunter2@db.test/x"}, "uri"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_artifact_is_refused_with_its_field(services, workspace_id, fields, field) -> None:
    """A43, K18."""
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.artifacts.add(workspace_id, ArtifactDraft(**{"name": "x", **fields}))

    assert refused.value.field == field
    assert (await services.knowledge.artifacts.page(workspace_id)).items == []


async def test_lists_are_paged_and_filtered(services, workspace_id) -> None:
    drafts = [
        ArtifactDraft(name="a", kind="log", session_id="s1"),
        ArtifactDraft(name="b", kind="log"),
        ArtifactDraft(name="c", kind="image", session_id="s1"),
    ]
    ids = [(await services.knowledge.artifacts.add(workspace_id, draft)).id for draft in drafts]

    async def listed(**wanted) -> list[str]:
        return [
            artifact.id
            for artifact in (await services.knowledge.artifacts.page(workspace_id, **wanted)).items
        ]

    first = await services.knowledge.artifacts.page(workspace_id, first=2)
    assert [artifact.id for artifact in first.items] == [ids[2], ids[1]]
    assert await listed(first=2, after=first.cursors[-1].encode()) == [ids[0]]
    assert await listed(kind=" LOG ") == [ids[1], ids[0]]
    assert await listed(session_id="s1") == [ids[2], ids[0]]


async def test_a_deleted_artifact_leaves_nothing(services, workspace_id, stored_memories) -> None:
    before = await fingerprint(stored_memories.driver, workspace_id)
    added = await services.knowledge.artifacts.add(workspace_id, REPORT)

    assert await services.knowledge.artifacts.delete(workspace_id, added.id) is True
    assert await services.knowledge.artifacts.delete(workspace_id, added.id) is False
    assert await fingerprint(stored_memories.driver, workspace_id) == before


async def test_artifacts_are_separate_for_each_workspace(services, workspace_id, other_workspace_id) -> None:
    """N12."""
    ours = await services.knowledge.artifacts.add(workspace_id, REPORT)
    theirs = await services.knowledge.artifacts.add(other_workspace_id, REPORT)

    assert ours.id != theirs.id
    assert await services.knowledge.artifacts.find(other_workspace_id, ours.id) is None
    assert await services.knowledge.artifacts.delete(other_workspace_id, ours.id) is False
    assert (await services.knowledge.artifacts.page(other_workspace_id)).items == [
        await services.knowledge.artifacts.find(other_workspace_id, theirs.id)
    ]
