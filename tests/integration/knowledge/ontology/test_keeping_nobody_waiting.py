"""Validation of large batches: once, and without blocking other tasks."""

import asyncio
import json
import threading

import pytest

from graph.core import background
from graph.knowledge.documents import rules as document_rules
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.ontology import registry, rules
from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft, RelationDraft, RelationTypeDraft

SCHEMA = {"properties": {"port": {"type": "integer"}}}


@pytest.fixture
def schemas_checked(monkeypatch) -> list[threading.Thread]:
    """Return the list of threads that validate schemas, one entry per schema."""
    threads: list[threading.Thread] = []

    def checked(schema):
        threads.append(threading.current_thread())
        return validated(schema)

    validated = registry.validated_schema
    monkeypatch.setattr(registry, "validated_schema", checked)
    return threads


async def test_each_type_of_an_import_is_checked_once_in_a_thread(
    services, workspace_id, schemas_checked
) -> None:
    """E7: before the transaction, because a transaction may be retried."""
    types = [{"name": f"T{number}", "properties": SCHEMA} for number in range(5)]
    text = json.dumps({"entityTypes": types, "relationTypes": [{"name": "OWNS", "properties": SCHEMA}]})

    await services.knowledge.exchange.import_types(workspace_id, text)

    assert len(schemas_checked) == 6
    assert threading.main_thread() not in schemas_checked


async def test_types_are_checked_in_a_thread(services, workspace_id, schemas_checked) -> None:
    """E6."""
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="Port", properties=SCHEMA)])
    await types.upsert_relation_types(workspace_id, [RelationTypeDraft(name="OWNS", properties=SCHEMA)])

    assert len(schemas_checked) == 2
    assert threading.main_thread() not in schemas_checked


@pytest.mark.parametrize("kind", ["entity", "relation"])
async def test_other_tasks_run_while_a_batch_is_checked(services, workspace_id, monkeypatch, kind) -> None:
    """E7: after each draft here; normally after every 5 ms."""
    entities = [EntityDraft(type="Service", name=f"n{number}") for number in range(10)]
    written = await services.knowledge.ontology.upsert_entities(workspace_id, entities)
    relations = [RelationDraft(from_name=written[0].id, to_name=each.id, type="OWNS") for each in written[1:]]
    turns: list[int] = []
    passed = 0

    async def others() -> None:
        nonlocal passed
        while True:
            passed += 1
            await asyncio.sleep(0)

    def checked(draft):
        turns.append(passed)
        return validated(draft)

    validated = getattr(rules, f"validated_{kind}")
    monkeypatch.setattr(rules, f"validated_{kind}", checked)
    monkeypatch.setattr(background, "_SECONDS", -1.0)
    waiting = asyncio.create_task(others())
    if kind == "entity":
        await services.knowledge.ontology.upsert_entities(workspace_id, entities)
    else:
        await services.knowledge.ontology.upsert_relations(workspace_id, relations)
    waiting.cancel()

    assert len(set(turns)) == len(turns) >= 9


async def test_a_document_is_decoded_and_hashed_once_in_a_thread(services, workspace_id, monkeypatch) -> None:
    """E10: 20 MB of base64 take a tenth of a second."""
    threads: list[threading.Thread] = []

    def hashed(content: bytes):
        threads.append(threading.current_thread())
        return sha256(content)

    sha256 = document_rules.hashlib.sha256
    monkeypatch.setattr(document_rules, "hashlib", type("hashlib", (), {"sha256": staticmethod(hashed)}))
    draft = DocumentDraft(content="The service listens at port 80.")
    document = await services.knowledge.documents.add(workspace_id, draft)

    assert document.content_hash == sha256(b"The service listens at port 80.").hexdigest()
    assert len(threads) == 1
    assert threading.main_thread() not in threads
