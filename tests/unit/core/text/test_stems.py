"""Stems of English words."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from graph.core.text import language

ENDINGS = ("ing", "ed", "ations", "fully", "nesses", "izers")


@pytest.fixture
def _switching_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("_switching_often")
def test_threads_do_not_disturb_each_others_stems() -> None:
    """C1: the stemmer keeps its current word as state, and a wrong stem would be stored."""
    groups = [
        [f"{start}{middle}{ending}" for middle in ("act", "form", "connect") for ending in ENDINGS] * 40
        for start in ("re", "de", "con", "in")
    ]
    expected = [[language._stem.__wrapped__(word) for word in group] for group in groups]

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda group: [language._stem.__wrapped__(word) for word in group], groups))

    assert found == expected
