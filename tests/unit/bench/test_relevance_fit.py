"""The fit of relevance: its models can be read back and separate evidence from foreign text."""

import json
from dataclasses import replace

import pytest

from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import (
    WORDS,
    Cosines,
    Scale,
    Unrelated,
    feature_names,
    models,
    read_model,
)
from tests.bench.abstention import judge
from tests.bench.probes import Kind, Probe
from tests.bench.relevance_fit import Example, fitted_models, write_models
from tests.unit.retrieval.recall.test_relevance import PLAIN, pool_of

EMBEDDER = "static:mine:2"
QUESTION = ParsedQuery("Where did the red kettle go?")


def probe(kind: Kind, number: int) -> Probe:
    """Return a question; only the workspace's own one has a candidate with its words and a high cosine."""
    is_own = kind is Kind.OWN
    cosine = 0.7 + number / 100 if is_own else 0.1 + number / 100
    matched = [f" {stem} " for stem in QUESTION.stems] if is_own else []
    best = replace(PLAIN, cosine=cosine, part_cosine=cosine, focus_cosine=cosine, matched=matched)
    return Probe(
        group="set",
        script="one",
        kind=kind,
        question=QUESTION,
        pool=replace(pool_of(best, PLAIN), text_scores={"m0": 2.0, "m1": 1.0}),
        first=["m0", "m1"],
        gold=frozenset({"m0"} if is_own else ()),
        embedder=EMBEDDER,
        half=number % 2,
        unrelated=Unrelated(Cosines(0.05, 0.08)),
    )


PROBES = [
    probe(kind, number) for kind in (Kind.OWN, Kind.CONVERSATION, Kind.SMALL_TALK) for number in range(10)
]


def test_a_fit_gives_a_model_for_the_embedder_and_one_for_words(tmp_path):
    """C12: after a round trip, both keep the workspace's own questions and give foreign ones no hits."""
    file = tmp_path / "relevance.json"
    file.write_text(json.dumps({"another": {"threshold": 0.5}}))

    write_models(fitted_models(PROBES), file)
    stored = json.loads(file.read_text())

    assert stored.keys() == {"another", EMBEDDER, WORDS}
    for name in (EMBEDDER, WORDS):
        scale = Scale(read_model(name, stored[name]), name)
        examples = [Example.of(each, feature_names(), by_words=name == WORDS) for each in PROBES]
        best = [
            (each.probe.is_own, max(scale.of(each.pool, each.probe.question).values())) for each in examples
        ]
        assert min(value for is_own, value in best if is_own) > max(
            value for is_own, value in best if not is_own
        )
    assert read_model(EMBEDDER, stored[EMBEDDER]).unrelated == Unrelated(Cosines(0.05, 0.08))
    assert stored[WORDS]["weights"]["nearest"] == 0


@pytest.mark.parametrize("embedder", [EMBEDDER, None])
def test_an_embedder_without_a_model_is_judged_by_words_alone(embedder):
    second = [replace(each, group="another set") for each in PROBES]
    tables = judge([replace(each, embedder=embedder) for each in [*PROBES, *second]])

    assert [table.title for table in tables] == [
        f"relevance by words, threshold {models()[WORDS].threshold:.3f}",
        "relevance by words, each set left out of the fit and of the threshold",
    ]
