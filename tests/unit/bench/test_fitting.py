"""The fit, which finds the weights that rank gold first."""

import json
from dataclasses import replace

import numpy as np
import pytest

from graph.retrieval.recall.candidates import Candidate, Pool
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import features, weights
from tests.bench.asking import Asked
from tests.bench.fit_report import Fit
from tests.bench.fitting import Example, Problem, cross_validated, fit, fold_of
from tests.bench.metrics import Score
from tests.bench.rankings import Basis

NAMES = ["tells", "noise", "more noise"]
TURN = Candidate(
    id="",
    turn_scope=None,
    position=None,
    previous_id=None,
    next_id=None,
    cosine=0.2,
    part_cosine=None,
    focus_cosine=None,
    matched=(),
    type="Context",
    words=5,
    is_question=False,
    first_person=False,
    has_time=False,
    has_number=False,
    names=frozenset(),
    speaker=None,
    at=0,
    importance=0.5,
    usage_count=0,
    age_days=0,
    superseded_by=(),
)


def test_the_gradient_is_that_of_the_loss() -> None:
    problem = Problem([example_of(seed, gold=2) for seed in range(6)], NAMES)
    weights, step = np.array([0.3, -0.7, 0.2]), 1e-6
    prior = np.array([0.1, 0.0, -0.4])

    _, gradient = problem._loss(weights, problem._rows, problem._cost, prior)

    for axis in range(3):
        moved = step * np.eye(3)[axis]
        higher, lower = (
            problem._loss(weights + sign * moved, problem._rows, problem._cost, prior)[0] for sign in (1, -1)
        )
        assert gradient[axis] == pytest.approx((higher - lower) / (2 * step), abs=1e-6)


def test_a_fit_keeps_the_prior_of_a_feature_that_tells_nothing() -> None:
    examples = [example_of(seed, gold=1) for seed in range(40)]
    examples = [replace(each, rows=each.rows * [1.0, 1.0, 0.0]) for each in examples]

    weights = Problem(examples, NAMES, np.array([0.0, 0.0, 0.5])).solve()

    assert weights[2] == 0.5
    assert weights[0] > 10 * abs(weights[1])


def test_the_distinguishing_feature_gets_the_weight() -> None:
    weights = Problem([example_of(seed, gold=1) for seed in range(40)], NAMES).solve()

    assert weights[0] > 10 * max(abs(weights[1]), abs(weights[2]))


def test_a_sign_of_relevance_never_has_a_negative_weight() -> None:
    examples = [example_of(seed, gold=1) for seed in range(40)]
    reversed_ = [
        Example(replace(example.basis, columns=-example.basis.columns), -example.rows, example.is_gold, 1.0)
        for example in examples
    ]

    held = Problem(reversed_, NAMES).solve()
    free = Problem(reversed_, ["length", "noise", "more noise"]).solve()

    assert held[0] == 0.0
    assert free[0] < -1.0


def test_a_feature_excluded_from_the_fit_has_no_weight() -> None:
    bases = [example_of(seed, gold=1).basis for seed in range(10)]

    weights = fit(bases, [1.0] * 10, without="tells")

    assert weights[0] == 0.0
    assert np.abs(weights[1:]).max() > 0.0


def test_the_likeliest_candidate_of_a_gold_label_is_kept() -> None:
    labels = {"m0": "session", "m1": "session", "m2": "other"}
    asked = asked_of(["m0", "m1", "m2"], labels=labels, gold={"session"}, text={"m1": 2.0, "m0": 1.0})
    basis = Basis(["only"], np.array([[0.1], [0.2], [0.3]]), asked)

    example = Example.of(basis, 1.0)

    assert example is not None
    assert example.rows.tolist() == [[0.2], [0.3]]
    assert example.is_gold.tolist() == [True, False]


def test_a_question_without_gold_in_its_pool_teaches_nothing() -> None:
    asked = asked_of(["m0"], labels={"m0": "a"}, gold={"b"})

    assert Example.of(Basis(["only"], np.ones((1, 1)), asked), 1.0) is None


