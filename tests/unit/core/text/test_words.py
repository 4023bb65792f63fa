"""Words of any script: whole with their marks, folded for comparison, and unchanged in English."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.extraction.facts import Category, fact_key
from graph.core.text.language import CJK, stem, stems, word_count, words
from graph.core.text.lucene import as_indexed, text_queries
from graph.core.text.normal_forms import comparable, composed, folded
from graph.core.text.stemming import LANGUAGES
from graph.knowledge.linking.occurrences import keys_of, spans
from graph.knowledge.ontology.names import normalized
from graph.memories.saving.indexing import searchable_properties
from tests.fixtures.sample_sentences import SAMPLES

ROOT = Path(__file__).parents[4]
WITHOUT_SPACES = {"Burmese", "Khmer", "Lao", "Thai"}
# The pattern that read English and Chinese text when the ranking was fitted.
_FITTED = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:'[^\W\d_{CJK}]+)?")


def fitted_words(text: str) -> list[str]:
    found: list[str] = []
    for token in _FITTED.findall(text.lower().replace("\u2019", "'")):
        if re.match(f"[{CJK}]", token):
            found += [token[i : i + 2] for i in range(len(token) - 1)] or [token]
        elif word := token.removesuffix("'s"):
            found.append(word)
    return found


def english_and_chinese() -> list[str]:
    sentences = [
        json.loads(line)["text"]
        for line in (ROOT / "tests/bench/extraction_sentences.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    pages = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    lines = [line for page in pages for line in page.splitlines()]
    return [text for text in [*sentences, *lines] if text.strip()]


def test_english_and_chinese_are_tokenized_as_the_ranking_was_fitted() -> None:
    """Issue 35, 12."""
    texts = english_and_chinese()
    assert len(texts) > 1000
    assert any("\u4e00" <= letter <= "\u9fff" for text in texts for letter in text)

    assert [words(text) for text in texts] == [fitted_words(text) for text in texts]
    plain = [word for text in texts for word in words(text) if word.isascii() or re.match(f"[{CJK}]", word)]
    assert [as_indexed(word) for word in plain] == plain


@given(st.text(st.sampled_from([*map(chr, range(32, 127)), *"我们喜欢绿茶。，！？\u2019\u2014\u201c\u201d"])))
def test_any_english_and_chinese_text_is_tokenized_as_fitted(text: str) -> None:
    """Issue 35, 12: also beside text of another script, which uses the other pattern."""
    assert words(text) == fitted_words(text)
    assert words(f"{text}\nमीनू") == [*fitted_words(text), "मीनू"]
    assert as_indexed(text) == text or not text.isascii()


@pytest.mark.parametrize("language", SAMPLES)
def test_words_stay_whole_in_each_language(language: str) -> None:
    """Issue 35, 12: composed or not; the sentence contains the words of the query."""
    text, query, count = SAMPLES[language]
    found = words(text)

    assert count is None or len(found) == count, found
    assert language in WITHOUT_SPACES or all(word[0].isalnum() for word in found)
    assert set(stems(words(query))) <= set(stems(found))
    assert words(unicodedata.normalize("NFD", text)) == found
    held = set(as_indexed(text).lower().replace("\u2019", "'").split())
    if count is not None:
        asked = {as_indexed(word).strip() for word in words(query)}
        assert asked <= {word.strip(".,;:'\u0964\u1362\u0589").removesuffix("'s") for word in held}


def test_forty_languages_are_tested() -> None:
    assert len(SAMPLES) >= 40


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zoë", "zoe"),
        ("ANDRÉ", "andre"),
        ("Søren", "soren"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("Αθήνα", "αθηνα"),
        ("مُحَمَّد", "محمد"),
        ("שָׁלוֹם", "שלום"),
        ("Nguyễn", "nguyen"),
        ("Ёлка", "елка"),
        ("ｐｙｔｈｏｎ３", "python3"),
        ("co\u00adoperate", "cooperate"),
        ("smo\u0308rga\u030asbord", "smorgasbord"),
        ("Ǿdegård", "odegard"),
        ("Ọ̀yọ́", "oyo"),
        ("Ħamrun", "hamrun"),
        ("Čapek", "capek"),
        ("ΣΊΣΥΦΟς", "σισυφος"),
        ("أَحْمَد", "احمد"),
        ("ﻣﺤﻤﺪ", "محمد"),
        ("ﾃﾞｰﾀ", "データ"),
        ("ﾊﾝｸﾞﾙ", "ハングル"),
        ("\U0001d400da", "ada"),
        ("می\u200cروم", "میروم"),
        ("Æsop", "aesop"),
    ],
)
def test_accents_and_points_fold(one: str, other: str) -> None:
    """Issue 35, 12."""
    assert comparable(one) == comparable(other) == other
    assert [stem(word) for word in words(one)] == [stem(word) for word in words(other)]
    assert normalized(one) == normalized(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("が", "か"),
        ("パ", "ハ"),
        ("й", "и"),
        ("मीनू", "मन"),
        ("की", "का"),
        ("ชา", "ชี"),
        ("কি", "কী"),
        ("மீன்", "மன்"),
        ("កា", "កី"),
        ("한", "하"),
        ("ﾊﾟ", "ハ"),
        ("ґ", "г"),
        ("ї", "і"),
        ("ў", "у"),
        ("ਚਾ", "ਚੀ"),
        ("ശി", "ശീ"),
        ("ກາ", "ກີ"),
        ("ބަ", "ބު"),
        ("ቡ", "በ"),
        ("ᬢᬶ", "ᬢᬸ"),
    ],
)
def test_distinct_letters_and_vowel_signs_are_kept(one: str, other: str) -> None:
    """Issue 35, 12."""
    assert comparable(one) != comparable(other)
    assert words(one) != words(other)
    assert normalized(one) != normalized(other)


def test_a_word_that_would_become_a_stop_word_keeps_its_accents() -> None:
    """Issue 35, 12: the indexes drop "te", "the" and "an", but not the Spanish, French and Vietnamese words."""
    assert as_indexed("thé ăn té Müller") == "thé ăn te Muller"
    assert as_indexed("As inspeções", LANGUAGES["pt"]) == "As inspeções"
    (found,) = text_queries([("té", 1.0), ("müller", 1.0)], "ws")
    assert "té^1.000" in found.query
    assert "te^1.000" in found.query
    assert "muller^1.000 müller^1.000" in found.query


@given(st.text())
def test_folding_and_composing_are_idempotent(text: str) -> None:
    assert composed(composed(text)) == composed(text)
    assert folded(folded(text)) == folded(text)
    assert normalized(normalized(text)) == normalized(text)


@given(st.text())
def test_reading_a_text_in_its_decomposed_form_is_the_same(text: str) -> None:
    assert words(unicodedata.normalize("NFD", composed(text))) == words(composed(text))


def test_searched_text_is_folded_and_returned_text_is_not() -> None:
    """Issue 35, 12."""
    found = searchable_properties(
        "Zoë trinkt Müllers Tee", speaker=None, stated_at=None, previous=None, keys=["café"]
    )
    assert found["search_text"] == found["search_window"]
    assert "Zoe" in f"{found['search_text']} {found['search_keys']}".split()
    assert "cafe" in found["search_keys"].split()
    assert found["folded_content"] == "zoe trinkt mullers tee"
    assert " zoe " in found["terms"]
    plain = searchable_properties("Ada drinks tea", speaker=None, stated_at=None, previous=None, keys=["cup"])
    assert (plain["search_text"], plain["folded_content"]) == ("Ada drinks tea", None)


def test_words_of_scripts_without_spaces_are_counted_in_pairs() -> None:
    """Issue 35, 12: the word count measures the length of a text."""
    assert word_count("Ada drinks tea") == 3
    assert word_count("ภาษาไทยเป็นภาษาที่สวย") == 9
    assert word_count("मीनू को चाय पसंद है") == 5


def test_keys_of_facts_keep_vowel_signs() -> None:
    """Issue 35, 12."""
    assert fact_key(Category.PREFERENCE, "मीनू की चाय") == "preference:मीनू_की_चाय"
    assert fact_key(Category.PREFERENCE, "TypeScript, with C++") == "preference:typescript_with_c_plus_plus"


def test_names_in_a_text_without_spaces_are_found() -> None:
    """Issue 35, 12: names consist of whole letters."""
    keys = keys_of(spans("ฉันอยู่เชียงใหม่กับสมชาย"))
    assert {"เชียงใหม่", "สมชาย"} <= set(keys)
    assert not any(unicodedata.category(key[0]).startswith("M") for key in keys)
