"""Checking messages: the fields stored with them, and the messages that a batch omits."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.capture.rules import validated, without_reasoning

MOMENT = datetime(2026, 3, 5, 7, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("said_at", "utc_offset"),
    [(MOMENT, 480), (MOMENT.astimezone(UTC), None), (MOMENT.replace(tzinfo=None), None), (None, None)],
)
def test_the_utc_offset_is_stored_with_the_time(said_at, utc_offset) -> None:
    """D21: a statement's day is the speaker's local one, though programs send times in any zone."""
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="Hello", said_at=said_at)])

    (message,) = validated(draft)[0].messages

    assert message.utc_offset == utc_offset
    assert message.said_at is None or message.said_at.utcoffset() == timedelta(0)


def checked(*messages: MessageDraft) -> tuple[list[str], list[tuple[int, str, bool]]]:
    """Return the stored texts, and the place, reason and partial storing of each omitted message."""
    draft, left_out = validated(CaptureDraft(conversation_id="c", messages=messages))
    return [each.content for each in draft.messages], [
        (each.place, each.reason, each.is_stored) for each in left_out
    ]


NO_TEXT = "content has no text"


@pytest.mark.parametrize(
    ("unfit", "reason"),
    [
        ({"content": ""}, NO_TEXT),
        ({"content": " \t\r\n\u3000"}, NO_TEXT),
        ({"content": "\0\0"}, NO_TEXT),
        ({"content": "\0 \n"}, NO_TEXT),
        ({"content": "\u200b\u200b"}, NO_TEXT),
        ({"content": "\u2060\ufeff"}, NO_TEXT),
        ({"content": "\u00ad"}, NO_TEXT),
        ({"content": "\u3164\u2800"}, NO_TEXT),
        ({"content": "\u00a0\u2003\u202e\u202c"}, NO_TEXT),
        ({"content": "\x01\x1b\x7f"}, NO_TEXT),
        ({"content": "<think></think>\u200b"}, "content has no text besides the reasoning"),
        ({"content": "<think>a</think> <think>b"}, "content has no text besides the reasoning"),
        ({"content": "[THINK]Which tea?[/THINK]"}, "content has no text besides the reasoning"),
        ({"content": "x", "speaker": ""}, "speaker must not be blank; leave it out instead"),
        ({"content": "x", "position": 2**40}, "position must be 0 to 2147483647, got 1099511627776"),
        ({"content": "<think>Which tea?</think>"}, "content has no text besides the reasoning"),
        ({"content": "<THINKING>\nWhich\n</THINKING>\n\n"}, "content has no text besides the reasoning"),
        ({"content": "<think>The user prefers"}, "content has no text besides the reasoning"),
        ({"content": "", "unreadable": "role: must be one of four"}, "role: must be one of four"),
        ({"content": "x", "id": " "}, "id must not be blank; leave it out instead"),
        ({"content": "x", "position": -1}, "position must be 0 to 2147483647, got -1"),
        ({"content": "x", "speaker": "a" * 513}, "speaker must have at most 512 characters, got 513"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_an_invalid_message_is_skipped_and_the_others_are_kept(unfit, reason) -> None:
    """Issue 35.3: the response gives the reason."""
    kept = MessageDraft(content="I prefer rooibos tea.", role="user")

    assert checked(MessageDraft(role="assistant", **unfit), kept) == (
        ["I prefer rooibos tea."],
        [(0, reason, False)],
    )


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        ("a\0b", "ab"),
        ("half a picture \ud83d", "half a picture \ufffd"),
        ("x" * 32_000, "x" * 32_000),
        ("<think>Tea?</think>\n\nTea.", "Tea."),
        ("Tea?\nSure.\n</think>\n\nTea.", "Tea."),
        ("First <think>a</think>then <think>b</think>last", "First then last"),
        ("It closes with `</think>` as a tag.", "It closes with `</think>` as a tag."),
        ("<think duration=3>Tea?</think>Tea.", "Tea."),
        ("<seed:think>Tea?</seed:think>Tea.", "Tea."),
        ("\u25c1think\u25b7Tea?\u25c1/think\u25b7Tea.", "Tea."),
        ("[THINK]Tea?[/THINK]Tea.", "Tea."),
        ("<think >Tea?</think >Tea.", "Tea."),
        ("[think] of tea", "[think] of tea"),
        ("<think of a tea>", "<think of a tea>"),
        ("Tea.\u200b", "Tea.\u200b"),
        ("\U0001f44d", "\U0001f44d"),
        ("...", "..."),
        ("\u0301", "\u0301"),
        ("Rare: <think> is a tag", "Rare: <think> is a tag"),
    ],
    ids=lambda value: value[:30],
)
def test_the_reasoning_of_an_assistant_is_not_stored(content, stored) -> None:
    """Issue 35.3: nor are characters that no text may contain."""
    assert checked(MessageDraft(content=content, role="assistant")) == ([stored], [])


def test_think_tags_in_a_persons_message_are_stored() -> None:
    """Issue 35.3."""
    asked = "Why does it print <think>hm</think>?"

    assert checked(MessageDraft(content=asked, role="user")) == ([asked], [])


def test_a_long_message_keeps_its_beginning_and_end() -> None:
    """Issue 35.3: the cut is deterministic and reported."""
    text = "".join(f"{number} " for number in range(20_000))
    stored, left_out = checked(MessageDraft(content=text, role="user"))

    assert stored == [f"{text[:16_000]}\n\n[… {len(text) - 32_000} characters …]\n\n{text[-16_000:]}"]
    assert left_out == [
        (0, f"content is too long: its first and last 16000 of {len(text)} characters are stored", True)
    ]


def test_tags_of_reasoning_are_read_in_one_pass() -> None:
    """N3: also if they are never closed."""
    text = "Well. " + "<think>" * 200_000

    assert without_reasoning(text, "assistant") == text


def test_long_messages_that_differ_in_the_middle_are_distinguished() -> None:
    """Issue 35.3: the hash of the original tells them apart."""
    texts = ["a" * 20_000 + middle + "b" * 20_000 for middle in "xy"]
    draft, _ = validated(
        CaptureDraft(conversation_id="c", messages=[MessageDraft(content=text) for text in texts])
    )

    one, other = draft.messages
    assert one.content == other.content
    assert one.whole_hash != other.whole_hash
