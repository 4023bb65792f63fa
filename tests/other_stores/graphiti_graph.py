"""Makes a small graph with Graphiti in a Neo4j; runs in the environment of ``requirements.lock``.

Arguments: the address of the Neo4j, its user and password, and the base URL of an embedding endpoint.
"""

import asyncio
import os
import sys
from datetime import UTC, datetime

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"  # noqa: TID251 - Graphiti reads it when it is imported

from graphiti_core.driver.neo4j_driver import Neo4jDriver
from graphiti_core.edges import EntityEdge, EpisodicEdge
from graphiti_core.embedder.openai import OpenAIEmbedder, OpenAIEmbedderConfig
from graphiti_core.nodes import EntityNode, EpisodeType, EpisodicNode

GROUP = "alice"
MOVED = datetime(2024, 5, 1, tzinfo=UTC)
SAID = datetime(2024, 6, 1, tzinfo=UTC)


async def main(uri: str, user: str, password: str, base_url: str) -> None:
    driver = Neo4jDriver(uri, user, password)
    embedder = OpenAIEmbedder(OpenAIEmbedderConfig(api_key="none", base_url=base_url, embedding_dim=32))
    await driver.build_indices_and_constraints()
    episode = EpisodicNode(
        name="chat",
        group_id=GROUP,
        source=EpisodeType.message,
        source_description="a chat",
        content="Ada: I moved from Oslo to Bergen",
        created_at=SAID,
        valid_at=SAID,
    )
    await episode.save(driver)
    people = {
        name: EntityNode(
            name=name, group_id=GROUP, labels=[label], created_at=SAID, summary=f"{name}, a {label}"
        )
        for name, label in (("Ada", "Person"), ("Oslo", "Place"), ("Bergen", "Place"))
    }
    for node in people.values():
        await node.generate_name_embedding(embedder)
        await node.save(driver)
        mention = EpisodicEdge(
            source_node_uuid=episode.uuid, target_node_uuid=node.uuid, group_id=GROUP, created_at=SAID
        )
        await mention.save(driver)
    for place, begins, ends in (("Oslo", None, MOVED), ("Bergen", MOVED, None)):
        edge = EntityEdge(
            group_id=GROUP,
            source_node_uuid=people["Ada"].uuid,
            target_node_uuid=people[place].uuid,
            created_at=SAID,
            name="LIVES_IN",
            fact=f"Ada lives in {place}",
            episodes=[episode.uuid],
            valid_at=begins,
            invalid_at=ends,
        )
        await edge.generate_embedding(embedder)
        await edge.save(driver)
    await driver.close()


asyncio.run(main(*sys.argv[1:5]))
