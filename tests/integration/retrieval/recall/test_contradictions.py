"""Contradictions and repetitions in recall: contradicting hits appear together, repetitions only once."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from graph.memories.models import MemoryDraft, SaveOutcome
from graph.retrieval.context.models import ContextQuery, InjectionFormat, LayerName
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import Recall
from tests.fixtures.disagreements import DISAGREE
from tests.fixtures.recall import recall_under

OLD, NEW = datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 3, 9, tzinfo=UTC)
PAIRS = DISAGREE[::4]
QUESTIONS = [
    ("Is Ada allergic to peanuts?", "Ada is allergic to peanuts", "Ada is not allergic to peanuts"),
    ("When is the launch?", "The launch is on March 15", "The launch was moved to April 1"),
    (
        "Which address does the server have?",
        "The server has the address 10.0.0.4",
        "The server has the address 10.0.0.9",
    ),
    ("用户对什么过敏？", "用户对花生过敏", "用户对花生不过敏"),
]
RECALL = """query($text: String!) { recall(input: {query: $text, limit: 5}) {
  hits { memory { id content } disagreesWith why } resolution { merged } markdown
} }"""


@pytest.fixture
def save_near(services, workspace_id):
    """Return a function that saves statements in chronological order, all with the same vector."""

    async def save_near(*contents: str, **fields) -> list[str]:
        (vector,) = (await services.vectors.embeddings.embed([contents[0]])).tolist()
        drafts = [
            MemoryDraft(
                content=content, embedding=tuple(vector), timestamp=OLD if place == 0 else NEW, **fields
            )
            for place, content in enumerate(contents)
        ]
        return [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]

    return save_near


@pytest.mark.parametrize(("older", "newer"), PAIRS)
async def test_both_sides_of_a_contradiction_are_saved_and_shown(
    services, workspace_id, save_near, older, newer
) -> None:
    """C14: they have the same vector, so only their words differ."""
    old, new = await save_near(older, newer)

    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=older, limit=5))

    assert {hit.memory.id: list(hit.disagrees_with) for hit in result.hits} == {new: [old], old: [new]}
    assert result.hits[0].score >= result.hits[1].score
    assert result.resolution.merged == 0


@pytest.mark.parametrize(("question", "older", "newer"), QUESTIONS)
async def test_the_newer_of_two_contradicting_hits_comes_first(
    services, workspace_id, save_near, question, older, newer
) -> None:
    await save_near(older, newer)

    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=question, limit=5))

    assert [hit.memory.content for hit in result.hits] == [newer, older]


async def test_hits_with_equal_meaning_are_merged_and_counted(services, workspace_id, save_near) -> None:
    """C14."""
    ids = await save_near("Ada's editor is in dark mode", "In dark mode is Ada's editor", dedup=False)

    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="Ada's editor", limit=5))

    (hit,) = result.hits
    assert hit.memory.id in ids
    assert hit.disagrees_with == ()
    assert result.resolution.merged == 1


async def test_repetitions_do_not_use_up_the_page(services, workspace_id, save_near) -> None:
    """C8, C14: thirty equal statements are one hit, and later hits fill the page."""
    await save_near(*["Ada's editor is in dark mode"] * 30, dedup=False)
    await save_near("Ada's editor shows the line numbers", dedup=False)
    for number in range(5):
        await save_near(f"Ada wrote a plugin for her editor called tool{number}", dedup=False)

    result = await services.retrieval.recall.recall(
        workspace_id, RecallQuery(query="Is Ada's editor in dark mode?", limit=5)
    )

    assert len(result.hits) == 5
    assert len({hit.memory.content for hit in result.hits}) == 5
    assert result.resolution.merged == 29


class ByLetters:
    """A reranker whose order is unrelated to the ranking."""

    name = "test/letters"

    async def score(self, query: str, texts: Sequence[str]) -> list[float]:
        return [sum(map(ord, text)) * 7 % 11 for text in texts]


async def _pages(recall: Recall, workspace_id: str, size: int) -> list[str]:
    """Return the ids of all hits, read page by page."""
    found: list[str] = []
    while True:
        # A recall that counts uses would change the ranking of later pages.
        query = RecallQuery(
            query="How many cats does the farm have?", limit=size, offset=len(found), dry_run=True
        )
        page = await recall.recall(workspace_id, query)
        if not page.hits:
            return found
        found += [hit.memory.id for hit in page.hits]


@pytest.mark.parametrize("reranks", [False, True])
async def test_pages_of_any_length_show_each_contradicting_memory_once(
    services, workspace_id, save_near, reranks
) -> None:
    """C8, C14: every page size gives the same order of newer and older memories."""
    ids = await save_near(*(f"The farm has {number} cats" for number in range(2, 26)))
    repeated = await save_near(*["The cats of the farm are two or three"] * 8, dedup=False)
    reranker = ByLetters() if reranks else None
    recall = recall_under(services, reranker=reranker, rerank_depth=12)

    whole = await _pages(recall, workspace_id, 100)

    assert set(ids) <= set(whole) <= {*ids, *repeated}
    for size in (1, 2, 3, 5, 7, 10):
        assert await _pages(recall, workspace_id, size) == whole


async def test_equal_texts_of_two_speakers_are_two_statements(services, workspace_id, save_near) -> None:
    """C14: and so are equal words with another validity."""
    await save_near("I live in Paris", dedup=False, speaker="Ada")
    await save_near("I live in Paris", dedup=False, speaker="Bob")
    await save_near("I live in Rome", dedup=False, speaker="Bob", t_valid=NEW)

    result = await services.retrieval.recall.recall(
        workspace_id, RecallQuery(query="I live in Paris", limit=5)
    )

    assert len(result.hits) == 3
    assert {hit.memory.speaker for hit in result.hits if hit.disagrees_with} == {"Bob"}


async def test_graphql_and_the_text_for_models_show_contradictions(graphql, save_near) -> None:
    """C22, C25."""
    old, new = await save_near("Ada is allergic to peanuts", "Ada is not allergic to peanuts")

    recalled = (await graphql.ok(RECALL, text="Is Ada allergic to peanuts?"))["recall"]

    first, second = recalled["hits"]
    assert (first["memory"]["id"], first["disagreesWith"]) == (new, [old])
    assert (second["memory"]["id"], second["disagreesWith"]) == (old, [new])
    assert "disagrees with “Ada is allergic to peanuts”" in first["why"]
    assert recalled["resolution"] == {"merged": 0}
    assert f"as of 2026-01-05, disagrees with {new})" in recalled["markdown"]


@pytest.mark.parametrize("format_", InjectionFormat)
async def test_a_context_shows_dates_of_contradicting_facts_only(
    services, workspace_id, save_near, format_
) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    await save_near("Ada is allergic to peanuts", "Ada is not allergic to peanuts")
    await save_near("Ada asks about peanuts often")
    asked = ContextQuery(
        query="Is Ada allergic to peanuts?", format=format_, layers=frozenset({LayerName.MEMORIES})
    )

    context = await services.retrieval.context.compose(workspace_id, asked)

    assert "Ada is not allergic to peanuts (2026-03-09)" in context.prompt
    assert "Ada is allergic to peanuts (2026-01-05)" in context.prompt
    assert "often (" not in context.prompt


@pytest.mark.parametrize(("one", "other"), PAIRS)
async def test_a_contradiction_is_not_saved_as_a_duplicate(
    save_near, services, workspace_id, one, other
) -> None:
    """A21."""
    (vector,) = (await services.vectors.embeddings.embed([one])).tolist()
    outcomes = [
        (
            await services.memories.store.save(
                workspace_id, MemoryDraft(content=text, embedding=tuple(vector))
            )
        ).outcome
        for text in (one, other, one)
    ]

    assert outcomes == [SaveOutcome.CREATED, SaveOutcome.CREATED, SaveOutcome.DEDUPLICATED]
