"""Summaries made of a text's own sentences."""

from hypothesis import given
from hypothesis import strategies as st

from graph.core.text.language import sentences
from graph.core.text.summaries import SUMMARY_CHARS, extractive_summary

REPORT = (
    "Good morning everybody. The migration of the billing database to PostgreSQL is planned for May. "
    "Coffee is ready in the kitchen. Before the migration the billing database is copied to a second server. "
    "Ola brought cake. After the migration the old billing server is switched off."
)


def test_a_summary_takes_the_most_informative_sentences_in_order() -> None:
    assert extractive_summary(REPORT, most_chars=170) == (
        "The migration of the billing database to PostgreSQL is planned for May. "
        "Before the migration the billing database is copied to a second server."
    )


def test_a_short_text_is_its_own_summary() -> None:
    assert (
        extractive_summary("Ada lives in Oslo.\nShe is a chemist.") == "Ada lives in Oslo. She is a chemist."
    )


def test_one_long_sentence_is_cut_between_words() -> None:
    assert extractive_summary("word " * 100, most_chars=20) == "word word word word…"
    assert extractive_summary("袋鼠" * 100, most_chars=9) == "袋鼠" * 4 + "…"


@given(st.text(max_size=2000), st.integers(10, 400))
def test_a_summary_is_short_and_adds_nothing(text: str, most: int) -> None:
    summary = extractive_summary(text, most_chars=most)

    assert len(summary) <= most
    spaceless = "".join("".join(sentences(text)).split())
    assert all("".join(part.split()) in spaceless for part in sentences(summary.removesuffix("…")))
    assert bool(summary) is bool(spaceless)


def test_the_usual_length_is_that_of_a_good_memory() -> None:
    assert len(extractive_summary(REPORT * 5)) <= SUMMARY_CHARS == 300
