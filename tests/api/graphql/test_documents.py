"""Documents and artifacts through GraphQL."""

import base64
import hashlib
from collections import Counter

import pytest

from graph.knowledge.documents.models import DocumentDraft
from tests.fixtures.document_files import encrypted, pdf

ADD = """mutation($input: DocumentInput!) { addDocument(input: $input) {
  id workspaceId title uri key mediaType contentHash metadata connectionId chunkCount storesText active
  partlyEmbeddedChunks changes { outcome added removed kept }
} }"""
READ = """query($id: ID!, $first: Int, $after: String) { document(id: $id) {
  title changes { outcome }
  chunks(first: $first, after: $after) {
    edges { node { id ordinal headings excerpt text page charStart charEnd state embeddedFrom document { id } } }
    pageInfo { hasNextPage endCursor }
  }
} }"""
LIST = """query($filter: DocumentFilter, $first: Int) {
  documents(filter: $filter, first: $first) { edges { node { title } } pageInfo { hasNextPage } }
}"""
DEEP = """query($first: Int) { documents(first: $first) { edges { node {
  partlyEmbeddedChunks chunks(first: 2) { edges { node { document { title } } } }
} } } }"""
DELETE = "mutation($id: ID!) { deleteDocument(id: $id) }"
ADD_ARTIFACT = """mutation($input: ArtifactInput!) { addArtifact(input: $input) {
  id key name kind uri summary metadata sessionId state
} }"""
TEXT = "Boil the water before anything else.\n\nThen wait for a while."


async def test_a_document_is_added_read_listed_and_deleted(graphql, workspace_id) -> None:
    """E10, K1."""
    input_ = {"title": "Tea", "uri": "file:///tea.txt", "content": TEXT, "metadata": {"by": "Ada"}}

    added = (await graphql.ok(ADD, input=input_))["addDocument"]
    again = (await graphql.ok(ADD, input=input_))["addDocument"]
    read = (await graphql.ok(READ, id=added["id"]))["document"]

    assert added == {
        "id": added["id"],
        "workspaceId": workspace_id,
        "title": "Tea",
        "uri": "file:///tea.txt",
        "key": "file:///tea.txt",
        "mediaType": "text/plain",
        "contentHash": hashlib.sha256(TEXT.encode()).hexdigest(),
        "metadata": {"by": "Ada"},
        "connectionId": None,
        "chunkCount": 1,
        "storesText": False,
        "active": True,
        "partlyEmbeddedChunks": 0,
        "changes": {"outcome": "CREATED", "added": 1, "removed": 0, "kept": 0},
    }
    assert again["changes"] == {"outcome": "UNCHANGED", "added": 0, "removed": 0, "kept": 1}
    (edge,) = read["chunks"]["edges"]
    assert (read["title"], read["changes"]) == ("Tea", None)
    assert {name: value for name, value in edge["node"].items() if name != "id"} == {
        "ordinal": 0,
        "headings": [],
        "excerpt": "Then wait for a while.",
        "text": None,
        "page": None,
        "charStart": 0,
        "charEnd": len(TEXT),
        "state": "EMBEDDED",
        "embeddedFrom": "WHOLE",
        "document": {"id": added["id"]},
    }
    listed = await graphql.ok(LIST, filter={"text": "tea.txt"})
    assert listed["documents"]["edges"] == [{"node": {"title": "Tea"}}]
    assert (await graphql.ok(DELETE, id=added["id"]))["deleteDocument"] is True
    assert (await graphql.ok(DELETE, id=added["id"]))["deleteDocument"] is False
    assert (await graphql.ok(READ, id=added["id"]))["document"] is None


