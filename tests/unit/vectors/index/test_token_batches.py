"""Batches of texts for one run of the model."""

from hypothesis import given
from hypothesis import strategies as st

from app.adapters.embedding.onnx_model import token_batches

lengths_of_texts = st.lists(st.integers(2, 256), max_size=60)


def test_short_texts_share_a_batch_and_long_ones_do_not():
    assert token_batches([256, 10, 200, 20], budget=256) == [[1, 3], [2], [0]]


@given(lengths_of_texts, st.integers(1, 2048))
def test_every_text_is_in_exactly_one_batch(lengths, budget):
    batches = token_batches(lengths, budget=budget)

    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))


@given(lengths_of_texts, st.integers(1, 2048))
def test_no_batch_of_several_texts_exceeds_the_budget_when_padded(lengths, budget):
    for batch in token_batches(lengths, budget=budget):
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= budget


@given(lengths_of_texts)
def test_batches_go_from_short_to_long(lengths):
    order = [lengths[index] for batch in token_batches(lengths) for index in batch]

    assert order == sorted(lengths)
