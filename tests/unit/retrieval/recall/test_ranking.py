import itertools
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.memories.changes.timeline import StatedSlots, own_keys
from graph.retrieval.recall.candidates import Candidate, Pool
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import features, rank, scores, weights

PLAIN = Candidate(
    id="m1", turn_scope=None, position=None, previous_id=None, next_id=None, cosine=0.5,
    part_cosine=0.5, focus_cosine=0.5, matched=(), type="Context", words=10, is_question=False, first_person=False,
    has_time=False, has_number=False, names=frozenset(), speaker=None, at=1_700_000_000, importance=0.5,
    usage_count=0, age_days=400, superseded_by=(),
)  # fmt: skip
QUESTION = ParsedQuery("Where did Ann paint?")
MULTILINGUAL = "local:multilingual-e5-small-q4:384"


def pool_of(*candidates: Candidate, text_scores=None, vector_ids=None) -> Pool:
    return Pool(
        candidates=candidates,
        text_scores=text_scores or {},
        window_scores=text_scores or {},
        vector_ids=[c.id for c in candidates] if vector_ids is None else vector_ids,
    )


def near(cosine: float | None) -> Candidate:
    return replace(PLAIN, cosine=cosine, part_cosine=cosine, focus_cosine=cosine)


def ids(pool: Pool, **query) -> list[str]:
    return [ranked.id for ranked in rank(pool, QUESTION, RecallQuery(query=QUESTION.text, **query))]


def test_an_empty_pool_has_no_ranking():
    assert ids(pool_of()) == []


def test_a_superseded_memory_ranks_directly_below_its_successor():
    """C30."""
    old = replace(near(0.9), id="old", superseded_by=("new",))
    new = replace(near(0.2), id="new")

    assert ids(pool_of(old, new)) == ["new", "old"]


@pytest.mark.parametrize("order", list(itertools.permutations("abc")))
def test_the_newest_of_a_chain_of_superseded_memories_ranks_first(order):
    """C30: for any order of the graph's rows."""
    chain = {
        "a": replace(near(0.9), id="a", superseded_by=("b",)),
        "b": replace(near(0.6), id="b", superseded_by=("c",)),
        "c": replace(near(0.5), id="c"),
    }

    assert ids(pool_of(*(chain[id_] for id_ in order))) == ["c", "b", "a"]


def test_memories_that_supersede_each_other_are_both_found():
    """C30: the cycle has no end."""
    one, other = (replace(near(0.9), id=id_, superseded_by=(by,)) for id_, by in ("ab", "ba"))

    assert sorted(ids(pool_of(one, other))) == ["a", "b"]


def stating(slot: str, **owner: str | None) -> StatedSlots:
    known = {"speaker": None, "user_id": None, "agent_id": None, **owner}
    unkeyed = StatedSlots(**known, state_keys=())
    return unkeyed.model_copy(update={"state_keys": tuple(own_keys(unkeyed, [slot]))})


def test_a_statement_of_the_slot_in_question_ranks_first():
    """36: "I moved to Berlin" has no word of "Where do I live?"."""
    moved, home = replace(near(0.1), id="moved", slots=stating("home")), ParsedQuery("Where do I live?")
    others = [replace(near(0.9), id="other"), replace(near(0.8), id="job", slots=stating("employer"))]
    pool = pool_of(*others, moved)

    def first(parsed: ParsedQuery, **query) -> str:
        return rank(pool, parsed, RecallQuery(query=parsed.text, **query))[0].id

    assert first(home) == "moved"
    assert first(ParsedQuery("Who do I work for?")) == "job"
    assert first(ParsedQuery("Where did I live before?")) == "other"
    assert first(home, strategy=RecallStrategy.SEMANTIC) == "other"
    assert first(home, fusion=Fusion.RRF) == "other"


def test_a_statement_of_the_slot_in_question_ranks_before_a_memory_with_the_highest_score():
    """36: importance and use may raise a score to 1 and above."""
    parsed = ParsedQuery("Where does Ann live?")
    used = {
        "importance": 1.0,
        "usage_count": 1000,
        "age_days": 0,
        "speaker": "Ann",
        "words": 20,
        "first_person": True,
    }
    told = replace(near(1.0), id="told", matched=(" ann ", " live "), names=frozenset({"ann"}), **used)
    moved = replace(near(0.1), id="moved", slots=stating("home", speaker="Ann"))
    pool = pool_of(told, moved, text_scores={"told": 9.0})

    assert [each.id for each in rank(pool, parsed, RecallQuery(query=parsed.text))] == ["moved", "told"]


