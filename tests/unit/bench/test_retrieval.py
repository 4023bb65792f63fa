"""What mentions add is told by comparing each question's pool with what would have been gathered without them."""

from dataclasses import replace

from graph.retrieval.recall.candidates import NamedInQuery
from tests.bench.metrics import Score
from tests.bench.rankings import without_mentions
from tests.bench.retrieval import added_by_mentions
from tests.unit.bench.test_fitting import asked_of

LABELS = {"m0": "a", "m1": "b"}


def asked(*, category: str = "kind", named: bool = True):
    """Return a question whose gold is found by a mention alone."""
    both = asked_of(["m0", "m1"], labels=LABELS, gold={"b"})
    without = asked_of(["m0"], labels=LABELS, gold={"b"})
    pool = replace(both.pool, named={"e": NamedInQuery("Acme", frozenset())} if named else {})
    return replace(both, pool=pool, unlinked_pool=without.pool, category=category)


def test_each_group_is_compared_with_itself_unlinked() -> None:
    questions = [asked(category="one"), asked(category="two", named=False)]
    linked = [Score((1.0, 1.0, 1.0), 1.0), Score((0.0, 1.0, 1.0), 0.5)]
    unlinked = [Score((0.0, 0.0, 0.0), 0.0), Score((0.0, 1.0, 1.0), 0.5)]

    added = added_by_mentions(questions, linked, unlinked)

    assert {name: group.questions for name, group in added.items()} == {
        "all": 2,
        "naming an entity": 1,
        "one": 1,
        "two": 1,
    }
    assert {name: group.change["recall@10"].mean for name, group in added.items()} == {
        "all": 0.5,
        "naming an entity": 1.0,
        "one": 1.0,
        "two": 0.0,
    }
    assert added["all"].gold == (0.0, 1.0)


def test_a_set_in_which_no_question_names_anything_has_no_such_group() -> None:
    same = [Score((1.0, 1.0, 1.0), 1.0)]

    assert list(added_by_mentions([asked(named=False)], same, same)) == ["all", "kind"]


def test_without_mentions_a_question_has_the_other_pool() -> None:
    question = asked()

    assert [candidate.id for candidate in without_mentions(question).pool.candidates] == ["m0"]
    assert without_mentions(question).gold == question.gold
