"""Cosines of candidates, compared with NumPy's results for the stored vectors."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallStrategy
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.vectors import LONGEST_WINDOWED_WORDS
from tests.fixtures.graphs import run
from tests.integration.retrieval.recall.test_recall import embedded

_STORED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
RETURN memory.id AS id, memory.words AS words, memory[$property] AS own,
       [(memory)<-[:PART_OF]-(part:Passage) | part[$property]] AS parts
"""
_SHORT = "what did Ada say about green tea"
_LONG = (
    "I was thinking about the harbour and the long walk we had there with the dog last summer. "
    "Ada told us of her garden. She brought cake. What was it that she said about green tea?"
)
_SEVERAL = (
    "I am writing a letter to the whole family about our summer, and I want it to be right this time. "
    "What did Ada say about green tea, and which harbours does the essay tell of?"
)
_ESSAY = " ".join(
    f"Paragraph {number} of the essay tells of green tea and of harbours." for number in range(30)
)


@pytest.mark.parametrize(
    ("text", "texts_embedded", "parts"), [(_SHORT, 1, 0), (_LONG, 3, 1), (_SEVERAL, 3, 2)]
)
async def test_cosines_are_those_of_the_stored_vectors(
    services, workspace_id, graph_driver, text: str, texts_embedded: int, parts: int
) -> None:
    """C1: for the whole memory, its best part, the end of a long query, and each of the query's parts."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    turns = [
        MemoryDraft(
            content=f"Turn {number} says this. It also says something of green tea.",
            speaker="Ada",
            source_conversation_id="harbour",
            timestamp=start + timedelta(minutes=number),
        )
        for number in range(4)
    ]
    alone = [MemoryDraft(content=content, dedup=False) for content in ("Ada likes green tea.", _ESSAY)]
    await embedded(services, workspace_id, [*turns, *alone])
    recall = services.retrieval.recall
    trace = recall.trace(RecallStrategy.HYBRID)
    question = recall.parse(text)
    asked = await recall.embed(question, trace)
    assert (len(asked.vectors), asked.parts) == (texts_embedded, parts)

    ranking = await recall.rank(workspace_id, question, asked, trace)

    result = await run(graph_driver, _STORED, ws=workspace_id, property=asked.index.vector_property)
    stored = {record["id"]: record for record in result.records}
    assert {candidate.id for candidate in ranking.pool.candidates} == stored.keys()
    assert {len(record["parts"]) > 0 for record in stored.values()} == {True, False}
    assert any(record["words"] > LONGEST_WINDOWED_WORDS and record["parts"] for record in stored.values())
    for candidate in ranking.pool.candidates:
        assert (candidate.cosine, candidate.part_cosine, candidate.focus_cosine) == pytest.approx(
            _cosines(stored[candidate.id], asked.vectors[0], asked.focus or asked.vectors[0]), abs=1e-5
        )
        assert candidate.asked_cosines == pytest.approx(
            [_best(stored[candidate.id], part) for part in asked.of_parts], abs=1e-5
        )


def _best(record, asked) -> float:
    return max(float(np.array(vector) @ asked) for vector in [record["own"], *record["parts"]])


def _cosines(record, asked, focus) -> tuple[float, float, float]:
    own, parts = np.array(record["own"]), [np.array(part) for part in record["parts"]]
    is_long = record["words"] > LONGEST_WINDOWED_WORDS
    whole = float(own @ asked)
    of_parts = [float(part @ asked) for part in parts]
    best_part = max([*of_parts, *([whole] if is_long or not parts else [])])
    best_focus = max([float(own @ focus), *([float(part @ focus) for part in parts] if is_long else [])])
    return whole, best_part, best_focus


async def test_ranking_uses_stored_vectors_not_quantised_ones(services, workspace_id) -> None:
    """C1: so another store with a different rounding of its index gives the same results."""
    random = np.random.default_rng(0)
    query, *others = np.linalg.qr(random.standard_normal((384, 301)))[0].T
    cosines = 0.8 - 1e-5 * np.arange(len(others))  # differences too small for the index
    vectors = cosines[:, None] * query + np.sqrt(1 - cosines**2)[:, None] * np.array(others)
    random.shuffle(vectors)
    drafts = [
        MemoryDraft(content=f"number {number}", embedding=vector.tolist(), dedup=False)
        for number, vector in enumerate(vectors)
    ]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    index = services.vectors.embeddings.active
    asked = EmbeddedQuery([query.tolist()], index)
    recall = services.retrieval.recall

    ranking = await recall.rank(workspace_id, ParsedQuery(""), asked, recall.trace(RecallStrategy.SEMANTIC))

    nearest = [receipts[row].memory.id for row in np.argsort(-(vectors @ query))]
    found = {candidate.id for candidate in ranking.pool.candidates}
    assert 20 < len(found) < 200
    assert found == set(nearest[: len(found)])
