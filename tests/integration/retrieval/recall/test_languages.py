"""Recall of memories in German, French, Spanish and Portuguese, by other forms of their words."""

import pytest

from graph.core.text.language import stem, words
from graph.memories.models import MemoryChange, MemoryDraft
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from tests.fixtures.graphs import run

# By language: memories of which a query means the first, and words of both that English stems leave apart.
ASKED = {
    "german": (
        (
            "Im Garten hinter dem Haus wachsen drei Bäume.",
            "Der Termin mit Pierre wurde auf Freitag verschoben.",
        ),
        "Welcher Baum ist das?",
        ("bäume", "baum"),
    ),
    "french": (
        ("Nous avons adopté deux chevaux cet hiver.", "Le rendez-vous avec Pierre est reporté à vendredi."),
        "Quel cheval ?",
        ("chevaux", "cheval"),
    ),
    "spanish": (
        ("Las reuniones del equipo son los martes.", "El código del garaje es 4711."),
        "¿Cuándo es la reunión?",
        ("reuniones", "reunión"),
    ),
    "portuguese": (
        ("As inspeções do elevador são feitas em junho.", "O código da garagem é 4711."),
        "Quando é a inspeção?",
        ("inspeções", "inspeção"),
    ),
}
EVERYBODYS = ("Anna bought a horse for the farm.", "The lift is painted green.")
_LABELS = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
RETURN memory.content AS content, memory.language AS language,
       [label IN labels(memory) WHERE label STARTS WITH 'In'] AS labels
"""


async def save(services, workspace_id: str, *contents: str) -> list[str]:
    drafts = [MemoryDraft(content=content, dedup=False) for content in contents]
    saved = await services.memories.store.save_all(workspace_id, drafts)
    return [receipt.memory.id for receipt in saved]


async def languages(graph_driver, workspace_id: str) -> dict[str, tuple[str, list[str]]]:
    rows = (await run(graph_driver, _LABELS, ws=workspace_id)).records
    return {row["content"]: (row["language"], row["labels"]) for row in rows}


async def by_words(services, workspace_id: str, query: str):
    """Rank without vectors."""
    recall = services.retrieval.recall
    return await recall.rank(
        workspace_id, recall.question(query), None, recall.trace(RecallStrategy.HYBRID, "test")
    )


@pytest.mark.parametrize("language", ASKED)
async def test_another_form_of_a_word_finds_a_memory_in_its_language(services, workspace_id, language):
    """Issue 14, point 6: first by words alone, with every word of the query held, and in what recall returns."""
    contents, query, forms = ASKED[language]
    assert len({stem(form) for form in forms}) == 2
    assert set(forms) <= {*words(contents[0]), *words(query)}
    meant, *_ = await save(services, workspace_id, *contents, *EVERYBODYS)

    ranking = await by_words(services, workspace_id, query)
    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query))
    newest = await services.retrieval.recall.recall(
        workspace_id, RecallQuery(query=query, strategy=RecallStrategy.EXACT)
    )

    assert next(iter(ranking.pool.text_scores)) == meant
    assert ranking.ranked[0].id == meant
    assert f" {stem(forms[1])} " in ranking.pool.candidates[0].matched
    assert result.hits[0].memory.id == meant
    assert [hit.memory.id for hit in newest.hits] == [meant]


async def test_a_workspace_of_several_languages_finds_what_is_named_in_any(services, workspace_id):
    """Issue 14, point 6: a name is the same word in each."""
    contents = (
        "Anna bought a horse for the farm.",
        "Anna hat im Sommer mit dem Reiten angefangen.",
        "Anna a déménagé à Berlin en mars.",
        "安娜喜欢骑马, Anna",
    )
    await save(services, workspace_id, *contents, "The lift is painted green.")

    for query in ("Was macht Anna gerade?", "What is Anna doing?", "Que fait Anna maintenant ?", "Anna"):
        found = (await by_words(services, workspace_id, query)).pool.text_scores
        assert len(found) == len(contents), query


async def test_a_text_that_changes_its_language_changes_its_index(services, workspace_id, graph_driver):
    """Issue 14, point 6: it is in one index at most, and in none once it is English."""
    (id_,) = await save(services, workspace_id, EVERYBODYS[0])
    labels = [(await languages(graph_driver, workspace_id))[EVERYBODYS[0]]]
    for content in (ASKED["german"][0][0], ASKED["french"][0][0], EVERYBODYS[1]):
        await services.memories.store.update(workspace_id, id_, MemoryChange(content=content))
        labels.append((await languages(graph_driver, workspace_id))[content])

    assert labels == [("", []), ("de", ["InGerman"]), ("fr", ["InFrench"]), ("", [])]


async def test_turns_are_found_in_the_language_they_are_said_in(services, workspace_id):
    """Issue 14, point 6: also by what is said after them."""
    said = (
        "Was gibt es Neues im Verein?",
        "Im Garten des Vereins wachsen jetzt drei Bäume.",
        "Das ist ja schön.",
    )
    drafts = [
        MemoryDraft(content=content, source_conversation_id="chat", speaker=speaker)
        for content, speaker in zip(said, ("user", "Jonas", "user"), strict=True)
    ]
    ids = [each.memory.id for each in await services.memories.store.save_all(workspace_id, drafts)]

    ranking = await by_words(services, workspace_id, "Welcher Baum wurde gepflanzt?")

    assert list(ranking.pool.text_scores) == [ids[1]]
    assert set(ranking.pool.window_scores) >= {ids[0], ids[1]}
