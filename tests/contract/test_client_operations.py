"""The client's operations: one for each field of the SDL; mutations declare whether a retry is safe."""

import re
from pathlib import Path

import pytest
from graphql import FieldDefinitionNode, ObjectTypeDefinitionNode, OperationDefinitionNode, parse

from app.client.repeating import LONG, MANY, ONCE, SAVES
from app.client.transport import CODE_OF_STATUS

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "app" / "client"
CONTRACT = Path(__file__).with_name("contract.graphql")
SDL = ROOT / "app" / "surfaces" / "graphql" / "schema.graphql"
WITHOUT_A_METHOD = {
    "agentTelemetry": "what `actions`, `sequences`, `patterns` and `benchmark` list, under other names",
    "agentMemory": "the deprecated name of `agentTelemetry`",
}
REPEATABLE = frozenset(
    (
        "addArtifact annotatePattern appendMessages associate clearWorkingSet confirmDeletion "
        "createMetric deleteArtifact deleteEntity deleteEntityType deleteMemory deleteMetric deleteRelation "
        "deleteRelationType deleteSequence deleteWebhook dismissDeletion dissociate distill eraseUser extractMemories "
        "limitApiKey rememberMessage removeLanguageModel rerunExtraction restoreEntity restoreMemory retryJob "
        "revokeApiKey saveMemories saveMemory saveMemoryBatch setLanguageModel "
        "setWorkingSet testEmbedder testReranker testVectorTier "
        "updateMemory updateSettings updateVectorTier updateWorkspace upsertConnection upsertEntities "
        "upsertEntityTypes upsertRelations upsertRelationTypes verifyMemory"
    ).split()
)
"""Idempotent mutations; of saves, those with deduplication or an id."""
KINDS = pytest.mark.parametrize("kind", ["query", "mutation", "subscription"])


def operations_of(kind: str) -> dict[str, OperationDefinitionNode]:
    """Return the client's operations of a kind by field; of several, the one with most variables."""
    documents = [parse(path.read_text()) for path in sorted((CLIENT / "operations").glob("*.graphql"))]
    operations = [
        definition
        for document in documents
        for definition in document.definitions
        if isinstance(definition, OperationDefinitionNode) and definition.operation.value == kind
    ]
    operations.sort(key=lambda operation: len(operation.variable_definitions or ()))
    return {operation.selection_set.selections[0].name.value: operation for operation in operations}


def fields_of(kind: str, sdl: Path) -> dict[str, FieldDefinitionNode]:
    (root,) = [
        definition
        for definition in parse(sdl.read_text()).definitions
        if isinstance(definition, ObjectTypeDefinitionNode) and definition.name.value.lower() == kind
    ]
    return {field.name.value: field for field in root.fields or ()}


@KINDS
def test_every_promised_operation_has_a_method(kind: str) -> None:
    promised = fields_of(kind, CONTRACT)

    assert promised
    assert promised.keys() - operations_of(kind).keys() == set()


@KINDS
def test_every_field_has_a_method_that_takes_its_arguments_or_a_reason_for_none(kind: str) -> None:
    """A new field needs an operation, or a reason here why the client has none."""
    fields, operations = fields_of(kind, SDL), operations_of(kind)

    assert fields.keys() - operations.keys() == fields.keys() & WITHOUT_A_METHOD.keys()
    for name, operation in operations.items():
        (called,) = operation.selection_set.selections
        taken = {argument.name.value for argument in called.arguments or ()}
        offered = {argument.name.value for argument in fields[name].arguments or ()}
        assert offered - taken == set(), name


def test_every_mutation_is_classified_as_repeatable_or_not() -> None:
    """app/client/repeating.py lists the unsafe mutations and the slow queries."""
    mutations, queries = fields_of("mutation", SDL).keys(), fields_of("query", SDL).keys()

    assert (ONCE | LONG) & mutations | REPEATABLE == mutations
    assert set() == (ONCE | LONG) & REPEATABLE
    assert mutations | queries >= ONCE | LONG
    assert REPEATABLE >= SAVES >= MANY


def test_an_operation_sent_once_is_the_same_in_typescript() -> None:
    source = (CLIENT / "typescript" / "src" / "repeating.ts").read_text()

    lists = re.findall(r"const (ONCE|LONG|SAVES|MANY) =([^;]+);", source)
    named = {name: frozenset(re.findall(r"\w+", fields)) for name, fields in lists}
    assert named == {"ONCE": ONCE, "LONG": LONG, "SAVES": SAVES, "MANY": MANY}


def test_a_status_means_the_same_in_typescript() -> None:
    source = (CLIENT / "typescript" / "src" / "recollect.ts").read_text()

    (table,) = re.findall(r"const CODES: Record<number, string> = \{([^}]+)\};", source)
    assert {int(status): code for status, code in re.findall(r'(\d+): "(\w+)"', table)} == CODE_OF_STATUS


def test_exceptions_name_existing_fields() -> None:
    assert WITHOUT_A_METHOD.keys() <= fields_of("query", SDL).keys() | fields_of("mutation", SDL).keys()
