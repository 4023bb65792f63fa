"""The reasons that a hit gives for being found."""

import pytest

from graph.core.models import RecallTier
from graph.retrieval.recall.candidates import Candidate, Pool
from graph.retrieval.recall.explanation import Explainer, place_in_words, quoted
from graph.retrieval.recall.models import RecallLeg
from graph.retrieval.recall.parsed_query import ParsedQuery


def candidate(id_: str, **fields) -> Candidate:
    usual = {
        "turn_scope": "c", "position": 1, "previous_id": None, "next_id": None, "cosine": None,
        "part_cosine": None, "focus_cosine": None, "matched": (), "type": "Context", "words": 4,
        "is_question": False, "first_person": False, "has_time": False, "has_number": False,
        "names": frozenset(), "speaker": None, "at": 0, "importance": 0.5, "usage_count": 0, "age_days": 0,
        "superseded_by": (),
    }  # fmt: skip
    return Candidate(**{**usual, "id": id_, **fields})


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (1, "closest in meaning"),
        (2, "2nd closest in meaning"),
        (3, "3rd closest in meaning"),
        (4, "4th closest in meaning"),
        (11, "11th closest in meaning"),
        (12, "12th closest in meaning"),
        (21, "21st closest in meaning"),
        (113, "113th closest in meaning"),
    ],
)
def test_a_rank_is_written_as_an_ordinal(place: int, said: str) -> None:
    """Issue 35 point 20."""
    assert place_in_words(RecallLeg.VECTOR, place) == said


def test_hits_by_words_have_their_own_ranks() -> None:
    assert place_in_words(RecallLeg.WORDS, 22) == "22nd best match in words"


def test_another_memory_is_quoted_on_one_short_line() -> None:
    """Issue 35 point 20."""
    assert quoted("The kettle\n is red") == "“The kettle is red”"
    assert quoted("x" * 60) == f"“{'x' * 60}”"
    assert quoted("x" * 61) == f"“{'x' * 59}…”"


def test_reasons_name_words_as_they_were_written_and_quote_other_memories() -> None:
    """Issue 35 point 20: never stems or ids."""
    found = candidate("mem_1", matched=(" leak ", " boiler "), next_id="mem_2", superseded_by=("mem_3",))
    beside = candidate("mem_2", previous_id="mem_1")
    pool = Pool(
        candidates=[found, beside],
        text_scores={"mem_1": 2.0},
        window_scores={},
        vector_ids=["mem_9", "mem_1"],
    )
    explainer = Explainer(pool, ParsedQuery("leaking Boilers"), RecallTier.VECTOR)
    texts = {"mem_1": "The boiler leaks", "mem_3": "The boiler is mended"}

    assert explainer.why("mem_1") == [
        "2nd closest in meaning",
        "best match in words",
        "matches leaking, Boilers",
    ]
    assert explainer.why_beside("mem_1", texts) == ["superseded by “The boiler is mended”"]
    assert explainer.why("mem_2") == []
    assert explainer.why_beside("mem_2", texts) == ["said right after “The boiler leaks”"]
    assert explainer.why_beside("mem_1", {}) == ["superseded by another memory"]
    assert explainer.beside_any(["mem_1", "mem_2"]) == ["mem_3", "mem_1"]