def test_conversations_are_folds_and_a_single_one_is_split() -> None:
    several = [basis_in(script) for script in ("a", "a", "b")]
    single = [basis_in("a") for _ in range(8)]

    assert fold_of(several) == ["a", "a", "b"]
    assert fold_of(single) == [f"block {number}" for number in (0, 0, 1, 1, 2, 2, 3, 3)]


def test_each_question_is_scored_by_weights_that_never_saw_its_fold() -> None:
    bases = [example_of(seed, gold=1).basis for seed in range(20)]

    scores = cross_validated(bases, [1.0] * 20, ["a", "b"] * 10)

    assert [score.reciprocal_rank for score in scores] == [1.0] * 20


def test_an_excluded_set_is_compared_with_its_fitted_score_and_the_plain_rankings() -> None:
    sets = {name: [answered(f"{name} {number}") for number in range(4)] for name in ("notes", "logs")}

    (table,) = Fit(sets, {}).report(ablations=False)

    assert [[row[0], *row[3:]] for row in table.rows] == [
        [name, *["1.000 / 1.000"] * 3, "+0.000 ≥ -0.03 reached", "1.000 text only", "+0.000 ≥ 0 reached"]
        for name in ("notes", "logs")
    ]


def example_of(seed: int, *, gold: int) -> Example:
    """Return an example of eight candidates: one feature identifies gold, two are noise."""
    random = np.random.default_rng(seed)
    ids = [f"m{number}" for number in range(8)]
    columns = random.random((8, 3))
    columns[:gold, 0] += 1.0
    asked = asked_of(ids, labels={id_: id_ for id_ in ids}, gold=set(ids[:gold]))
    example = Example.of(Basis(NAMES, columns, asked), 1.0)
    assert example is not None
    return example


def test_weights_of_another_embedder_stand_beside_the_default_ones(tmp_path) -> None:
    """Its scores have the level of the default ones, so importance and recency count as much as they do there."""
    file = tmp_path / "weights.json"
    file.write_text(json.dumps({"default": {"text": 1.0}}))
    asked = [replace(answered(f"notes {number}"), embedder="local:mine:8") for number in range(4)]

    Fit({"notes": asked}, {}).write(file)

    written = json.loads(file.read_text())
    assert written["default"] == {"text": 1.0}
    columns = [features(each.pool, each.question) for each in asked]
    own, default = (
        [sum(weight * of.get(name, 1.0) for name, weight in used.items()) for of in columns]
        for used in (written["local:mine:8"], weights())
    )
    assert np.mean(own) == pytest.approx(np.mean(default), abs=0.01)


def answered(script: str) -> Asked:
    """Return a question of whose words only the gold candidate has one."""
    asked = asked_of([], labels={"m0": "m0", "m1": "m1"}, gold={"m0"}, script=script)
    candidates = [replace(TURN, id=id_) for id_ in ("m0", "m1")]
    pool = replace(asked.pool, candidates=candidates, text_scores={"m0": 1.0}, vector_ids=[])
    return replace(asked, pool=pool)


def basis_in(script: str) -> Basis:
    return Basis(["only"], np.ones((1, 1)), asked_of(["m0"], labels={"m0": "a"}, gold={"a"}, script=script))


def asked_of(
    ids: list[str],
    *,
    labels: dict[str, str],
    gold: set[str],
    text: dict[str, float] | None = None,
    script: str = "script",
) -> Asked:
    candidates = [Candidate(**{**dict.fromkeys(Candidate.__slots__), "id": id_}) for id_ in ids]
    empty: dict[str, dict[str, float]] = {name: {} for name in Pool.__dataclass_fields__}
    pool = Pool(**{**empty, "candidates": candidates, "text_scores": text or {}})
    return Asked(
        script=script,
        question=ParsedQuery("what?"),
        category="kind",
        gold=frozenset(gold),
        pool=pool,
        labels=labels,
        score=Score.of([], gold),
        words=0,
        tier="vector",
        seconds=0.0,
        fast=Score.of([], gold),
        fast_seconds=0.0,
    )