@pytest.mark.parametrize(
    ("owner", "question", "expected"),
    [
        ({"user_id": "u1"}, "Where do I live?", True),
        ({"speaker": "user", "agent_id": "a1"}, "Where do I live?", True),
        ({"speaker": "Ada", "user_id": "ada"}, "Where do I live?", True),
        ({"speaker": "Ada"}, "Where do I live?", False),
        ({"speaker": "Ada"}, "Where does Ada live?", True),
        ({}, "Where does Ada live?", False),
    ],
)
def test_a_statement_of_a_slot_counts_for_its_speaker(owner, question, expected):
    """36: whoever says "I" is in question, or is named by it."""
    pool = pool_of(replace(PLAIN, slots=stating("home", **owner)))

    assert bool(pool.stating(ParsedQuery(question).asked_slot)) is expected


def test_side_signals_break_ties_but_never_a_clear_lead():
    """C17: importance and use decide between equals."""
    humble = replace(PLAIN, id="humble", importance=0.0)
    weighty = replace(PLAIN, id="weighty", importance=1.0, usage_count=100)
    relevant = replace(near(1.0), id="relevant", importance=0.0, matched=(" ann ", " paint "))

    order = ids(pool_of(humble, weighty, relevant, text_scores={"relevant": 9.0}))

    assert order == ["relevant", "weighty", "humble"]


def test_in_a_small_pool_a_rare_word_beats_cosines_that_hardly_differ():
    """C1."""
    worded = replace(near(0.06), id="worded", matched=(" paint ",))
    others = [replace(near(cosine), id=f"other {cosine}") for cosine in (0.1, 0.05, 0.04)]

    assert ids(pool_of(worded, *others, text_scores={"worded": 9.0}))[0] == "worded"


@pytest.mark.parametrize("embedder", [None, "remote:mine:8", MULTILINGUAL])
def test_every_feature_has_a_weight(embedder):
    """C1: a feature without a weight costs time, and a weight without a feature fails every recall."""
    assert set(weights(embedder)) - {"bias"} == set(features(pool_of(PLAIN), QUESTION))


def test_a_fitted_embedder_ranks_by_weights_of_its_own():
    """C1, issue 39 point 2: the multilingual model's cosines mean something else than the default model's."""
    pool = pool_of(replace(PLAIN, id="near", cosine=0.6), replace(PLAIN, id="far", cosine=0.1))

    by_default, unknown, own = (
        scores(pool, QUESTION, embedder=embedder).tolist()
        for embedder in (None, "remote:mine:8", MULTILINGUAL)
    )

    assert by_default == unknown != own
    assert max(own) == pytest.approx(max(by_default), abs=3.0), "scores have the level of the default ones"


def test_a_threshold_uses_the_cosine_only_on_request():
    """C12."""
    near, far = replace(PLAIN, id="near", cosine=0.6), replace(PLAIN, id="far", cosine=0.1)
    without = replace(PLAIN, id="without", cosine=None)

    assert set(ids(pool_of(near, far, without))) == {"near", "far", "without"}
    assert ids(pool_of(near, far, without), min_score=0.35) == ["near"]


def test_the_semantic_strategy_orders_by_cosine_alone():
    """C4, C12."""
    by_words = replace(PLAIN, id="words", cosine=0.1, matched=(" paint ",))
    by_meaning = replace(PLAIN, id="meaning", cosine=0.4)

    assert ids(pool_of(by_words, by_meaning, text_scores={"words": 20.0}), strategy=RecallStrategy.SEMANTIC) == [
        "meaning", "words",
    ]  # fmt: skip


def test_rrf_ranks_by_the_places_on_the_two_lists():
    """C5."""
    one, two = replace(PLAIN, id="one"), replace(PLAIN, id="two")
    pool = pool_of(one, two, text_scores={"two": 5.0}, vector_ids=["two", "one"])

    assert ids(pool, fusion=Fusion.RRF) == ["two", "one"]


def test_a_statement_of_the_person_asked_about_beats_the_same_words_of_another():
    told = replace(PLAIN, id="told", speaker="Ann", first_person=True)
    asked = replace(PLAIN, id="asked", speaker="Bob", first_person=True)

    assert ids(pool_of(asked, told)) == ["told", "asked"]


