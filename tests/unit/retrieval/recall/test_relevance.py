"""The model of relevance: its bounds, its direction, and embedders without a calibration."""

import math
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.ports import EmbeddingFailed
from graph.retrieval.recall.candidates import Candidate, Pool
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import (
    UNRELATED,
    UNRELATED_CJK,
    WORDS,
    Calibration,
    Cosines,
    Scale,
    Unrelated,
    feature_names,
    features,
    models,
    unrelated_among,
)
from graph.vectors.index.models import EmbeddedQuery, VectorIndex
from tests.fixtures.scripts import traditional

PLAIN = Candidate(
    id="m1", turn_scope=None, position=None, previous_id=None, next_id=None, cosine=0.1,
    part_cosine=0.1, focus_cosine=0.1, matched=(), type="Context", words=10, is_question=False, first_person=False,
    has_time=False, has_number=False, names=frozenset(), speaker=None, at=1_700_000_000, importance=0.5,
    usage_count=0, age_days=400, superseded_by=(),
)  # fmt: skip
QUESTIONS = [ParsedQuery("Where did Ann paint the harbour?"), ParsedQuery("安娜在哪里画港口？")]
COSINES = st.floats(-1, 1)
WEIGHT_OF_A_WORD = 2**0.5  # of the focus of a question, if rarity is unknown
SCALES = [Scale(model, name) for name, model in models().items()]


def pool_of(*candidates: Candidate) -> Pool:
    numbered = [replace(each, id=f"m{number}") for number, each in enumerate(candidates)]
    return Pool(numbered, text_scores={}, window_scores={}, vector_ids=[each.id for each in numbered])


@st.composite
def candidates(draw, question: ParsedQuery) -> Candidate:
    held = draw(st.sets(st.sampled_from(question.stems)))
    nearest, focus = draw(COSINES), draw(COSINES)
    return replace(
        PLAIN, cosine=nearest, part_cosine=nearest, focus_cosine=focus,
        matched=[f" {stem} " for stem in sorted(held)], has_cjk=draw(st.booleans()),
    )  # fmt: skip


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.description)
@pytest.mark.parametrize("question", QUESTIONS, ids=["latin", "cjk"])
@given(data=st.data())
def test_relevance_is_a_probability_and_grows_with_meaning_and_words(scale, question, data):
    """C12: a higher cosine or one more word never makes a hit less relevant."""
    found = data.draw(st.lists(candidates(question), min_size=1, max_size=6))
    before = scale.of(pool_of(*found), question)
    first = found[0]
    nearer = data.draw(st.floats(max(first.cosine, first.focus_cosine), 1))
    more = [f" {stem} " for stem in question.stems]
    closer = replace(first, cosine=nearer, part_cosine=nearer, focus_cosine=nearer)

    assert all(0 < relevance < 1 for relevance in before.values())
    assert scale.of(pool_of(closer, *found[1:]), question)["m0"] >= before["m0"] - 1e-12
    assert scale.of(pool_of(replace(first, matched=more), *found[1:]), question)["m0"] >= before["m0"] - 1e-12


def test_an_empty_pool_has_no_relevance():
    assert [scale.of(pool_of(), QUESTIONS[0]) for scale in SCALES] == [{}] * len(SCALES)


def test_stored_models_have_known_features_and_signs():
    assert WORDS in models()
    assert set(features(pool_of(PLAIN), QUESTIONS[0])) == set(feature_names())
    for model in models().values():
        assert model.weights.keys() == {"bias", *feature_names()}
        assert 0 < model.threshold < 1
        for name, weight in model.weights.items():
            is_free = name in ("bias", "blind")
            assert is_free or (weight <= 0 if name.startswith("unknown") else weight >= 0), name
        assert (model.name == WORDS) == (model.unrelated is None)


def blind_rows(question: ParsedQuery, **fields) -> dict[bool, float]:
    """Return the feature ``blind`` of a candidate, by whether it is in Chinese."""
    pool = pool_of(PLAIN, replace(PLAIN, has_cjk=True))
    plain, chinese = features(pool, question, Unrelated(Cosines(0.05, 0.08), **fields))["blind"]
    return {False: plain, True: chinese}


