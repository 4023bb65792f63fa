"""The schema under graphql-eslint's recommended rules, from npm (issue 16)."""

import json
import re
from pathlib import Path

from app.surfaces.graphql.schema import schema
from tests.fixtures.npm_packages import npm_folder, run_script

FOLDER = Path(__file__).parent
SDL = FOLDER.parents[1] / "app" / "surfaces" / "graphql" / "schema.graphql"
SCRIPT = (FOLDER / "lint_schema.mjs").read_text()
PACKAGES = ("@graphql-eslint/eslint-plugin@4.4.1", "eslint@9.39.5", "graphql@16.11.0")

# Words of the ontology, of telemetry and of inputs, on which callers rely.
OWN_WORDS = [
    'Field "actionType" starts with the name of the parent type "Action"',
    'Field "messageId" starts with the name of the parent type "Message"',
    'Type "EntityType" should not have "Type" suffix',
    'Type "RelationType" should not have "Type" suffix',
    'Type "TypeChanges" should not have "Type" prefix',
]
WITHOUT_ID = re.compile(r'type "(\w+)" must have exactly one non-nullable unique identifier')


async def test_the_linter_finds_only_our_own_words_and_values() -> None:
    """A type without an id is a value, which caches store in place."""
    folder = await npm_folder("graphql-eslint", *PACKAGES)

    found = json.loads(await run_script(folder, SCRIPT, {"RECOLLECT_SDL": str(SDL)}))

    values = [named[1] for _, message in found if (named := WITHOUT_ID.match(message))]
    types = schema._schema.type_map
    # The id of the system's own edges is null.
    assert [name for name in values if "id" in types[name].fields] == ["GraphEdge"]
    assert sorted(message for _, message in found if not WITHOUT_ID.match(message)) == OWN_WORDS
