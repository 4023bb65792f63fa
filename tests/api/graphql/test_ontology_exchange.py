"""Ontologies through GraphQL."""

import json

IMPORT = """mutation($input: ImportOntologyInput!) { importOntology(input: $input) {
  dryRun entityTypes { created updated unchanged } relationTypes { created updated unchanged }
} }"""
EXPORT = "{ exportOntology { content } }"
SERVICES = json.dumps(
    {
        "entityTypes": [{"name": "System"}, {"name": "WebService", "parent": "System"}, {"name": "Team"}],
        "relationTypes": [
            {"name": "DEPENDS_ON", "fromTypes": ["WebService"], "toTypes": ["System"]},
            {"name": "OWNS", "fromTypes": ["Team"]},
        ],
    }
)


async def test_types_are_imported_and_exported(graphql) -> None:
    """E6, E7."""
    tried = (await graphql.ok(IMPORT, input={"content": SERVICES, "dryRun": True}))["importOntology"]
    done = (await graphql.ok(IMPORT, input={"content": SERVICES, "only": ["WebService"]}))["importOntology"]
    written = (await graphql.ok(EXPORT))["exportOntology"]
    again = (await graphql.ok(IMPORT, input={"content": written["content"]}))["importOntology"]

    assert (tried["dryRun"], len(tried["entityTypes"]["created"])) == (True, 3)
    assert done["entityTypes"] == {"created": ["System", "WebService"], "updated": [], "unchanged": []}
    assert done["relationTypes"]["created"] == ["DEPENDS_ON"]
    assert again["entityTypes"]["unchanged"] == ["System", "WebService"]


async def test_a_content_that_is_not_json_is_refused_with_the_field(graphql) -> None:
    error = await graphql.error(IMPORT, input={"content": '{"entityTypes": [}'})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "content")
    assert "in line 1, column 18" in error["message"]