def test_cosines_of_an_unknown_script_are_ignored():
    """C12: such an embedder puts all texts of the script close together, related or not."""
    english, chinese = QUESTIONS

    assert blind_rows(english) == {False: 0, True: 1}
    assert blind_rows(chinese) == {False: 1, True: 1}
    knowing = {"cjk": Cosines(0.1, 0.1), "across": Cosines(0.0, 0.1)}
    assert blind_rows(english, **knowing) == blind_rows(chinese, **knowing) == {False: 0, True: 0}


@pytest.mark.parametrize(
    ("question", "in_chinese", "words", "knows", "is_blind"),
    [
        (1, [True, True, False], 1.0, False, True),
        (1, [True, False], 1.0, False, False),
        (1, [True], 0.0, False, False),
        (1, [True], 1.0, True, False),
        (0, [True], 1.0, False, False),
    ],
    ids=["mostly Chinese", "half of it English", "no words found", "knows Chinese", "asked in English"],
)
def test_an_unknown_script_ignores_cosines_if_words_match(question, in_chinese, words, knows, is_blind):
    """B9, C5."""
    found = pool_of(*(replace(PLAIN, has_cjk=each) for each in in_chinese))
    known = Unrelated(Cosines(0.1, 0.1), cjk=Cosines(0.5, 0.05) if knows else None)
    scale = Scale(SCALES[0].model, "measured", known)

    assert scale.is_blind(replace(found, text_scores={"m0": words}), QUESTIONS[question]) is is_blind


def test_cosines_are_scaled_by_unrelated_texts_of_the_script():
    like = Cosines(0.0, 0.1)
    unrelated = Unrelated(like, cjk=Cosines(0.5, 0.05), across=Cosines(0.1, 0.1))
    near = replace(PLAIN, cosine=0.6, part_cosine=None, focus_cosine=None)
    pool = pool_of(near, replace(near, has_cjk=True))

    of_english, of_chinese = (
        features(pool, question, unrelated, like=like)["nearest"].tolist() for question in QUESTIONS
    )

    assert of_english == pytest.approx([0.6, 0.5])
    assert of_chinese == pytest.approx([0.5, 0.2])


def test_a_hit_above_the_usual_neighbours_is_relevant():
    """C12: a few memories have only chance neighbours, which are the usual ones."""
    chance = Unrelated(Cosines(0.1, 0.1))
    cosines = [0.6, *[0.3] * 19]
    many = pool_of(*(replace(PLAIN, cosine=value, part_cosine=value) for value in cosines))
    one = pool_of(replace(PLAIN, cosine=0.6, part_cosine=0.6))

    above = features(many, QUESTIONS[0], chance, like=chance.latin)["above"].tolist()

    assert above == pytest.approx([0.3, *[0.0] * 19])
    assert features(one, QUESTIONS[0], chance, like=chance.latin)["above"].tolist() == pytest.approx([0.4])


def test_a_short_statement_is_not_a_turn_and_fades_with_its_length():
    """C12: a greeting is near every greeting."""
    near = replace(PLAIN, cosine=0.5, part_cosine=0.5, words=0)
    pool = pool_of(near, replace(near, words=60), replace(near, turn_scope="c1 s1"))

    found = features(pool, QUESTIONS[0], Unrelated(Cosines(0.1, 0.1)))["statement"].tolist()

    assert found == pytest.approx([0.5, 0.5 * math.exp(-2), 0.0])


def test_an_embedder_that_matches_translations_knows_chinese():
    count = len(UNRELATED)
    apart, alike = np.eye(count), np.tile(np.eye(count)[0], (count, 1))

    knowing = unrelated_among(np.vstack([apart, apart]))
    unknowing = unrelated_among(np.vstack([apart, alike]))

    assert len(UNRELATED) == len(UNRELATED_CJK)
    assert knowing.cjk == knowing.across == knowing.latin
    assert (unknowing.cjk, unknowing.across) == (None, None)


