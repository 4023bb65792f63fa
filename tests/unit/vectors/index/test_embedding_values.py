"""The inputs and outputs of an embedding model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.adapters.embedding.values import MAX_CHARS, encodable, unit_vectors
from graph.core.ports import EmbeddingFailed


def test_lone_surrogates_become_replacement_characters():
    assert encodable("a\ud800b\udfffc") == "a\ufffdb\ufffdc"


def test_two_surrogates_that_make_a_character_become_that_character():
    assert encodable("\ud83d\ude00") == "😀"


@given(st.text(st.characters(codec="utf-8")))
def test_text_without_surrogates_stays_unchanged(text):
    assert encodable(text) == text


@given(st.text(st.characters()))
def test_every_text_can_be_encoded(text):
    encodable(text).encode()


def test_a_text_is_cut_before_it_is_tokenised():
    assert encodable("x" * (MAX_CHARS + 1)) == "x" * MAX_CHARS


def test_rows_are_normalised_to_float32():
    rows = unit_vectors([[3, 4], [0, -2]], count=2, dimension=2)

    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, -1.0]], atol=1e-7)


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([[1.0, 0.0]], id="too few vectors"),
        pytest.param([[1.0], [1.0]], id="another dimension"),
        pytest.param([[1.0, 0.0], [1.0]], id="ragged"),
        pytest.param([[1.0, float("nan")], [1.0, 0.0]], id="not a number"),
        pytest.param([[1.0, float("inf")], [1.0, 0.0]], id="infinite"),
        pytest.param([[0.0, 0.0], [1.0, 0.0]], id="all zeros"),
        pytest.param([[10**400, 0.0], [1.0, 0.0]], id="too large"),
        pytest.param("<html>", id="not numbers"),
        pytest.param(None, id="nothing"),
    ],
)
def test_unusable_vectors_are_refused(values):
    """B7: a vector that this model cannot have made is never used."""
    with pytest.raises(EmbeddingFailed):
        unit_vectors(values, count=2, dimension=2)
