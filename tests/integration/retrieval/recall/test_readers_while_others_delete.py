"""Readers of indexes, while five writers permanently delete memories that the indexes still return."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

from graph.core.errors import Unavailable
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.operations.services import Services
from graph.retrieval.context.models import ContextQuery
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.app import GraphQLClient

WRITERS = 5
ROUNDS = 5  # rounds of each writer; in each it saves and deletes BATCH memories
BATCH = 20
TEXT = "Ada orders green tea from the harbour shop before the meeting"

RECALL = """query { recall(input: {query: "who orders green tea", limit: 50}) {
  hits {
    memory { id content versions { content } associations { id } mentions { entity { id name } } }
    relations { id }
  }
} }"""
SEARCH = """query { search(query: "green tea from the harbour", first: 50) {
  hits { nodeId text memory { content } node { id } }
} }"""
ASK = """query { ask(question: "What does Ada order from the harbour shop?") { text citations { nodeId quote } } }"""
SAVE = """mutation($input: SaveMemoryInput!) {
  saveMemory(input: $input, waitFor: EMBEDDED, timeoutMs: 200) { memory { id } deduplicated }
}"""

Read = Callable[[Services, str], Awaitable[Any]]
BY_GRAPHQL = {
    "recall": (RECALL, {}),
    "search": (SEARCH, {}),
    "ask": (ASK, {}),
    "save": (SAVE, {"input": {"content": f"{TEXT} 1 1 1"}}),
}
BY_SERVICE: dict[str, Read] = {
    "diverse": lambda s, w: s.retrieval.recall.recall(w, RecallQuery(query="tea", limit=20, diversity=0.5)),
    "filtered": lambda s, w: s.retrieval.recall.recall(
        w, RecallQuery(query="tea", limit=20, filter=MemoryFilter(any_tags=("tea",)))
    ),
    "by tags": lambda s, w: s.retrieval.recall.recall(
        w, RecallQuery(limit=50, filter=MemoryFilter(any_tags=("tea",)))
    ),
    "newest": lambda s, w: s.retrieval.recall.recall(w, RecallQuery(limit=50)),
    "entities": lambda s, w: s.retrieval.entities.search_entities(w, "Ada at the harbour"),
    "context": lambda s, w: s.retrieval.context.compose(w, ContextQuery(query="Does Ada order tea?")),
    "list": lambda s, w: s.memories.store.page(w, MemoryFilter(any_tags=("tea",)), first=100),
    "sequences": lambda s, w: s.telemetry.reader.search_sequences(w, "green tea"),
}


async def at_last(write: Callable[[], Awaitable[Any]]) -> Any:
    """Write until the busy database does it within the deadline of a request."""
    while True:
        with suppress(Unavailable):
            return await write()


async def delete_what_it_saves(services: Services, workspace_id: str, writer: int) -> None:
    for round_ in range(ROUNDS):
        drafts = [
            MemoryDraft(content=f"{TEXT} {writer} {round_} {place}", tags=("tea",), dedup=False)
            for place in range(BATCH)
        ]
        saved = await at_last(partial(services.memories.store.save_all, workspace_id, drafts))
        entity = EntityDraft(type="Thing", name=f"harbour {writer} {round_}")
        (made,) = await at_last(partial(services.knowledge.ontology.upsert_entities, workspace_id, [entity]))
        for each in saved:
            delete = partial(services.memories.deletion.delete, workspace_id, each.memory.id, hard=True)
            await at_last(delete)
        await at_last(partial(services.knowledge.ontology.delete, workspace_id, made.id))


async def test_recalls_succeed_while_five_writers_delete(
    services: Services, graphql: GraphQLClient, workspace_id: str
) -> None:
    """Every reader of an index, through GraphQL if only GraphQL reports an INTERNAL error."""
    done = asyncio.Event()
    answers: Counter[str] = Counter()
    errors: Counter[str] = Counter()

    async def on_and_on(name: str, read: Callable[[], Awaitable[list[str]]]) -> None:
        while not done.is_set():
            found = await read()
            answers[name] += 1
            errors.update(f"{name}: {error}" for error in found)

    async def by_graphql(query: str, variables: dict[str, Any]) -> list[str]:
        answer = (await graphql.post(query, **variables)).json()
        codes = [error["extensions"]["code"] for error in answer.get("errors", ())]
        return [code for code in codes if code != "UNAVAILABLE"]

    async def by_service(read: Read) -> list[str]:
        try:
            await read(services, workspace_id)
        except Unavailable:
            return []  # a busy machine may time out, which is reported; deleted memories must not matter
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            return [f"{type(error).__name__} {error}"]
        return []

    readers = [
        *(on_and_on(name, lambda asked=asked: by_graphql(*asked)) for name, asked in BY_GRAPHQL.items()),
        *(on_and_on(name, lambda read=read: by_service(read)) for name, read in BY_SERVICE.items()),
    ]
    reading = asyncio.gather(*readers)
    try:
        await asyncio.gather(
            *(delete_what_it_saves(services, workspace_id, writer) for writer in range(WRITERS))
        )
    finally:
        done.set()
        await reading
    assert set(answers) == {*BY_GRAPHQL, *BY_SERVICE}
    assert errors == {}
