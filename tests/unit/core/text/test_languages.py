"""The language of a text, and the stems of its words."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from cypher import load
from graph.core.text.detection import language_of, languages_of
from graph.core.text.language import content_words, spaced_stems
from graph.core.text.stemming import LANGUAGES
from graph.memories.saving.indexing import searchable_properties
from graph.retrieval.recall.parsed_query import ParsedQuery

TESTS = Path(__file__).parents[3]
SENTENCES = tomllib.loads((TESTS / "fixtures" / "sentences.toml").read_text(encoding="utf-8"))
OTHERS = [code for code in SENTENCES if code not in LANGUAGES]
MEMORIES = [
    entry["content"]
    for path in sorted((TESTS / "bench" / "sets").glob("*/*.jsonl"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if "content" in (entry := json.loads(line))
]


def codes(texts: list[str]) -> list[str | None]:
    return [language.code if (language := language_of(text)) else None for text in texts]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_text_has_its_language_or_none(code):
    """Issue 14, point 6."""
    of_memories, of_queries = (codes(SENTENCES[code][kind]) for kind in ("memories", "queries"))

    assert set(of_memories) == {code}
    assert len([each for each in of_queries if each not in {code, None}]) <= 1
    assert of_queries.count(code) >= 10


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_query_may_be_in_its_language_however_short(code):
    """Issue 14, point 6."""
    missed = [
        text for text in SENTENCES[code]["queries"] if LANGUAGES[code] not in ParsedQuery(text).languages
    ]

    assert len(missed) <= 1, missed


@pytest.mark.parametrize("code", OTHERS)
def test_english_and_other_scripts_have_no_extra_language(code):
    """Issue 14, point 6."""
    assert {*codes(SENTENCES[code]["memories"]), *codes(SENTENCES[code]["queries"])} == {None}


def test_the_measured_sets_are_detected_as_english():
    """Issue 14, point 6: the published figures therefore stay true."""
    assert len(MEMORIES) > 1000
    assert [text for text in MEMORIES if language_of(text)] == []


@pytest.mark.parametrize(
    "text", ["", "?!", "4711", "https://example.org/a", "Anna", "def f(x): return x", "中文 Anna"]
)
def test_unclear_texts_have_no_language(text):
    assert language_of(text) is None


def test_a_language_is_detected_by_its_letters_beside_chinese():
    assert language_of("Meine Schwester lernt seit März 中文 an der Uni.") == LANGUAGES["de"]
    assert languages_of("编程语言") == []


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("de", "katze katzen"),
        ("de", "baum bäume bäumen"),
        ("de", "versicherung versicherungen"),
        ("fr", "cheval chevaux"),
        ("fr", "réunion réunions l'réunion reunion"),
        ("fr", "d'aéroport aéroports"),
        ("es", "reunión reuniones reunion"),
        ("es", "gato gatos"),
        ("pt", "reunião reuniões"),
        ("pt", "irmã irmãs"),
    ],
)
def test_forms_of_a_word_share_a_stem_unique_to_the_language(code, forms):
    found = {LANGUAGES[code].stem(form) for form in forms.split()}

    assert len(found) == 1
    assert found.pop().startswith(f"{code}:")


def test_a_tilde_makes_another_word():
    assert LANGUAGES["es"].stem("año") != LANGUAGES["es"].stem("ano")


def test_foreign_stems_follow_the_english_ones():
    own = searchable_properties(
        "Wir haben zwei Katzen aus dem Tierheim.", speaker=None, stated_at=None, previous=None, keys=["pets"]
    )

    assert own["language"] == "de"
    assert own["terms"] == (" wir haben zwei katzen au dem tierheim pet de:zwei de:katz de:tierheim de:pet ")


def test_english_texts_have_only_english_stems():
    properties = searchable_properties(
        "Two cats of the shelter", speaker=None, stated_at=None, previous=None, keys=[]
    )

    assert properties["terms"] == spaced_stems("Two cats of the shelter") == " two cat shelter "
    assert properties["language"] == ""


def test_stop_words_of_its_language_are_removed_from_a_query():
    query = "Wann haben wir die Katzen aus dem Tierheim geholt?"

    assert content_words(query, LANGUAGES["de"]) == ["katzen", "tierheim", "geholt"]
    assert ParsedQuery(query).words == ["katzen", "tierheim", "geholt"]


def test_a_query_searches_english_and_foreign_stems():
    question = ParsedQuery("Wann haben wir die Katze und die Katzen aus dem Tierheim geholt?")

    assert question.stems == ["katz", "katzen", "tierheim", "geholt"]
    assert question.terms_of(["katz", "katzen", "tierheim"]) == {
        "katz": ["katz"], "katzen": ["katzen"], "tierheim": ["tierheim"], "de:katz": ["katz", "katzen"],
        "de:tierheim": ["tierheim"],
    }  # fmt: skip
    english = ParsedQuery("When did we get the cats?")
    assert english.terms_of(english.stems) == {stem: [stem] for stem in english.stems}


def test_each_language_has_its_label_and_its_index():
    statement = load("create_memories").text
    indexes = re.findall(
        r"INDEX (\w+) IF NOT EXISTS FOR \(n:(In\w+)\).*'fulltext.analyzer`?: '(\w+)'".replace(
            "'fulltext", "`fulltext"
        ),
        load("memories").text,
    )

    assert indexes == [(f"memory_text_{each.name}", each.label, each.name) for each in LANGUAGES.values()]
    for each in LANGUAGES.values():
        assert f"WHEN '{each.code}' THEN [1] ELSE [] END | SET memory:{each.label})" in statement
        assert f":{each.label}" in statement
