"""``recollect ontology``."""

import json

SERVICES = json.dumps(
    {
        "entityTypes": [{"name": "System"}, {"name": "WebService", "parent": "System"}, {"name": "Team"}],
        "relationTypes": [
            {"name": "DEPENDS_ON", "fromTypes": ["WebService"], "toTypes": ["System"]},
            {"name": "OWNS", "fromTypes": ["Team"]},
        ],
    }
)


async def test_an_ontology_becomes_types_in_one_command(cli, services, workspace_id) -> None:
    """E6, E7."""
    path = cli.folder / "ops.json"
    path.write_text(SERVICES)

    tried = await cli.ok("ontology", "import", str(path), "--dry-run")
    done = await cli.ok("ontology", "import", str(path))
    again = await cli.ok("ontology", "import", str(path))

    assert "dry run: nothing was changed\nentity types: 3 created, 0 updated, 0 unchanged\n" in tried
    assert "relation types: 2 created, 0 updated, 0 unchanged\n  created DEPENDS_ON, OWNS\n" in done
    assert "entity types: 0 created, 0 updated, 3 unchanged\n" in again
    registry = await services.knowledge.ontology.types.read(workspace_id)
    assert sorted(registry.entity_types) == ["System", "Team", "WebService"]


async def test_an_exported_ontology_can_be_imported(cli) -> None:
    """E7: to standard output and to a file."""
    path = cli.folder / "ops.json"
    path.write_text(SERVICES)
    await cli.ok("ontology", "import", str(path), "--only", "WebService")
    copy = cli.folder / "copy.json"

    shown = json.loads(await cli.ok("ontology", "export"))
    await cli.ok("ontology", "export", "--output", str(copy))

    assert [type_["name"] for type_ in shown["entityTypes"]] == ["System", "WebService"]
    assert "2 unchanged" in await cli.ok("ontology", "import", str(copy))


async def test_export_and_import_report_as_json(cli) -> None:
    """Programs read the changes, and the exported content or its path."""
    path, copy = cli.folder / "ops.json", cli.folder / "copy.json"
    path.write_text(SERVICES)

    report = json.loads(await cli.ok("ontology", "import", str(path), "--only", "WebService", "--json"))
    shown = json.loads(await cli.ok("ontology", "export", "--json"))
    written = json.loads(await cli.ok("ontology", "export", "-o", str(copy), "--json"))

    assert (report["dryRun"], report["entityTypes"]["created"]) == (False, ["System", "WebService"])
    assert [type_["name"] for type_ in json.loads(shown["content"])["entityTypes"]] == [
        "System",
        "WebService",
    ]
    assert written == {"file": str(copy)}
    assert "WebService" in copy.read_text()


async def test_an_invalid_ontology_is_reported_in_one_line(cli) -> None:
    broken = cli.folder / "broken.json"
    broken.write_text('{"entityTypes": [}')

    assert "in line 1, column 18" in await cli.error("ontology", "import", str(broken))
