"""The support of facts for an answer, with the default embedder and without one."""

import numpy as np
import pytest

from graph.retrieval.answering.coverage import Kinship, held, required
from graph.retrieval.answering.models import CitationKind
from graph.retrieval.answering.subjects import addressee, parted
from graph.retrieval.answering.support import Similarity, readings, stated, support_of
from graph.retrieval.recall.parsed_query import ParsedQuery
from tests.fixtures.local_models import word_specificity
from tests.fixtures.scripts import traditional
from tests.fixtures.support import FACTS, KNOWN, fact, supporting

ANSWERED_IN_CHINESE = (
    ("用户的妻子叫什么名字？", "用户的妻子叫李梅。"),
    ("用户喜欢喝什么？", "用户喜欢喝绿茶。"),
    ("用户住在哪里？", "用户住在上海。"),
    ("我的猫叫什么名字？", "用户的猫叫咪咪。"),
    ("为什么发布推迟了？", "发布推迟到了周五，因为密钥过期了。"),
)
UNANSWERED_IN_CHINESE = (
    "用户的丈夫叫什么名字？",
    "用户喜欢喝咖啡吗？",
    "用户的电话号码是多少？",
    "用户叫什么名字？",
    "他在哪里？",
    "Python 是谁写的？",
    "Ada 喜欢什么？",
)


@pytest.fixture
def supported(minilm):
    """Return a function that gives the supporting texts, best first."""

    async def texts(question: str, facts=FACTS) -> list[str]:
        return await supporting(minilm, question, facts)

    return texts


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does Ada prefer in Python?", KNOWN[0]),
        ("What does checkout depend on?", KNOWN[1]),
        ("Which port does the payments database listen on?", KNOWN[2]),
        ("Why was the release postponed?", KNOWN[3]),
        ("Who likes tea?", "Alice likes tea."),
        ("When did the user move to Trondheim?", "The user moved to Trondheim in March 2024."),
        ("Where does Ida study?", "The user's sister Ida studies law in Berlin."),
        ("Where does Alice reside?", "Alice lives in Bergen."),
        ("How much did the bicycle cost?", "The user paid 1,200 euros for the bicycle."),
        ("What did the bicycle cost?", "The user paid 1,200 euros for the bicycle."),
        ("Is the office in Lisbon open in August?", "Our office in Lisbon is closed in August."),
        ("What is the on-call phone number?", "The on-call phone number is 555-0142."),
        ("What is the user's job?", "The user works as a nurse."),
        *ANSWERED_IN_CHINESE,
    ],
)
async def test_a_matching_fact_is_the_best_support(supported, question, answer) -> None:
    """E12."""
    assert (await supported(question))[0] == answer


@pytest.mark.parametrize(
    "question",
    [
        "What is the boiling point of mercury?",
        "How many moons does Jupiter have?",
        "Who won the chess championship in 1972?",
        "How do I renew my passport?",
        "What does a black hole look like?",
        "What is the meaning of life?",
        "What is the user's phone number?",
        "What is the user's e-mail address?",
        "Who likes coffee?",
        "When does the office open?",
        "Which office is open in August?",
        "Is the office in Lisbon open or closed in July?",
        "What does Alice earn?",
        "Who feeds the office cat?",
        "How old is the office cat?",
        "When did the user move to Bergen?",
        "Why did the user move to Trondheim?",
        "What does the user study?",
        "Who plays the violin?",
        "How long does the stand-up take?",
        "What colour is the bicycle?",
        "Which port does the search service listen on?",
        *UNANSWERED_IN_CHINESE,
    ],
)
async def test_unrelated_facts_support_no_answer(supported, question) -> None:
    """E12: even if the words are similar."""
    assert await supported(question) == []


async def test_a_question_for_a_slot_is_answered_in_any_words_and_language(supported) -> None:
    """36: "moved to" tells where somebody lives."""
    homes = ["The user moved to Trondheim in March 2024.", "用户住在上海。"]

    assert sorted(await supported("Where does the user live?")) == sorted(homes)


async def test_a_document_in_the_first_person_is_not_about_the_user(supported) -> None:
    """36: it may be anybody's words."""
    passage = fact("I moved to Trondheim in March 2024.").model_copy(update={"kind": CitationKind.CHUNK})

    assert await supported("Where do I live?", [passage]) == []


@pytest.mark.parametrize(("question", "answer"), ANSWERED_IN_CHINESE)
@pytest.mark.parametrize("asked", [str, traditional])
@pytest.mark.parametrize("known", [str, traditional])
async def test_either_script_of_chinese_answers_the_other(supported, question, answer, asked, known) -> None:
    """E12: a quotation keeps its script."""
    facts = [fact(known(text)) for text in KNOWN]

    assert (await supported(asked(question), facts))[0] == known(answer)


@pytest.mark.parametrize("question", UNANSWERED_IN_CHINESE)
async def test_unrelated_facts_in_traditional_characters_support_no_answer(supported, question) -> None:
    """E12."""
    assert await supported(traditional(question), [fact(traditional(text)) for text in KNOWN]) == []


TURNS = [
    fact("I went to the support group yesterday and it was so powerful!", speaker="Caroline"),
    fact(
        "Wow, Caroline! I ran a charity race last Saturday, and I learned to look after myself.",
        speaker="Melanie",
    ),
    fact("What did you learn at the charity race?", speaker="Caroline"),
]


