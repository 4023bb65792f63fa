"""The length of a text for the model, and the cutting of longer texts."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.embedding.word_pieces import WordPieces
from tests.fixtures.local_models import files_of

TOKENIZER = WordPieces(files_of())
ENGLISH = "Ada prefers tabs over spaces in Python, because they are hers to set. "
CHINESE = "艾达喜欢用制表符而不是空格。她说这样每个人都可以自己决定宽度。"


def squeezed(text):
    return re.sub(r"\s", "", text)


def test_tokens_are_counted_without_the_special_ones():
    assert TOKENIZER.count_tokens("") == 0
    assert TOKENIZER.count_tokens("unaffable") == 3
    assert TOKENIZER.count_tokens("我喜欢") == 3
    assert TOKENIZER.count_tokens("word " * 1000) == 1000


def test_the_model_receives_at_most_256_tokens_and_no_padding():
    ids = TOKENIZER.token_ids(["hello", "word " * 300, ""])

    assert [len(row) for row in ids] == [3, 256, 2]
    assert {(row[0], row[-1]) for row in ids} == {(101, 102)}


def test_a_text_the_model_reads_whole_is_one_passage():
    assert TOKENIZER.split_passages("  Ada prefers tabs. ") == ["Ada prefers tabs."]


@pytest.mark.parametrize("text", ["", " \n ", "\x00"])
def test_a_text_without_words_has_no_passage(text):
    assert TOKENIZER.split_passages(text) == []


def test_english_is_cut_between_sentences():
    passages = TOKENIZER.split_passages(ENGLISH * 40)

    assert len(passages) == 4
    assert all(passage.endswith("to set.") for passage in passages)
    assert " ".join(passages) == (ENGLISH * 40).strip()


def test_chinese_is_cut_between_sentences():
    passages = TOKENIZER.split_passages(CHINESE * 20)

    assert len(passages) == 4
    assert all(passage.endswith("。") for passage in passages)
    assert "".join(passages) == CHINESE * 20


def test_passages_are_about_equally_long():
    """The vector of a last passage of a few words would mean nothing in particular."""
    counts = [TOKENIZER.count_tokens(passage) for passage in TOKENIZER.split_passages(ENGLISH * 14)]

    assert counts == [112, 112]


def test_lines_are_sentences():
    lines = [f"- item number {number} of the shopping list" for number in range(60)]

    passages = TOKENIZER.split_passages("\n".join(lines))

    assert [line for passage in passages for line in passage.split("\n")] == lines


def test_a_sentence_too_long_is_cut_between_clauses():
    passages = TOKENIZER.split_passages("the first thing, the second thing and " * 50)

    assert [passage[-1] for passage in passages] == [",", ",", "d"]


def test_text_without_any_mark_is_cut_between_words():
    passages = TOKENIZER.split_passages("word " * 500)

    assert [passage.count("word") for passage in passages] == [167, 167, 166]


def test_text_after_the_last_passage_is_dropped():
    passages = TOKENIZER.split_passages(ENGLISH * 400, max_passages=2)

    assert len(passages) == 2
    assert ENGLISH.strip() in passages[0]


@pytest.mark.parametrize("max_tokens", [99, 255])
def test_passages_the_model_could_not_read_are_refused(max_tokens):
    with pytest.raises(ValueError, match="max_tokens"):
        TOKENIZER.split_passages("text", max_tokens=max_tokens)


fragments = st.sampled_from(
    [
        ENGLISH,
        CHINESE,
        "word ",
        "한국어 ",
        "x" * 130,
        "ab" * 49,
        "😀",
        "[SEP]",
        "\n",
        "e\u0301",
        "。",
        " — ",
        "\x00",
    ]
)
long_texts = st.lists(fragments | st.text(max_size=8), max_size=200).map("".join)


@settings(max_examples=60, deadline=None)
@given(long_texts, st.integers(100, 254))
def test_any_text_is_cut_into_passages_the_model_reads_whole(text, max_tokens):
    passages = TOKENIZER.split_passages(text, max_tokens=max_tokens, max_passages=10_000)

    assert all(0 < TOKENIZER.count_tokens(passage) <= max_tokens for passage in passages)
    total = sum(TOKENIZER.count_tokens(passage) for passage in passages)
    assert total == TOKENIZER.count_tokens(text)


@settings(max_examples=60, deadline=None)
@given(long_texts)
def test_passages_are_consecutive_and_together_the_text(text):
    passages = TOKENIZER.split_passages(text, max_passages=10_000)

    whole, together = squeezed(text), squeezed("".join(passages))
    assert together in whole
    assert TOKENIZER.count_tokens(whole.replace(together, "", 1)) == 0
    assert passages == TOKENIZER.split_passages(text, max_passages=10_000)
