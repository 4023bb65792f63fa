"""Texts of message contents in the forms that chat programs send."""

from typing import Any

import pytest

from app.surfaces.proxy.dialects import text_of

PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,"}}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Tea.", "Tea."),
        ([{"type": "text", "text": "Tea"}, PICTURE, {"type": "text", "text": "and rye."}], "Tea\n\nand rye."),
        ([{"type": "input_text", "text": "Tea."}], "Tea."),
        ([{"type": "output_text", "text": "Tea."}], "Tea."),
        ([{"text": "Tea."}], "Tea."),
        (["Tea", "and rye."], "Tea\n\nand rye."),
        ({"type": "text", "text": "Tea."}, "Tea."),
        ([{"type": "text", "text": None}, {"type": "text", "text": "Tea."}], "Tea."),
        ([{"type": "thinking", "thinking": "Tea?"}, {"type": "text", "text": "Tea."}], "Tea."),
        ([PICTURE], ""),
        ([{"type": "tool_result", "content": "Tea."}], ""),
        ([{"type": "text", "text": 5}, 5, None, []], ""),
        (None, ""),
        (5, ""),
        ([], ""),
        ({}, ""),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_the_text_of_a_message_is_read_in_any_form(content: Any, text: str) -> None:
    """Issue 35.3: a content without text gives none, without an error."""
    assert text_of(content) == text