async def test_a_turn_answers_a_question_about_its_speaker(supported) -> None:
    """E12: a first-person turn is about its speaker, not about its addressee."""
    assert await supported("When did Melanie run a charity race?", TURNS) == [TURNS[1].text]
    assert await supported("When did Caroline go to the support group?", TURNS) == [TURNS[0].text]
    assert await supported("When did Caroline run a charity race?", TURNS) == []


async def test_a_statement_of_another_about_somebody_is_an_answer_as_well(supported) -> None:
    facts = [fact("Bob moved to Oslo in May.", speaker="Alice")]

    assert await supported("When did Bob move to Oslo?", facts) == [facts[0].text]


async def test_sentences_to_an_addressee_are_not_about_the_speaker(supported) -> None:
    """A5: congratulations are about the addressee."""
    facts = [
        fact("Wow, Bob! Congrats on the promotion, you worked hard for it.", speaker="Alice"),
        fact("Thanks! I sold my old car to a friend.", speaker="Bob"),
        fact("Cool, selling a car takes time.", speaker="Alice"),
    ]

    assert await supported("What promotion did Alice get?", facts) == []
    assert await supported("What promotion did Bob get?", facts) == [facts[0].text]
    assert await supported("What did Bob sell to a friend?", facts) == [facts[1].text]
    assert await supported("What did Alice sell to a friend?", facts) == []


@pytest.mark.parametrize(
    ("text", "own", "to_another"),
    [
        ("I moved to Oslo. It is cold.", "I moved to Oslo. It is cold.", ""),
        ("That sounds great! Good luck to you.", "", "That sounds great! Good luck to you."),
        ("I love your hat.", "I love your hat.", "I love your hat."),
        ("我搬家了。恭喜你！", "我搬家了。", "恭喜你！"),
    ],
)
def test_a_turn_concerns_its_speaker_and_its_addressee(text, own, to_another) -> None:
    assert parted(text) == (own, to_another)


def test_the_addressee_is_the_person_called_or_the_only_other_one() -> None:
    assert addressee("Good for you, Cleo!", "Ada", ["Ada", "Bob", "Cleo"]) == "Cleo"
    assert addressee("Good for you!", "Ada", ["Ada", "Bob"]) == "Bob"
    assert addressee("Good for you!", "Ada", ["Ada", "Bob", "Cleo"]) is None


def test_a_better_recall_rank_raises_the_score() -> None:
    question = ParsedQuery("red kettle")
    facts = [fact("Red.", speaker="Ada").model_copy(update={"place": place}) for place in (0, 9)]

    support = support_of(question, readings(facts), Similarity([0.15, 0.15], 0.1))

    assert [evidence.fact.place for evidence in support.supporting] == [0]


def test_a_question_states_nothing() -> None:
    assert stated("Do you like tea? I do. 你呢？") == "I do."


def test_meaning_above_the_floor_and_words_count_half_each() -> None:
    """The docstring of the module has the formula."""
    question = ParsedQuery("red kettle")
    facts = [fact("a red kettle"), fact("a red car"), fact("tea"), fact("a kettle", context="red")]

    support = support_of(question, readings(facts), Similarity([0.6, 0.2, 1.0, -0.5], 0.2))

    assert [(evidence.fact.text, evidence.score) for evidence in support.ranked] == [
        ("a red kettle", pytest.approx(0.75)),
        ("tea", pytest.approx(0.5)),
        ("a kettle", pytest.approx(0.5)),
        ("a red car", pytest.approx(0.25)),
    ]
    assert [evidence.fact.text for evidence in support.supporting] == ["a red kettle", "a kettle"]
    assert len(support.related) == 4


def test_rare_words_count_more_than_common_ones() -> None:
    asked = required(ParsedQuery("zebra house", {"zebra": 1.0, "house": 0.1}.__getitem__))

    assert held(asked, "a zebra").share == pytest.approx(1 / 1.01)
    assert held(asked, "a house").share == pytest.approx(0.01 / 1.01)


def test_near_words_match_but_sibling_terms_do_not() -> None:
    """The cosines are 0.9 and 0.6; if the question asks for the only one of its kind, the lower suffices."""
    vectors = {
        "lorry": np.array([1.0, 0.0], dtype=np.float32),
        "truck": np.array([0.9, 0.436], dtype=np.float32),
        "van": np.array([0.6, 0.8], dtype=np.float32),
    }
    kinship = Kinship(vectors)
    asked = required(ParsedQuery("Does Ada drive a lorry?", word_specificity))

    assert held(asked, "Ada drives a truck.", kinship).share == 1.0
    assert held(asked, "Ada drives a van.", kinship).share < 0.95
    one_of_a_kind = required(ParsedQuery("Which lorry does Ada drive?", word_specificity))
    assert held(one_of_a_kind, "Ada drives a van.", kinship).share == 1.0


def test_without_vectors_all_informative_words_are_required() -> None:
    """B15."""
    question = ParsedQuery("one red kettle sings")

    support = support_of(
        question, readings([fact("the red kettle sings"), fact("a red kettle"), fact("nothing")]), None
    )

    assert [evidence.fact.text for evidence in support.supporting] == ["the red kettle sings"]
    assert support_of(question, [], None).ranked == []
