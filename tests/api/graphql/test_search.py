"""Search for callers."""

import pytest

from tests.fixtures.prompts import NOTE

SAVE = "mutation($inputs: [SaveMemoryInput!]!) { saveMemories(inputs: $inputs) { memory { id } } }"
SEARCH = """
query($text: String!, $kinds: [SearchKind!], $first: Int, $offset: Int) {
  search(query: $text, kinds: $kinds, first: $first, offset: $offset) {
    hits {
      kind nodeId text score vectorScore coverage why memory { id content }
      node { __typename id ... on Memory { content } ... on Entity { name type } }
    }
    resolution { strategy tier fallback degraded exact stagesMs }
    markdown
  }
}
"""


async def test_memories_are_found_with_their_kind(graphql):
    """C23."""
    data = await graphql.ok(SAVE, inputs=[{"content": "sigma tau"}, {"content": "something else"}])
    id_ = data["saveMemories"][0]["memory"]["id"]

    found = (await graphql.ok(SEARCH, text="sigma tau", first=1))["search"]
    none = (await graphql.ok(SEARCH, text="sigma tau", kinds=["ENTITY", "CHUNK", "ARTIFACT", "EPISODE"]))[
        "search"
    ]

    (hit,) = found["hits"]
    assert (hit["kind"], hit["nodeId"], hit["text"]) == ("MEMORY", id_, "sigma tau")
    assert hit["memory"] == {"id": id_, "content": "sigma tau"}
    assert hit["node"] == {"__typename": "Memory", "id": id_, "content": "sigma tau"}
    assert 0 < hit["score"] <= 1
    assert hit["coverage"] == 1.0
    assert found["resolution"]["strategy"] == "HYBRID"
    assert found["markdown"].startswith(f"# Search results\n\n{NOTE}\n\n1. **{id_}** (memory, score ")
    assert none["hits"] == []


async def test_search_finds_an_entity_by_name_with_its_neighbours(graphql):
    """C23: beside a memory that mentions it, both stored by their own services."""
    (entity,) = (
        await graphql.ok(
            "mutation($inputs: [EntityInput!]!) { upsertEntities(inputs: $inputs) { id } }",
            inputs=[{"type": "Company", "name": "Acme Corp", "aliases": ["ACM"]}],
        )
    )["upsertEntities"]
    await graphql.ok(SAVE, inputs=[{"content": "Acme Corp pays late"}])

    found = (await graphql.ok(SEARCH, text="Acme Corp"))["search"]

    assert {hit["kind"] for hit in found["hits"]} == {"ENTITY", "MEMORY"}
    (hit,) = [hit for hit in found["hits"] if hit["kind"] == "ENTITY"]
    assert (hit["nodeId"], hit["memory"], hit["coverage"]) == (entity["id"], None, 1.0)
    assert hit["node"] == {"__typename": "Entity", "id": entity["id"], "name": "Acme Corp", "type": "Company"}


@pytest.mark.parametrize(
    ("variables", "field", "message"),
    [
        ({"text": " "}, "query", "query must have at least 1 character after trimming"),
        ({"text": "\x00"}, "query", "query must not hold NUL characters"),
        ({"text": "x", "first": 0}, "first", "first must be between 1 and 100, got 0"),
        ({"text": "x", "first": 101}, "first", "first must be between 1 and 100, got 101"),
        ({"text": "x", "offset": -1}, "offset", "offset must be 0 or more, got -1"),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_a_field_out_of_range_is_named_with_the_form_expected(graphql, variables, field, message):
    """C23."""
    error = await graphql.error(SEARCH, **variables)

    assert error == {"message": message, "code": "INVALID_INPUT", "field": field}


async def test_an_unknown_kind_is_refused_with_its_name(graphql):
    error = await graphql.error(SEARCH, text="x", kinds=["DREAM"])

    assert error["code"] == "INVALID_INPUT"
    assert "DREAM" in error["message"]


async def test_nulls_count_as_omitted_arguments(graphql):
    """C23: GraphQL allows this for arguments with a default."""
    assert (await graphql.ok(SEARCH, text="x", kinds=None, first=None, offset=None))["search"]["hits"] == []
