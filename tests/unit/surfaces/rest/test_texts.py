"""Blank texts, on which the OpenAPI document and the service agree."""

import re
import sys

import pytest

from app.surfaces.http.shapes import NOT_BLANK
from graph.core.errors import InvalidInput
from graph.core.text.checks import filled, short_text
from graph.core.text.normal_forms import is_blank


def test_the_document_excludes_invisible_texts() -> None:
    """K20: separators such as U+001D are white space in Python, but not in ECMA's regular expressions."""
    something = re.compile(str(NOT_BLANK["pattern"]))
    told = {place for place in range(sys.maxunicode + 1) if something.search(chr(place))}
    shown = {place for place in range(sys.maxunicode + 1) if not is_blank(chr(place))}

    assert told == shown
    assert all(chr(place).strip() for place in shown)


@pytest.mark.parametrize(
    "text", ["", " \t", "\u200b", "\ufeff", "\u00ad\u2060", "\x01\x1b", "\u3164", "\u2800 "]
)
def test_an_invisible_text_is_refused(text: str) -> None:
    """Issue 35.3: as a name, as a query and as content."""
    with pytest.raises(InvalidInput, match="must not be blank"):
        short_text("name", text)
    with pytest.raises(InvalidInput, match="must have at least 1 character"):
        filled("content", text)
