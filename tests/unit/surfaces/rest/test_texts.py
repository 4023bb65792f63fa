"""What the OpenAPI document calls blank is what the service refuses as blank."""

import re
import sys

from app.surfaces.http.shapes import SOMETHING


def test_a_text_is_blank_in_the_document_where_nothing_is_left_of_it_once_it_is_trimmed() -> None:
    """K20: separators such as U+001D are white space to Python, and none to ECMA's expressions."""
    something = re.compile(SOMETHING)
    told = {place for place in range(sys.maxunicode + 1) if something.search(chr(place))}
    left = {place for place in range(sys.maxunicode + 1) if chr(place).strip()}

    assert told == left