async def test_chunks_are_read_page_by_page_and_one_by_one(graphql) -> None:
    content = base64.b64encode(b"# One\nfirst\n# Two\nsecond\n# Three\nthird").decode()
    input_ = {"key": "three.md", "contentBase64": content}
    added = (await graphql.ok(ADD, input=input_))["addDocument"]

    first = (await graphql.ok(READ, id=added["id"], first=2))["document"]["chunks"]
    rest = await graphql.ok(READ, id=added["id"], first=2, after=first["pageInfo"]["endCursor"])

    nodes = [edge["node"] for edge in [*first["edges"], *rest["document"]["chunks"]["edges"]]]
    assert [node["headings"] for node in nodes] == [["One"], ["Two"], ["Three"]]
    assert [first["pageInfo"]["hasNextPage"], rest["document"]["chunks"]["pageInfo"]["hasNextPage"]] == [
        True,
        False,
    ]
    chunk = "query($id: ID!) { chunk(id: $id) { ordinal document { title } } }"
    assert await graphql.ok(chunk, id=nodes[1]["id"]) == {
        "chunk": {"ordinal": 1, "document": {"title": "One"}}
    }
    assert await graphql.ok(chunk, id="chk_none") == {"chunk": None}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"contentBase64": "eA=="}, "content"),
        ({"content": None, "contentBase64": "?"}, "contentBase64"),
        ({"content": None, "contentBase64": base64.b64encode(b"\xff\xfe\x00").decode()}, "contentBase64"),
        (
            {
                "content": None,
                "contentBase64": base64.b64encode(encrypted(pdf("tea"), "secret")).decode(),
                "mediaType": "application/pdf",
            },
            "contentBase64",
        ),
        ({"content": "<div>" * 600 + "x", "mediaType": "text/html"}, "content"),
        ({"mediaType": "application/zip"}, "mediaType"),
        ({"title": ""}, "title"),
        ({"uri": "\x00"}, "uri"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": "x"}, "metadata"),
        ({"connectionId": " "}, "connectionId"),
        ({"storeText": True}, "storeText"),
        ({"content": f"token AKIAIOSFODNN7ABCDEFG {'tea ' * 20}"}, "content"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_bad_document_is_refused_by_its_field(graphql, change, field) -> None:
    """K18."""
    error = await graphql.error(ADD, input={"key": "bad", "content": "tea", **change})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert field in error["message"]
    assert (await graphql.ok(LIST))["documents"]["edges"] == []


@pytest.mark.parametrize("first", [0, 201])
async def test_pages_have_a_size_in_range(graphql, services, workspace_id, first) -> None:
    document = await services.knowledge.documents.add(workspace_id, DocumentDraft(key="k", content="tea"))

    for query, variables in ((LIST, {}), (READ, {"id": document.id})):
        error = await graphql.error(query, first=first, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "first")


async def test_many_documents_take_as_many_queries_as_one(
    graphql, services, workspace_id, monkeypatch
) -> None:
    """K1: compares the queries for ten parents and for one."""
    for number in range(10):
        await services.knowledge.documents.add(
            workspace_id, DocumentDraft(key=f"{number}.md", content=f"# A\nfirst {number}\n# B\nsecond")
        )
    asked: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        asked[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    counts = []
    for first in (1, 10):
        asked.clear()
        data = await graphql.ok(DEEP, first=first)
        assert len(data["documents"]["edges"]) == first
        counts.append(
            {name: asked[name] for name in ("list_chunks", "get_documents", "count_partly_embedded")}
        )

    assert counts == [{"list_chunks": 1, "get_documents": 1, "count_partly_embedded": 1}] * 2
    assert all(len(edge["node"]["chunks"]["edges"]) == 2 for edge in data["documents"]["edges"])


async def test_a_workspace_decides_whether_texts_are_stored(graphql, admin, workspace_id) -> None:
    """E10."""
    await admin.ok(
        "mutation($id: ID!, $settings: JSON!) { updateWorkspace(id: $id, input: {settings: $settings}) { id } }",
        id=workspace_id,
        settings={"store_document_text": True},
    )

    added = (await graphql.ok(ADD, input={"key": "k", "content": TEXT, "storeText": True}))["addDocument"]

    (edge,) = (await graphql.ok(READ, id=added["id"]))["document"]["chunks"]["edges"]
    assert added["storesText"] is True
    assert (edge["node"]["text"], edge["node"]["excerpt"]) == (TEXT, TEXT)


async def test_an_artifact_is_added_read_listed_and_deleted(graphql) -> None:
    input_ = {
        "name": "Q3 report",
        "kind": "Report",
        "uri": "s3://r/q3.pdf",
        "summary": "Revenue grew.",
        "metadata": {"pages": 9},
        "sessionId": "ses_1",
    }

    added = (await graphql.ok(ADD_ARTIFACT, input=input_))["addArtifact"]
    again = (await graphql.ok(ADD_ARTIFACT, input={"name": "Q3 final", "key": added["key"]}))["addArtifact"]

    expected = {**input_, "kind": "report", "key": "s3://r/q3.pdf", "id": added["id"], "state": "STORED"}
    assert added == expected
    assert {**again, "state": "STORED"} == {**expected, "name": "Q3 final"}
    one = "query($id: ID!) { artifact(id: $id) { name } }"
    many = "query($kind: String) { artifacts(kind: $kind) { edges { node { name } } } }"
    delete = "mutation($id: ID!) { deleteArtifact(id: $id) }"
    assert await graphql.ok(one, id=added["id"]) == {"artifact": {"name": "Q3 final"}}
    assert (await graphql.ok(many, kind="report"))["artifacts"]["edges"] == [{"node": {"name": "Q3 final"}}]
    assert (await graphql.ok(many, kind="image"))["artifacts"]["edges"] == []
    assert await graphql.ok(delete, id=added["id"]) == {"deleteArtifact": True}
    assert await graphql.ok(one, id=added["id"]) == {"artifact": None}


SEARCH = """query($q: String!) { search(query: $q) { hits { kind nodeId node {
  __typename id
  ... on Chunk { headings document { title uri } }
  ... on Artifact { uri }
} } } }"""
NODE = """query($id: ID!) { node(id: $id) { __typename id neighbours { edge { type } node { kind caption } } } }"""


async def test_search_hits_link_to_their_document(graphql) -> None:
    """C23, E11: a citation needs title, position and location."""
    await graphql.ok(ADD, input={"uri": "file:///tea.md", "content": "# Brew\noolong wants ninety degrees"})
    await graphql.ok(ADD_ARTIFACT, input={"name": "kettle photo", "uri": "s3://kettle.png"})

    chunk = (await graphql.ok(SEARCH, q="oolong"))["search"]["hits"][0]
    artifact = (await graphql.ok(SEARCH, q="kettle photo"))["search"]["hits"][0]

    assert chunk["node"] == {
        "__typename": "Chunk",
        "id": chunk["nodeId"],
        "headings": ["Brew"],
        "document": {"title": "Brew", "uri": "file:///tea.md"},
    }
    assert artifact["node"] == {"__typename": "Artifact", "id": artifact["nodeId"], "uri": "s3://kettle.png"}


async def test_documents_chunks_and_artifacts_can_be_traversed(graphql) -> None:
    """E5."""
    document = (
        await graphql.ok(ADD, input={"key": "a.md", "title": "Tea", "content": "# A\none\n# B\ntwo"})
    )["addDocument"]
    artifact = (await graphql.ok(ADD_ARTIFACT, input={"name": "kettle photo"}))["addArtifact"]
    chunks = (await graphql.ok(READ, id=document["id"]))["document"]["chunks"]["edges"]

    walked = (await graphql.ok(NODE, id=document["id"]))["node"]
    first = (await graphql.ok(NODE, id=chunks[0]["node"]["id"]))["node"]
    alone = (await graphql.ok(NODE, id=artifact["id"]))["node"]

    assert (walked["__typename"], first["__typename"], alone["__typename"]) == (
        "Document",
        "Chunk",
        "Artifact",
    )
    assert [(each["edge"]["type"], each["node"]["kind"]) for each in walked["neighbours"]] == [
        ("PART_OF", "CHUNK"),
        ("PART_OF", "CHUNK"),
    ]
    assert {(each["edge"]["type"], each["node"]["kind"]) for each in first["neighbours"]} == {
        ("PART_OF", "DOCUMENT"),
        ("NEXT", "CHUNK"),
    }
    assert "Tea" in [each["node"]["caption"] for each in first["neighbours"]]
    assert alone["neighbours"] == []


@pytest.mark.parametrize(
    ("change", "field"),
    [({"name": ""}, "name"), ({"summary": "x" * 2001}, "summary"), ({"metadata": 5}, "metadata")],
    ids=["name", "summary", "metadata"],
)
async def test_an_invalid_artifact_is_refused_with_its_field(graphql, change, field) -> None:
    error = await graphql.error(ADD_ARTIFACT, input={"name": "x", **change})

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
