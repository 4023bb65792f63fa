"""Changes to a memory's fields, and the vector that follows its text."""

import numpy as np
import pytest

from graph.memories.models import MemoryChange, MemoryDraft, MemoryState, SaveOutcome
from tests.fixtures.graphs import run
from tests.fixtures.states import reached

VECTOR = """
CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
RETURN memory[$property] AS vector, memory.revision AS revision, memory.embedded_revision AS embedded_revision
"""
UPDATE = """mutation($id: ID!, $input: UpdateMemoryInput!) {
  updateMemory(id: $id, input: $input) { type kind key content metadata enriched }
}"""
GET = "query($id: ID!) { memory(id: $id, waitFor: EMBEDDED, timeoutMs: 10000) { state enriched } }"


async def stored(services, graph_driver, workspace_id, id_) -> dict:
    name = services.vectors.embeddings.vector_property
    return (await run(graph_driver, VECTOR, ws=workspace_id, id=id_, property=name)).records[0].data()


@pytest.mark.usefixtures("patient_waits")
async def test_type_key_content_and_metadata_change_together_and_the_vector_follows(
    graphql, services, workspace_id, graph_driver
) -> None:
    """A28, A16, B16: the stored vector always belongs to the current text."""
    draft = MemoryDraft(content="Ada likes tea", key="drink", type="Preference", metadata={"a": 1})
    memory = (await services.memories.store.save(workspace_id, draft)).memory
    await reached(services, workspace_id, [memory.id], MemoryState.EMBEDDED)
    given = {
        "type": "HABIT",
        "kind": "PROCEDURAL",
        "key": "habit",
        "content": "Ada drinks coffee at noon",
        "metadata": {"b": 2},
    }

    changed = (await graphql.ok(UPDATE, id=memory.id, input=given))["updateMemory"]

    assert changed == {**given, "metadata": {"a": 1, "b": 2}, "enriched": False}
    assert (await graphql.ok(GET, id=memory.id))["memory"]["state"] in ("EMBEDDED", "LINKED")
    after = await stored(services, graph_driver, workspace_id, memory.id)
    (expected,) = await services.vectors.embeddings.embed(["Ada drinks coffee at noon"])
    np.testing.assert_allclose(after["vector"], expected, atol=1e-6)
    assert after["embedded_revision"] == after["revision"]
    assert await services.memories.store.find(workspace_id, memory.id) is not None


@pytest.mark.parametrize("change", [{"key": "other"}, {"metadata": {"x": 1}}, {"importance": 0.9}], ids=repr)
async def test_a_change_of_metadata_needs_no_new_vector(services, workspace_id, graph_driver, change) -> None:
    """A28, B16."""
    memory = (await services.memories.store.save(workspace_id, MemoryDraft(content="Ada likes tea"))).memory
    await reached(services, workspace_id, [memory.id], MemoryState.LINKED)
    before = await stored(services, graph_driver, workspace_id, memory.id)

    changed = await services.memories.store.update(workspace_id, memory.id, MemoryChange(**change))

    assert changed.state is MemoryState.LINKED
    assert await stored(services, graph_driver, workspace_id, memory.id) == before


async def test_a_memory_is_enriched_only_after_background_work(graphql, services, workspace_id) -> None:
    """A39: a vector alone does not make it enriched."""
    memory = (await services.memories.store.save(workspace_id, MemoryDraft(content="Ada likes tea"))).memory

    assert memory.enriched is False
    embedded = (await graphql.ok(GET, id=memory.id))["memory"]
    assert embedded["enriched"] is (embedded["state"] == "LINKED")  # linking may have finished by then


async def test_a_derived_key_follows_the_text_unless_the_key_is_taken(services, workspace_id) -> None:
    """Issue 35 (14): a chosen key stays, and a key that a caller sets counts as chosen."""
    store = services.memories.store

    async def save(content: str, key: str, *, derived: bool) -> str:
        draft = MemoryDraft(content=content, key=key, key_is_derived=derived, dedup=False)
        return (await store.save(workspace_id, draft)).memory.id

    async def changed(id_: str, **fields) -> tuple[str | None, bool]:
        memory = await store.update(workspace_id, id_, MemoryChange(**fields))
        assert await store.get(workspace_id, id_) == memory
        return memory.key, memory.key_is_derived

    derived = await save("The user prefers TypeScript", "preference:typescript", derived=True)
    chosen = await save("The user prefers tabs", "preference:tabs", derived=False)

    assert await changed(derived, content="The user prefers Rust") == ("preference:rust", True)
    back = await store.restore(workspace_id, derived, version=1)
    assert (back.key, back.key_is_derived) == ("preference:typescript", True)
    assert await changed(chosen, content="The user prefers spaces") == ("preference:tabs", False)
    assert await changed(derived, content="The user prefers tabs") == (None, False)
    assert await changed(derived, key="language") == ("language", False)


async def test_saving_under_a_derived_key_makes_it_a_chosen_key(services, workspace_id) -> None:
    """Issue 35 (14)."""
    store = services.memories.store
    draft = MemoryDraft(content="The user likes tea", key="preference:tea", key_is_derived=True)
    await store.save(workspace_id, draft)

    saved = await store.save(workspace_id, draft.model_copy(update={"key_is_derived": False}))
    again = await store.save(workspace_id, draft.model_copy(update={"key_is_derived": False}))

    assert (saved.memory.key, saved.memory.key_is_derived) == ("preference:tea", False)
    assert again.outcome is SaveOutcome.UNCHANGED


async def test_a_save_by_id_drops_the_derived_key_of_the_old_text(services, workspace_id) -> None:
    """Issue 35 (14): with the old key, a repeated statement would replace a different one."""
    store = services.memories.store
    draft = MemoryDraft(
        content="The user prefers TypeScript", key="preference:typescript", key_is_derived=True
    )
    id_ = (await store.save(workspace_id, draft)).memory.id

    changed = await store.save(workspace_id, MemoryDraft(id=id_, content="The user prefers Rust"))
    again = await store.save(workspace_id, draft)

    assert (changed.memory.key, changed.memory.key_is_derived) == (None, False)
    assert (again.outcome, again.memory.key) == (SaveOutcome.CREATED, "preference:typescript")
    assert (await store.get(workspace_id, id_)).content == "The user prefers Rust"
