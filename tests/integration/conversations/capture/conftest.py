"""A workspace that captures conversations, and the stored graph of a conversation."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase

from tests.fixtures.graphs import run

_CHAIN = """CYPHER 25
MATCH (:Conversation {workspace_id: $ws, id: $id})<-[:PART_OF]-(message:Message)
RETURN message.id AS id, [(message)-[:NEXT]->(following:Message) | following.id] AS following
ORDER BY message.position, message.id"""
_LEFT = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE node:Conversation OR node:Message
RETURN count(node) AS nodes"""


@dataclass(frozen=True)
class StoredConversations:
    """Conversations as the graph stores them."""

    driver: AsyncDriver

    async def chain(self, workspace_id: str, id_: str) -> list[tuple[str, list[str]]]:
        """Return the messages of a conversation in order, each with the messages that its edges lead to."""
        found = await run(self.driver, _CHAIN, ws=workspace_id, id=id_)
        return [(record["id"], record["following"]) for record in found.records]

    async def left(self, workspace_id: str) -> int:
        """Return the number of conversations and messages in a workspace."""
        return (await run(self.driver, _LEFT, ws=workspace_id)).records[0]["nodes"]


@pytest.fixture(scope="session")
async def stored_conversations(neo4j_address) -> AsyncIterator[StoredConversations]:
    auth = (neo4j_address.user, neo4j_address.password)
    async with AsyncGraphDatabase.driver(
        neo4j_address.uri, auth=auth, notifications_min_severity="OFF"
    ) as driver:
        yield StoredConversations(driver)
