"""Ontologies through GraphQL."""

from tests.unit.knowledge.exchange.vocabularies import OWL

IMPORT = """mutation($input: ImportOntologyInput!) { importOntology(input: $input) {
  dryRun notes entityTypes { created updated unchanged } relationTypes { created updated unchanged }
} }"""
EXPORT = "query($format: OntologyFormat) { exportOntology(format: $format) { format mediaType content } }"


async def test_types_come_in_and_go_out(graphql) -> None:
    """E6, E7."""
    tried = (await graphql.ok(IMPORT, input={"content": OWL, "format": "TURTLE", "dryRun": True}))[
        "importOntology"
    ]
    done = (await graphql.ok(IMPORT, input={"content": OWL, "format": "TURTLE", "only": ["WebService"]}))[
        "importOntology"
    ]
    written = (await graphql.ok(EXPORT, format="JSON_LD"))["exportOntology"]
    again = (await graphql.ok(IMPORT, input={"content": written["content"], "format": "JSON_LD"}))[
        "importOntology"
    ]

    assert (tried["dryRun"], len(tried["entityTypes"]["created"])) == (True, 4)
    assert done["entityTypes"] == {"created": ["System", "WebService"], "updated": [], "unchanged": []}
    assert done["relationTypes"]["created"] == ["DEPENDS_ON"]
    assert (written["format"], written["mediaType"]) == ("JSON_LD", "application/ld+json")
    assert again["entityTypes"]["unchanged"] == ["System", "WebService"]


async def test_a_remote_context_is_refused_with_the_field(graphql) -> None:
    error = await graphql.error(
        IMPORT, input={"content": '{"@context": "https://schema.org/"}', "format": "JSON_LD"}
    )

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "content")
    assert "lies elsewhere and is not fetched" in error["message"]