@pytest.mark.parametrize("script", [str, traditional])
def test_character_pairs_count_half_and_particles_almost_nothing(script):
    """C12: their rarity is unknown, so "我喜" must not count like "花生"."""
    question = ParsedQuery(script("我喜欢花生吗"))  # 我喜 喜欢 欢花 花生 生吗

    def held(*pairs: str):
        matched = [f" {pair} " for pair in pairs]
        found = features(pool_of(replace(PLAIN, matched=matched, has_cjk=True)), question)
        return found["coverage"][0], found["amount"][0]

    assert held("花生")[0] == pytest.approx(1 / 3.08)
    assert held("我喜")[0] == pytest.approx(0.04 / 3.08)
    assert held("花生")[1] == pytest.approx(np.log1p(WEIGHT_OF_A_WORD / 2) / 3)


def test_words_in_another_script_count_twice():
    """C10, C12: such words are names or keywords."""
    question = ParsedQuery("peanuts")
    same, across = (
        features(pool_of(replace(PLAIN, matched=[" peanut "], has_cjk=has_cjk)), question)["amount"][0]
        for has_cjk in (False, True)
    )

    assert same == pytest.approx(np.log1p(WEIGHT_OF_A_WORD) / 3)
    assert across == pytest.approx(np.log1p(2 * WEIGHT_OF_A_WORD) / 3)


def test_words_alone_give_no_weight_to_meaning():
    by_words = models()[WORDS]

    assert {name for name in feature_names() if name.startswith(("nearest", "focus", "both"))} <= {
        name for name, weight in by_words.weights.items() if weight == 0
    }


@given(st.floats(-0.5, 0.5), st.floats(0.02, 0.2), st.floats(-3, 3))
def test_cosines_of_another_embedder_are_scaled_by_deviation(mean, deviation, deviations):
    like = Cosines(0.05, 0.08)
    read = Cosines(mean, deviation).rescaled(np.array([mean + deviations * deviation]), like)

    assert read[0] == pytest.approx(np.clip(0.05 + deviations * 0.08, -1, 1))


@dataclass
class Stub:
    """Embeddings that give every text the same vector, or fail."""

    signature: str
    failure: str | None = None
    calls: int = 0
    active: VectorIndex | None = None

    async def embed_query(self, *texts: str) -> EmbeddedQuery:
        self.calls += 1
        if self.failure:
            raise EmbeddingFailed(self.failure)
        self.active = index_of(self.signature)
        return EmbeddedQuery([[1.0, 0.0]] * len(texts), self.active)


def index_of(signature: str) -> VectorIndex:
    return VectorIndex(
        slot="a", signature=signature, dimension=2, quantization="NONE", since=datetime.now(UTC)
    )


async def test_the_calibration_is_named():
    """C12: the use of another embedder's calibration is reported; its sentences are embedded once."""
    default = next(name for name in models() if name != WORDS)
    stub, broken = Stub("static:mine:2"), Stub("static:mine:2", failure="away")
    calibration = Calibration(stub)
    asked = EmbeddedQuery([[1.0, 0.0]], index_of("static:mine:2"))

    known = await Calibration(broken).relevance(EmbeddedQuery([[1.0, 0.0]], index_of(default)))
    rescaled = [await calibration.relevance(asked) for _ in range(2)]
    failed = await Calibration(broken).relevance(asked)
    without = await Calibration(broken).relevance(None)

    assert (known.description, known.unrelated) == (default, None)
    assert {each.description for each in rescaled} == {
        f"{default}: static:mine:2 is not calibrated, its cosines are rescaled by unrelated sentences"
    }
    assert rescaled[0].unrelated.latin.mean == pytest.approx(1.0)
    assert stub.calls == 1
    assert (failed.model.name, failed.description) == (
        WORDS,
        "words: static:mine:2 is not calibrated, and fails now: away",
    )
    assert (without.model.name, without.description) == (WORDS, "words: there are no vectors to compare")
