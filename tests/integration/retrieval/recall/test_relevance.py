"""Relevance: the value of each hit, the effect of a threshold, and no injection without relevant memories."""

import re

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.retrieval.recall.relevance import WORDS, models
from tests.fixtures.pages import pages

NOTES = (
    "The user is allergic to peanuts",
    "The user prefers tabs over spaces in Python",
    "The user lives in Lisbon with a cat named Miro",
    "The user's sister Clara studies marine biology",
)
NOTES_ZH = (
    "用户对花生过敏",
    "用户写代码喜欢用制表符",
    "用户和一只叫米罗的猫住在里斯本",
    "用户的姐姐在读海洋生物学",
)


def contents(result) -> list[str]:
    return [hit.memory.content for hit in result.hits]


@pytest.mark.parametrize("path", ["README.md", "docs/tutorials/first-memory.md"])
async def test_the_first_recall_of_a_reader_is_relevant_without_a_common_word(
    recall, remember, workspace_id, path
):
    """Issue 35 point C: the first example of a page must not answer "nothing relevant"."""
    text = pages()[path].replace('\\"', '"')
    (saved,) = set(re.findall(r'content: "([^"]+)"', text))
    (asked,) = set(re.findall(r'query: "([^"]+)"', text))
    await remember([saved])

    (hit,) = (await recall().recall(workspace_id, RecallQuery(query=asked))).hits

    assert hit.relevance >= 0.8
    assert not set(saved.lower().split()) & set(asked.lower().rstrip("?").split())


async def test_a_request_raises_a_short_statement_of_its_topic(recall, remember, workspace_id):
    """C12: neither a turn, which may hold for the moment only, nor a long text, which has other topics too."""
    taste, other, long = await remember(
        [
            "Likes hiking in the mountains",
            "Prefers coding in TypeScript",
            "Likes hiking. " + "The notes of the meeting are in the shared folder. " * 3,
        ]
    )
    (turn,) = await remember(["I like hiking in the forest"], speaker="Ann", source_conversation_id="chat")
    query = RecallQuery(query="Suggest an outdoor activity for Saturday")

    found = await recall().recall(workspace_id, query)

    on_topic = {hit.memory.id for hit in found.hits if "has the topic of the request" in hit.why}
    assert on_topic == {taste}
    assert {hit.memory.id for hit in found.hits} == {taste, other, long, turn}


@pytest.mark.parametrize(
    ("notes", "question"),
    [
        (NOTES, "Am I allergic to peanuts?"),
        (NOTES, "What am I allergic to?"),
        (NOTES_ZH, "我对花生过敏吗？"),
    ],
)
async def test_relevant_memories_are_injected(injection, remember, workspace_id, notes, question):
    """C12: in both languages."""
    await remember(notes)

    result = await injection().for_turn(workspace_id, question)

    assert contents(result)[:1] == [notes[0]]


async def test_keywords_in_another_language_do_not_lower_the_relevance(injection, remember, workspace_id):
    """C12, D22: extracted facts have keywords in both languages, but are embedded in one."""
    cats = "The user has got two cats, Miso and Tofu"
    await remember([cats], keywords=("cats", "猫", "宠物"))

    result = await injection().for_turn(workspace_id, "What are my cats called?")

    assert contents(result) == [cats]


@pytest.mark.parametrize(
    ("note", "question", "slot"),
    [
        ("The user took a job with Qantas.", "Which airline do I work for?", "employer"),
        ("上个月搬到了柏林", "我现在住在哪里？", "home"),
    ],
)
async def test_a_question_for_a_slot_brings_its_value_in_any_words(
    recall, injection, remember, workspace_id, note, question, slot
):
    """36, 39: first, relevant and with its reason; states of other people are no answer."""
    await remember(
        ["The user's boyfriend works at Bosch.", "用户的父母住在烟台", note, "I gave up smoking last year"]
    )

    found = await recall().recall(workspace_id, RecallQuery(query=question))
    injected = await injection().for_turn(workspace_id, question)

    assert found.hits[0].memory.content == note
    assert found.hits[0].relevance >= 0.9
    assert f"states the {slot} asked for" in found.hits[0].why
    assert [hit.memory.content for hit in found.hits if hit.relevance >= 0.9] == [note]
    assert contents(injected)[:1] == [note]


