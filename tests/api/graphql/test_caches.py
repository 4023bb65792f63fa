"""Caches of GraphQL clients from npm, which never confuse two objects (issue 16)."""

import asyncio
import json
import re
import subprocess
from pathlib import Path

import pytest
from graphql import GraphQLObjectType

from app.surfaces.graphql.schema import schema
from tests.fixtures.npm_packages import npm_folder, run_script

FOLDER = Path(__file__).parent
SDL = FOLDER.parents[2] / "app" / "surfaces" / "graphql" / "schema.graphql"
CACHES = (FOLDER / "caches.mjs").read_text()
APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { id } }"
SAVE = "mutation($input: SaveMemoryInput!) { saveMemory(input: $input, waitFor: EMBEDDED) { memory { id } } }"
SAID = {
    "one": ["I am moving to Oslo in May", "Which part of Oslo?"],
    "other": ["Our bees swarm in June", "How many hives?"],
}
SEARCH = '{ search(query: "%s", first: 5) { hits { nodeId kind score why node { id workspaceId } } } }'
DOCUMENTS = {
    "conversations": "{ conversations { edges { node { id messages { edges { node { id messageId content } } } } } } }",
    "one": '{ conversation(id: "one") { id messages { edges { node { id content position } } } } }',
    "other": '{ conversation(id: "other") { id messages { edges { node { id content position } } } } }',
    "search for bees": SEARCH % "bees in June",
    "search for Oslo": SEARCH % "moving to Oslo",
    "recall": '{ recall(input: {query: "bees"}) { hits { score memory { id content } } } }',
    "recall more": '{ recall(input: {query: "Oslo bees"}) { hits { score memory { id content tags } } } }',
    "ask for bees": '{ ask(question: "When do our bees swarm?") { text citations { number nodeId quote score } } }',
    "ask for Oslo": '{ ask(question: "Who moves to Oslo?") { text citations { number nodeId quote score } } }',
    "around": '{ traverse(input: {start: ["one"], depth: 2}) { nodes { nodeId depth kind node { id } } } }',
    "around the other": '{ traverse(input: {start: ["other"], depth: 2}) { nodes { nodeId depth kind node { id } } } }',
}
RELAY = """import { graphql } from "relay-runtime";
graphql`
  fragment chat_messages on Conversation
  @refetchable(queryName: "chatMessagesQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 1 }, after: { type: "String" }) {
    title
    messages(first: $first, after: $after) @connection(key: "chat_messages") { edges { node { content } } }
  }
`;
graphql`fragment chat_message on Message @refetchable(queryName: "chatMessageQuery") { messageId content }`;
graphql`query chatQuery($first: Int!) {
  memories(first: $first) @connection(key: "chat_memories") { edges { node { content } } }
}`;
graphql`mutation chatDeleteMutation($id: ID!) { deleteMemory(id: $id) }`;
"""
STORE = (FOLDER / "relay_store.mjs").read_text()


def values() -> list[str]:
    """Return the types that caches store in place: those without an id, or with a nullable one."""
    objects = [type_ for type_ in schema._schema.type_map.values() if isinstance(type_, GraphQLObjectType)]
    return [type_.name for type_ in objects if "id" not in type_.fields or type_.name == "GraphEdge"]


@pytest.fixture
async def told(graphql, services, workspace_id):
    """Return a client of a workspace with two memories and two conversations with equal message ids."""
    # Extraction is off while npm fetches packages.
    off = {"extractionMode": "off"}
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True, settings=off)
    for conversation, texts in SAID.items():
        messages = [{"content": text} for text in texts]
        await graphql.ok(APPEND, input={"conversationId": conversation, "messages": messages})
        saved = {"content": texts[0], "sourceConversationId": conversation, "sourceMessageId": "#0"}
        await graphql.ok(SAVE, input=saved)
    return graphql


async def test_apollo_and_urql_never_mix_rows(told, api_url) -> None:
    folder = await npm_folder(
        "graphql-caches", "@apollo/client@4.3.8", "rxjs@7.8.2", "@urql/core@6.0.3",
        "@urql/exchange-graphcache@9.0.2", "graphql@16.14.2",
    )  # fmt: skip

    shown = await run_script(
        folder,
        CACHES,
        {
            "RECOLLECT_API_URL": api_url,
            "RECOLLECT_API_KEY": told.key,
            "RECOLLECT_DOCUMENTS": json.dumps(DOCUMENTS),
            "RECOLLECT_SDL": str(SDL),
            "RECOLLECT_VALUES": json.dumps(values()),
        },
    )

    found = json.loads(shown)
    assert found["mixed"] == []
    assert found["read"] == list(DOCUMENTS)


@pytest.fixture
async def compiled(tmp_path) -> Path:
    """Return a folder with the artefacts of Relay's compiler for the operations above."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "chat.js").write_text(RELAY)
    (tmp_path / "schema.graphql").write_text(SDL.read_text())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "relay.config.json").write_text(
        '{"src": "./src", "schema": "./schema.graphql", "language": "javascript", "eagerEsModules": true}'
    )
    process = await asyncio.to_thread(
        subprocess.run,
        ["node", str(await relay() / "node_modules" / "relay-compiler" / "cli.js")],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode == 0, process.stdout + process.stderr
    return tmp_path


async def relay() -> Path:
    """Return the folder of Relay's packages."""
    return await npm_folder("relay", "relay-compiler@21.0.1", "relay-runtime@21.0.1")


async def test_relays_compiler_takes_refetchable_and_connection(told, compiled) -> None:
    """The compiled operations work: the next page of a conversation, and a single message."""
    page = await told.ok(made(compiled, "chatMessagesQuery"), id="one")
    cursor = page["node"]["messages"]["pageInfo"]["endCursor"]
    behind = await told.ok(made(compiled, "chatMessagesQuery"), id="one", after=cursor)
    (edge,) = behind["node"]["messages"]["edges"]
    message = await told.ok(made(compiled, "chatMessageQuery"), id=edge["node"]["id"])
    assert [edge["node"]["content"] for edge in page["node"]["messages"]["edges"]] == SAID["one"][:1]
    assert message["node"] == {
        "__typename": "Message", "id": edge["node"]["id"], "messageId": "#1", "content": SAID["one"][1]
    }  # fmt: skip
    assert len((await told.ok(made(compiled, "chatQuery"), first=5))["memories"]["edges"]) == 2


async def test_relays_store_drops_the_edge_of_a_deleted_memory(told, compiled, api_url) -> None:
    """Issue 16, point 6: with an updater; a deletion of nothing changes nothing."""
    shown = await run_script(
        await relay(),
        STORE,
        {
            "RECOLLECT_API_URL": api_url,
            "RECOLLECT_API_KEY": told.key,
            "RECOLLECT_ARTEFACTS": str(compiled / "src" / "__generated__"),
        },
    )

    found = json.loads(shown)
    assert sorted(found["before"]) == sorted(texts[0] for texts in SAID.values())
    assert found["answers"] == [True, False]
    assert found["after"] == [found["kept"]]


def made(folder: Path, name: str) -> str:
    """Return the text of a compiled operation."""
    artefact = (folder / "src" / "__generated__" / f"{name}.graphql.js").read_text()
    (text,) = re.findall(r'^ +"text": (".*")$', artefact, re.MULTILINE)
    return json.loads(text)
