"""``recollect ontology``."""

import json

from tests.unit.knowledge.exchange.vocabularies import OWL, SCHEMA_ORG


async def test_a_vocabulary_becomes_types_in_one_command(cli, services, workspace_id) -> None:
    """E6, E7: the ending tells the format."""
    path = cli.folder / "ops.ttl"
    path.write_text(OWL)

    tried = await cli.ok("ontology", "import", str(path), "--dry-run")
    done = await cli.ok("ontology", "import", str(path))
    again = await cli.ok("ontology", "import", str(path))

    assert "dry run: nothing was changed\nentity types: 4 created, 0 updated, 0 unchanged\n" in tried
    assert "relation types: 2 created, 0 updated, 0 unchanged\n  created DEPENDS_ON, OWNS\n" in done
    assert "  note: http://example.com/ops#nowhere: " in done
    assert "entity types: 0 created, 0 updated, 4 unchanged\n" in again
    registry = await services.knowledge.ontology.types.read(workspace_id)
    assert sorted(registry.entity_types) == ["IndependentContinuant", "System", "Team", "WebService"]


async def test_what_is_exported_can_be_imported_again(cli) -> None:
    """E7: on standard output and into a file."""
    path = cli.folder / "schema.jsonld"
    path.write_text(SCHEMA_ORG)
    await cli.ok("ontology", "import", str(path), "--only", "MessageType")
    copy = cli.folder / "copy.ttl"

    shown = json.loads(await cli.ok("ontology", "export"))
    await cli.ok("ontology", "export", "--format", "turtle", "--output", str(copy))

    assert [type_["name"] for type_ in shown["entityTypes"]] == ["MessageType", "Thing"]
    assert "2 unchanged" in await cli.ok("ontology", "import", str(copy))


async def test_both_ways_tell_what_they_did_as_json(cli) -> None:
    """For programs: what changed; the content, or where it is."""
    path, copy = cli.folder / "schema.jsonld", cli.folder / "copy.ttl"
    path.write_text(SCHEMA_ORG)

    report = json.loads(await cli.ok("ontology", "import", str(path), "--only", "MessageType", "--json"))
    shown = json.loads(await cli.ok("ontology", "export", "--json"))
    written = json.loads(await cli.ok("ontology", "export", "-f", "turtle", "-o", str(copy), "--json"))

    assert (report["dryRun"], report["entityTypes"]["created"]) == (False, ["MessageType", "Thing"])
    assert shown["format"] == "JSON"
    assert [type_["name"] for type_ in json.loads(shown["content"])["entityTypes"]] == [
        "MessageType",
        "Thing",
    ]
    assert written == {"format": "TURTLE", "file": str(copy)}
    assert "MessageType" in copy.read_text()


async def test_what_cannot_be_imported_is_one_line(cli) -> None:
    unknown, broken = cli.folder / "ontology.owl", cli.folder / "broken.json"
    unknown.write_text("<rdf/>")
    broken.write_text('{"entityTypes": [}')

    assert "the ending does not tell the format" in await cli.error("ontology", "import", str(unknown))
    assert "in line 1, column 18" in await cli.error("ontology", "import", str(broken))
