"""The generated client is what its sources make: the SDL, the operations and the tool at its locked version."""

import re
import subprocess
import sys
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
"""Mutations that leave the same behind when they arrive twice; of saves those that are compared or named."""
KINDS = pytest.mark.parametrize("kind", ["query", "mutation", "subscription"])
CODEGEN = Path(sys.prefix) / "codegen" / "bin" / "ariadne-codegen"


def files_of(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.suffix == ".py"}


def test_generating_it_again_changes_nothing(tmp_path) -> None:
    """Run `make client` after a change of the SDL or of app/client/operations."""
    there, here = 'target_package_path = "app/client"', f'target_package_path = "{tmp_path}"'
    settings = (CLIENT / "codegen.toml").read_text()
    assert there in settings
    (tmp_path / "codegen.toml").write_text(settings.replace(there, here))

    subprocess.run(
        [str(CODEGEN), "--config", str(tmp_path / "codegen.toml")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )

    made, committed = files_of(tmp_path / "generated"), files_of(CLIENT / "generated")
    assert made.keys() == committed.keys()
    assert [name for name in made if made[name] != committed[name]] == []


def operations_of(kind: str) -> dict[str, OperationDefinitionNode]:
    """The client's operations of a kind by the fields that they ask for; of several, the one with most variables."""
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
    """Whoever adds a field adds its operation, or says here why the client can do without."""
    fields, operations = fields_of(kind, SDL), operations_of(kind)

    assert fields.keys() - operations.keys() == fields.keys() & WITHOUT_A_METHOD.keys()
    for name, operation in operations.items():
        (called,) = operation.selection_set.selections
        taken = {argument.name.value for argument in called.arguments or ()}
        offered = {argument.name.value for argument in fields[name].arguments or ()}
        assert offered - taken == set(), name


def test_every_mutation_is_classified_as_repeatable_or_not() -> None:
    """What may not is named in app/client/repeating.py, and so are queries that take long."""
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


def test_the_client_needs_only_httpx_pydantic_and_tenacity() -> None:
    program = """
import sys

server = {"graph", "cypher", "litestar", "strawberry", "graphql", "neo4j", "redis", "websockets"}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in server:
            raise ImportError(f"the client imports {name}")

sys.meta_path.insert(0, Refuse())
import app.client.generated, app.client.shared
assert not {name for name in sys.modules if name.startswith("app.") and not name.startswith("app.client")}
"""

    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