def test_a_standing_request_ranks_higher_for_every_query():
    asked, said = replace(PLAIN, id="said"), replace(PLAIN, id="asked for", type="Style", speaker="user")
    answered = replace(PLAIN, id="answered", type="Style", speaker="assistant")

    assert ids(pool_of(asked, said))[0] == "asked for"
    assert list(features(pool_of(said, answered), QUESTION)["style"]) == [1.0, 0.0]


def test_a_preference_counts_for_requests_for_help():
    plain, liked = replace(PLAIN, id="plain"), replace(PLAIN, id="liked", type="Preference")
    pool = pool_of(plain, liked)

    assert list(features(pool, ParsedQuery("How should I paint it?"))["preference_for_help"]) == [0.0, 1.0]
    assert list(features(pool, QUESTION)["preference_for_help"]) == [0.0, 0.0]


def test_an_assistants_message_counts_for_questions_about_its_answer():
    pool = pool_of(replace(PLAIN, speaker="user"), replace(PLAIN, id="m2", speaker="assistant"))

    assert list(features(pool, ParsedQuery("Which colours did you suggest?"))["answer_asked_for"]) == [
        0.0,
        1.0,
    ]
    assert list(features(pool, QUESTION)["answer_asked_for"]) == [0.0, 0.0]


def test_a_turn_of_the_requested_month_ranks_higher():
    may, june = replace(PLAIN, id="may", at=1_683_500_000), replace(PLAIN, id="june", at=1_686_500_000)
    question = ParsedQuery("What did she do on 11 June 2023?")

    ranked = rank(pool_of(may, june), question, RecallQuery(query=question.text))

    assert [r.id for r in ranked] == ["june", "may"]


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("What happened on 5 March 2024?", ["2024-03-05", "2024-03-07"]),
        ("What happened on 5 March?", ["2024-03-05", "2024-03-07", "2019-03-05"]),
        ("What happened on 31 January 2024?", ["2024-02-01", "2024-02-02"]),
        ("What happened on 31 January?", ["2024-02-01", "2024-02-02"]),
        ("What happened on 31 December 2023?", ["2024-01-01"]),
        ("What happened on 31 December?", ["2024-01-01"]),
        ("What happened on 31 June?", []),
        ("What happened on 5 March 1999?", []),
        ("What happened in March 2024?", []),
    ],
)
def test_a_day_counts_in_its_own_year_and_over_the_end_of_its_month(text, counted):
    days = ["2019-03-05", "2024-01-01", "2024-02-01", "2024-02-02", "2024-03-05", "2024-03-07", "2024-03-08"]
    moments = [int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) for day in days]
    pool = pool_of(*(replace(PLAIN, id=day, at=at) for day, at in zip(days, moments, strict=True)))

    on_day = features(pool, ParsedQuery(text))["day"]

    assert [day for day, value in zip(days, on_day, strict=True) if value] == sorted(counted)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_every_candidate_has_a_finite_score_between_0_and_1_in_descending_order(cosines):
    candidates = [replace(near(cosine), id=f"m{n}") for n, cosine in enumerate(cosines)]
    pool = pool_of(*candidates)

    ranked = rank(pool, QUESTION, RecallQuery(query=QUESTION.text))

    assert len(ranked) == len(candidates)
    assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)
    assert all(0 <= r.score <= 1 for r in ranked)


def test_every_feature_has_one_value_per_candidate():
    pool = pool_of(PLAIN, replace(near(None), id="m2"))

    columns = features(pool, QUESTION)

    assert {len(column) for column in columns.values()} == {2}
    assert len(scores(pool, QUESTION)) == 2


def test_words_decide_if_the_embedder_reads_neither_query_nor_memory():
    """B9, C5: the cosines mislead here, and the weight of the length was fitted together with them."""
    holds = replace(near(0.2), id="holds", has_cjk=True, words=8)
    lies_near = replace(near(0.9), id="near", has_cjk=True, words=40)
    pool = pool_of(holds, lies_near, text_scores={"holds": 2.0})

    ranked = {
        is_blind: [each.id for each in rank(pool, QUESTION, RecallQuery(query="x"), is_blind=is_blind)]
        for is_blind in (False, True)
    }

    assert ranked == {False: ["near", "holds"], True: ["holds", "near"]}
