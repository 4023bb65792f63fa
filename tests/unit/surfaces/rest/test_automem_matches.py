"""AutoMem's match type of a hit, which depends on its lists and not on the wording of its reasons."""

import pytest

from app.surfaces.dialects.automem.recalled import MatchType, match_type_of
from graph.retrieval.recall.models import RecallHit, RecallLeg

VECTOR, WORDS, TAGS, NEWEST = RecallLeg.VECTOR, RecallLeg.WORDS, RecallLeg.TAGS, RecallLeg.NEWEST


@pytest.mark.parametrize(
    ("places", "match_type"),
    [
        ({VECTOR: 3}, MatchType.VECTOR),
        ({WORDS: 12}, MatchType.KEYWORD),
        ({VECTOR: 12, WORDS: 3}, MatchType.KEYWORD),
        ({WORDS: 12, VECTOR: 3}, MatchType.VECTOR),
        ({WORDS: 2, VECTOR: 2}, MatchType.VECTOR),
        ({TAGS: 1}, MatchType.TAG),
        ({NEWEST: 4}, MatchType.KEYWORD),
        ({}, MatchType.RELATION),
    ],
)
def test_a_hit_names_the_list_with_its_best_rank(places, match_type) -> None:
    """C19 (formats F§6)."""
    hit = RecallHit.model_construct(places=places, why=["best match in words", "closest in meaning"])

    assert match_type_of(hit) is match_type