async def test_an_edited_memory_answers_for_the_slots_of_its_new_text(
    services, recall, remember, workspace_id
):
    """36."""
    (id_,) = await remember(["The user took a job with Qantas."])
    employer, home = RecallQuery(query="Who do I work for?"), RecallQuery(query="Where do I live?")

    await services.memories.store.update(workspace_id, id_, MemoryChange(content="The user moved to Oslo."))

    assert (await recall().recall(workspace_id, employer)).hits[0].relevance < 0.9
    assert (await recall().recall(workspace_id, home)).hits[0].relevance >= 0.9


@pytest.mark.parametrize("notes", [NOTES, NOTES_ZH, NOTES + NOTES_ZH])
@pytest.mark.parametrize(
    "question",
    [
        "今天天气怎么样？",
        "What is the weather like today?",
        "Hello!",
        "你好！",
        "Wie wird das Wetter morgen?",
    ],
)
async def test_nothing_is_injected_if_nothing_is_relevant(
    recall, injection, remember, workspace_id, notes, question
):
    """C12: the nearest memory may be irrelevant; a plain recall still returns it with its low relevance."""
    await remember(notes)

    given = await injection().for_turn(workspace_id, question)
    plain = await recall().recall(workspace_id, RecallQuery(query=question, limit=3))

    assert contents(given) == []
    assert len(plain.hits) == 3
    threshold = models()[plain.resolution.calibration].threshold
    assert all(hit.relevance < threshold for hit in plain.hits)


@pytest.mark.parametrize(
    ("notes", "question"), [(NOTES, "What do you know about me?"), (NOTES_ZH, "你对我了解多少？")]
)
async def test_a_question_about_the_asker_injects_the_newest_memories(
    injection, remember, workspace_id, notes, question
):
    """C12: such a question shares neither words nor meaning with the memories."""
    for note in notes:
        await remember([note])

    given = await injection().for_turn(workspace_id, question)

    assert contents(given) == list(reversed(notes))


async def test_a_keyword_in_another_language_counts_as_a_word(injection, remember, workspace_id):
    """C10, C12, C26: the vector does not match, but the keyword is enough."""
    await remember(NOTES_ZH[1:])
    await remember(NOTES_ZH[:1], keywords=("peanuts", "allergy"))

    result = await injection().for_turn(workspace_id, "Am I allergic to peanuts?")
    weather = await injection().for_turn(workspace_id, "What is the weather like today?")

    assert contents(result) == [NOTES_ZH[0]]
    assert contents(weather) == []


async def test_a_threshold_of_relevance_drops_weaker_hits(recall, remember, workspace_id):
    """C12: independent of the scores of the other hits."""
    await remember(NOTES)
    asked = RecallQuery(query="Am I allergic to peanuts?", limit=4)
    everything = await recall().recall(workspace_id, asked)
    relevances = sorted((hit.relevance for hit in everything.hits), reverse=True)

    strict = await recall().recall(workspace_id, asked.model_copy(update={"min_relevance": relevances[1]}))
    none = await recall().recall(workspace_id, asked.model_copy(update={"min_relevance": 1.0}))

    assert len(everything.hits) == 4
    assert relevances[0] > relevances[1] > relevances[2]
    assert [hit.relevance for hit in strict.hits] == relevances[:2]
    assert contents(none) == []
    assert none.resolution.fallback is None


async def test_semantic_recall_with_a_threshold_does_not_fall_back_to_the_newest(
    recall, remember, workspace_id
):
    """C4, C12."""
    await remember(NOTES)
    asked = RecallQuery(
        query="the weather in Mongolia", strategy=RecallStrategy.SEMANTIC, min_relevance=0.999
    )

    assert contents(await recall().recall(workspace_id, asked)) == []


@pytest.mark.parametrize("least", [-0.1, 1.1])
async def test_a_threshold_outside_its_range_is_refused(services, workspace_id, least):
    with pytest.raises(InvalidInput) as refused:
        await services.retrieval.recall.recall(workspace_id, RecallQuery(query="x", min_relevance=least))

    assert refused.value.field == "minRelevance"


async def test_a_list_without_a_query_has_no_relevance_and_says_so(recall, remember, workspace_id):
    """C4, C19: without a query, nothing can be relevant."""
    await remember(NOTES, tags=("about:user",))

    for asked in (RecallQuery(), RecallQuery(filter=MemoryFilter(any_tags=("about",)))):
        result = await recall().recall(workspace_id, asked.model_copy(update={"min_relevance": 0.5}))

        assert {hit.relevance for hit in result.hits} == {None}
        assert len(result.hits) == 4
        assert result.resolution.calibration is None
        assert result.resolution.degraded == (
            "minRelevance: ignored, because hits without a query have no relevance",
        )


