"""``recollect doctor`` on a store in languages that its embedding model does not read."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.cli import examination
from app.cli.doctor import CheckState, Finding
from tests.fixtures.twenty_languages import SENTENCES

NINE_IN_TEN = [*SENTENCES["en"], *SENTENCES["en"][:4]]
DATABASE = cast("Any", None)


@pytest.fixture
def store(monkeypatch):
    """Return a function that fills a store with texts whose vectors come from a model."""

    def filled(signature: str | None, texts: list[str]) -> None:
        async def find_indexes(_database):
            return signature and SimpleNamespace(active=SimpleNamespace(signature=signature))

        async def sampled_texts(_database):
            return texts

        monkeypatch.setattr(examination, "find_indexes", find_indexes)
        monkeypatch.setattr(examination, "sampled_texts", sampled_texts)

    return filled


async def test_a_tenth_in_other_languages_is_reported_with_the_remedy(store) -> None:
    """Issue 39: it is not a fault of the machine."""
    store("transformers:all-MiniLM-L6-v2:384", [*NINE_IN_TEN, SENTENCES["ru"][0]])

    assert await examination._languages(DATABASE) == Finding(
        "Languages",
        CheckState.MISSING,
        "10% of the memories are in languages that transformers:all-MiniLM-L6-v2:384 does not read",
        "`recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4`",
        needed=False,
    )


@pytest.mark.parametrize(
    ("signature", "texts"),
    [
        ("transformers:all-MiniLM-L6-v2:384", [*NINE_IN_TEN, *NINE_IN_TEN, SENTENCES["ru"][0]]),
        ("local:multilingual-e5-small-q4:384", list(SENTENCES["ru"])),
        ("remote:openai/text-embedding-3-small:1536", list(SENTENCES["ru"])),
        (None, list(SENTENCES["ru"])),
    ],
    ids=["one of nineteen", "a multilingual model", "a remote model", "no vectors yet"],
)
async def test_nothing_is_reported_if_the_model_fits_the_languages(store, signature, texts) -> None:
    store(signature, texts)

    assert await examination._languages(DATABASE) is None
