"""Texts that an English model cannot embed well, by script or words."""

import pytest

from graph.core.text.detection import foreign_share, is_foreign
from tests.fixtures.twenty_languages import SENTENCES

TOLD_APART = [language for language in SENTENCES if language not in {"en", "pl", "tr", "vi"}]


@pytest.mark.parametrize("language", TOLD_APART)
def test_another_language_is_foreign_and_english_is_not(language: str) -> None:
    """Issue 39: by their script, or in Latin script by their words."""
    assert list(map(is_foreign, SENTENCES[language])) == [True] * 5
    assert list(map(is_foreign, SENTENCES["en"])) == [False] * 5


@pytest.mark.parametrize(
    "text",
    [
        "",
        "42",
        "def f(x: int) -> int:\n    return x ** 2  # squared",
        "The café in 北京 opens at nine",
        "https://example.org/a/b?c=d",
    ],
)
def test_unclear_texts_are_not_foreign(text: str) -> None:
    assert not is_foreign(text)


def test_the_share_counts_texts() -> None:
    assert foreign_share([]) == 0
    assert foreign_share([*SENTENCES["en"], *SENTENCES["en"][:4], SENTENCES["zh"][0]]) == 0.1
