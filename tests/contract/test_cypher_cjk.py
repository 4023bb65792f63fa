"""The definition of Chinese, Japanese and Korean characters, equal in queries and engine."""

import re
from importlib.resources import files

from graph.core.text.language import contains_cjk

_CLASS = re.compile(r"\[\\u[^]]+\]")
_EVERY_CHARACTER = [chr(code) for code in range(0x10000)]  # the ranges have four digits


def test_the_fragment_and_the_engine_detect_the_same_characters() -> None:
    fragment = files("cypher").joinpath("fragments", "text_has_cjk.cypher").read_text(encoding="utf-8")
    (characters,) = _CLASS.findall(fragment)

    in_queries = set(filter(re.compile(characters).match, _EVERY_CHARACTER))
    assert in_queries == set(filter(contains_cjk, _EVERY_CHARACTER))
    assert {"茶", "か", "차"} <= in_queries
