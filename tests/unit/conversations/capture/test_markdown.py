"""A conversation as Markdown, for reading and copying."""

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.capture.models import Message
from graph.conversations.capture.statements import markdown


def test_a_conversation_is_read_as_markdown() -> None:
    """D7."""
    said_at = datetime(2026, 1, 1, tzinfo=UTC)
    base = Message(id="1", workspace_id="w", conversation_id="c", created_at=said_at)
    lines = [
        base.model_copy(update={"content": "- a\n- b", "speaker": "Ada", "role": "user"}),
        base.model_copy(update={"content": "Fine", "role": "assistant"}),
        base.model_copy(update={"content": "Hm"}),
    ]

    assert markdown(lines) == "### Ada\n\n- a\n- b\n\n### Assistant\n\nFine\n\n### Unknown\n\nHm"


def test_other_speakers_are_shown_with_their_role() -> None:
    """D7: a copy can be imported again unchanged."""
    base = Message(id="1", workspace_id="w", conversation_id="c", content="Hm", created_at=datetime.now(UTC))
    lines = [
        base.model_copy(update={"speaker": "Ada\n Byron", "role": "user"}),
        base.model_copy(update={"speaker": "Engine", "role": "assistant"}),
        base.model_copy(update={"speaker": "assistant", "role": "assistant"}),
    ]

    speakers = [line for line in markdown(lines).splitlines() if line.startswith("###")]
    assert speakers == ["### Ada Byron", "### Engine (assistant)", "### assistant"]


@given(
    contents=st.lists(
        st.lists(st.sampled_from(["### Ada", "\\### Ada", "###\tx", "## Step 1", "####", "\\", "a", ""])).map(
            "\n".join
        ),
        min_size=1,
        max_size=5,
    )
)
def test_headings_in_a_message_are_not_read_as_speakers(contents) -> None:
    """D7: removing one backslash restores each message."""
    base = Message(id="1", workspace_id="w", conversation_id="c", role="user", created_at=datetime.now(UTC))
    text = markdown([base.model_copy(update={"content": content}) for content in contents])

    _, *parts = re.split(r"^### User\n\n", text, flags=re.MULTILINE)
    read = [re.sub(r"^\\(?=\\*###[ \t])", "", part, flags=re.MULTILINE) for part in parts]
    assert [part.removesuffix("\n\n") for part in read[:-1]] + read[-1:] == contents
    assert not any(re.search(r"^###[ \t]", part, re.MULTILINE) for part in parts)