async def test_an_embedder_without_a_calibration_is_rescaled_and_named(
    recall, injection, remember, workspace_id, minilm
):
    """C12: its cosines are scaled by those of unrelated sentences; here they equal the default embedder's."""
    await remember(NOTES)
    question = "Am I allergic to peanuts?"

    known = await recall().recall(workspace_id, RecallQuery(query=question))
    other = await recall("static:another:384").recall(workspace_id, RecallQuery(query=question))
    given = await injection("static:another:384").for_turn(workspace_id, question)
    silent = await injection("static:another:384").for_turn(workspace_id, "What is the weather like today?")

    assert known.resolution.calibration == minilm.signature
    assert other.resolution.calibration == (
        f"{minilm.signature}: static:another:384 is not calibrated, its cosines are rescaled by unrelated sentences"
    )
    assert [hit.relevance for hit in other.hits] == pytest.approx(
        [hit.relevance for hit in known.hits], abs=0.02
    )
    assert contents(given)[:1] == [NOTES[0]]
    assert contents(silent) == []


async def test_words_have_a_separate_calibration(services, workspace_id, embedder, monkeypatch):
    """C2, C12: without an embedder, only memories that match in words are injected."""
    drafts = [MemoryDraft(content=content, dedup=False) for content in NOTES]
    await services.memories.store.save_all(workspace_id, drafts)
    known, unknown = "Am I allergic to peanuts?", "What is the weather like today?"
    monkeypatch.setattr(embedder, "refused", {known: "away", unknown: "away"})
    found = await services.retrieval.injection.for_turn(workspace_id, known)
    nothing = await services.retrieval.injection.for_turn(workspace_id, unknown)

    assert contents(found) == [NOTES[0]]
    assert found.resolution.calibration == f"{WORDS}: there are no vectors to compare"
    assert contents(nothing) == []


@pytest.mark.parametrize("answers", [True, False], ids=["an embedder of a test's own", "no embedder"])
async def test_a_short_answer_is_injected_with_any_embedder(
    services, workspace_id, embedder, answers, monkeypatch
):
    """C12: the threshold of one embedder must not suppress another's hits, even with a single memory."""
    memory = "The user drinks green tea in the morning"
    await services.memories.store.save(workspace_id, MemoryDraft(content=memory))
    known, unknown = "What do I drink in the morning?", "What is the weather like today?"
    if not answers:
        monkeypatch.setattr(embedder, "refused", {known: "away", unknown: "away"})
    found = await services.retrieval.injection.for_turn(workspace_id, known)
    nothing = await services.retrieval.injection.for_turn(workspace_id, unknown)

    assert contents(found) == [memory]
    assert contents(nothing) == []
    assert (found.resolution.embedder is not None) is answers


async def test_a_workspaces_minimum_cosine_replaces_the_relevance_threshold(
    injection, remember, services, workspace_id
):
    """C12: -1 injects every memory."""
    await remember(NOTES)
    await services.tenancy.workspaces.update(workspace_id, settings={"similarityThreshold": -1})

    given = await injection().for_turn(workspace_id, "What is the weather like today?")

    assert len(given.hits) == 4


SEVERAL = (
    "The user prefers aisle seats on planes",
    "The user's daughter gets carsick after half an hour",
    "The hotel in Bergen is booked under the name of Lindgren",
)


async def test_a_text_with_several_topics_brings_a_memory_for_each(injection, remember, workspace_id):
    """Issue 39 point 5: relevance is that of the best part, not of the whole text."""
    await remember([*SEVERAL, *NOTES])

    result = await injection().for_turn(
        workspace_id,
        "I'm putting together the plan for our trip and I'd like you to think of everything: which seat should I take "
        "in the plane, what about my daughter in the car for the two hours from the airport, and under which name do I "
        "ask for our room in Bergen?",
    )

    assert sorted(contents(result)) == sorted(SEVERAL)


async def test_ten_sentences_around_a_question_do_not_drown_it(injection, remember, workspace_id):
    """Issue 39 point 5."""
    await remember([*SEVERAL, *NOTES])
    around = "It rained all day. The bus was late again. Somebody left the window open. The soup was cold. "

    result = await injection().for_turn(workspace_id, f"{around}What am I allergic to? {around}")

    assert contents(result) == [NOTES[0]]
