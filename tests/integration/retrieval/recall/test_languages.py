"""Recall in any language: other word forms in four languages, other spellings in thirty."""

import unicodedata

import pytest

from graph.core.text.language import stem, words
from graph.knowledge.ontology.models import EntityDraft, EntityFilter
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter, SaveOutcome
from graph.retrieval.pages import Listed
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from tests.fixtures.graphs import run
from tests.fixtures.sample_sentences import SAMPLES

# By language: memories, a query for the first one, and their common word in two forms.
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
    """Return the ranking of a query without vectors."""
    recall = services.retrieval.recall
    return await recall.rank(
        workspace_id, recall.parse(query), None, recall.trace(RecallStrategy.HYBRID, "test")
    )


@pytest.mark.parametrize("language", ASKED)
async def test_another_form_of_a_word_finds_a_memory_in_its_language(services, workspace_id, language):
    """Issue 14, point 6: it ranks first by words alone and in a recall, and matches every word."""
    contents, query, forms = ASKED[language]
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


async def test_a_workspace_of_several_languages_finds_names_in_each(services, workspace_id):
    """Issue 14, point 6: a name is the same word in each language."""
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
    """Issue 14, point 6: it is in at most one language index, and in none if it is English."""
    (id_,) = await save(services, workspace_id, EVERYBODYS[0])
    labels = [(await languages(graph_driver, workspace_id))[EVERYBODYS[0]]]
    for content in (ASKED["german"][0][0], ASKED["french"][0][0], EVERYBODYS[1]):
        await services.memories.store.update(workspace_id, id_, MemoryChange(content=content))
        labels.append((await languages(graph_driver, workspace_id))[content])

    assert labels == [("", []), ("de", ["InGerman"]), ("fr", ["InFrench"]), ("", [])]


async def test_turns_are_found_in_their_own_language(services, workspace_id):
    """Issue 14, point 6: and by the turns after them."""
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


@pytest.fixture
async def sampled(services, workspace_id) -> dict[str, str]:
    """Save a sentence in each of thirty languages; return the ids by language."""
    ids = await save(services, workspace_id, *(sample.text for sample in SAMPLES.values()))
    return dict(zip(SAMPLES, ids, strict=True))


async def test_a_sentence_of_any_language_is_found_by_its_words(services, workspace_id, sampled) -> None:
    """Issue 35, 12: by the indexes alone, in any Unicode form, and in an exact recall."""
    for language, sample in SAMPLES.items():
        for query in (sample.query, unicodedata.normalize("NFD", sample.query)):
            found = await by_words(services, workspace_id, query)
            assert found.ranked[0].id == next(iter(found.pool.text_scores)) == sampled[language], language
        exact = RecallQuery(query=sample.query, strategy=RecallStrategy.EXACT, limit=1)
        hits = (await services.retrieval.recall.recall(workspace_id, exact)).hits
        assert [hit.memory.id for hit in hits] == [sampled[language]], language


async def test_a_list_finds_a_substring_in_any_spelling(services, workspace_id, sampled) -> None:
    """Issue 35, 12: the response has the original spelling."""
    for part, language in (
        ("ZOE", "English"),
        ("cafe's", "English"),
        ("Zoe\u0308", "English"),
        ("malaga", "Spanish"),
        ("lodzi", "Polish"),
        ("αθηνα", "Greek"),
        ("محمد", "Arabic"),
        ("चाय", "Hindi"),
        ("ชาเย็น", "Thai"),
        ("живет", "Russian"),
    ):
        page = await services.memories.store.page(workspace_id, MemoryFilter(text=part), first=5)
        assert [memory.content for memory in page.items] == [SAMPLES[language].text], part


async def test_names_tags_and_keys_are_composed_and_found_without_accents(services, workspace_id) -> None:
    """Issue 35, 12: metadata and ids stay unchanged."""
    decomposed = "Andre\u0301"
    saved = await services.memories.store.save(
        workspace_id,
        MemoryDraft(
            content=f"{decomposed} drinks tea",
            key=f"guest:{decomposed}",
            tags=(f"people/{decomposed}", "cafe\u0301"),
            speaker=decomposed,
            metadata={"name": decomposed},
            session_id=decomposed,
        ),
    )
    memory = saved.memory
    assert (memory.content, memory.key, memory.speaker) == ("André drinks tea", "guest:André", "André")
    assert memory.tags == ("people/André", "café")
    assert (memory.metadata, memory.session_id) == ({"name": decomposed}, decomposed)
    for tag in ("cafe", "café", "cafe\u0301", "people/andre"):
        page = await services.memories.store.page(workspace_id, MemoryFilter(any_tags=(tag,)), first=5)
        assert [each.id for each in page.items] == [memory.id], tag
    again = await services.memories.store.save(
        workspace_id, MemoryDraft(content="André drinks coffee", key="guest:André")
    )
    assert (again.outcome, again.memory.id) == (SaveOutcome.UPDATED, memory.id)
    listed = await services.retrieval.pages.page(workspace_id, Listed(text="guest:andre"), limit=5)
    assert [each.id for each in listed.memories] == [memory.id]


async def test_an_entity_is_found_without_its_accents(services, workspace_id) -> None:
    """Issue 35, 12: and mentions of it are found, too."""
    drafts = [EntityDraft(type="Person", name="Zoe\u0308 Mu\u0308ller")]
    (entity,) = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    assert entity.name == "Zoë Müller"
    for name in ("zoe muller", "Zoë", "MÜLLER"):
        page = await services.knowledge.ontology.page(workspace_id, EntityFilter(name=name), first=5)
        assert [each.id for each in page.items] == [entity.id], name
