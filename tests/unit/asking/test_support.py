"""How far facts answer a question, with the default embedder and without one."""

import numpy as np
import pytest

from app.adapters.word_specificity import word_specificity
from graph.asking.models import CitationKind, Fact
from graph.asking.support import Similarity, coverages, support_of
from graph.recall.question import Question

FLOOR = 0.21  # what graph.recall.calibration finds for MiniLM
KNOWN = (
    "Ada prefers tabs over spaces in Python.",
    "checkout depends on payments.",
    "The payments database listens on port 5432.",
    "The release was moved to Friday because the signing key had expired.",
    "Our office in Lisbon is closed in August.",
    "Caroline went to the support group on 7 May 2023.",
)


def fact(text: str, context: str = "") -> Fact:
    return Fact(kind=CitationKind.MEMORY, id=f"mem_{text}", node_ids=("mem_x",), text=text, context=context)


FACTS = [fact(text) for text in KNOWN]


@pytest.fixture
def supported(minilm):
    """A function that returns what supports an answer, the best first."""

    async def texts(question: str) -> list[str]:
        vectors = np.asarray(await minilm.embed([question, *KNOWN]))
        similarity = Similarity((vectors[1:] @ vectors[0]).tolist(), FLOOR)
        support = support_of(Question(question, word_specificity), FACTS, similarity)
        return [evidence.fact.text for evidence in support.supporting]

    return texts


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which indentation style does Ada like in Python?", KNOWN[0]),
        ("What does checkout depend on?", KNOWN[1]),
        ("Which port does the payments database listen on?", KNOWN[2]),
        ("Why was the release postponed?", KNOWN[3]),
        ("When did Caroline visit the support group?", KNOWN[5]),
    ],
)
async def test_what_answers_supports_an_answer_before_all_else(supported, question, answer) -> None:
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
    ],
)
async def test_nothing_supports_an_answer_to_what_the_facts_do_not_speak_of(supported, question) -> None:
    """E12."""
    assert await supported(question) == []


def test_meaning_above_the_floor_and_words_count_half_each() -> None:
    """The formula of the module."""
    question = Question("red kettle")
    facts = [fact("a red kettle"), fact("a red car"), fact("tea"), fact("a kettle", context="red")]

    support = support_of(question, facts, Similarity([0.6, 0.2, 1.0, -0.5], 0.2))

    assert coverages(question, facts) == [1.0, 0.5, 0.0, 1.0]
    assert [(evidence.fact.text, evidence.score) for evidence in support.ranked] == [
        ("a red kettle", pytest.approx(0.75)),
        ("tea", pytest.approx(0.5)),
        ("a kettle", pytest.approx(0.5)),
        ("a red car", pytest.approx(0.25)),
    ]
    assert [evidence.fact.text for evidence in support.supporting] == ["a red kettle", "tea", "a kettle"]
    assert len(support.related) == 4


def test_rare_words_count_more_than_common_ones() -> None:
    question = Question("zebra house", {"zebra": 1.0, "house": 0.1}.__getitem__)

    assert coverages(question, [fact("a zebra"), fact("a house")]) == [
        pytest.approx(1 / 1.01),
        pytest.approx(0.01 / 1.01),
    ]


def test_without_vectors_half_of_the_words_are_needed() -> None:
    """B15."""
    question = Question("one red kettle sings")

    support = support_of(question, [fact("the red kettle"), fact("a kettle"), fact("nothing of it")], None)

    assert [evidence.fact.text for evidence in support.supporting] == ["the red kettle"]
    assert support_of(question, [], None).ranked == []
