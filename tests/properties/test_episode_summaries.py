"""Episode summaries without a language model: they contain no message word for word (F3, F4)."""

from datetime import UTC, datetime

from hypothesis import example, given
from hypothesis import strategies as st

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.episodes.summarising import SUMMARY_CHARS, VERBATIM_WORDS, summary_and_omitted
from graph.core.text.language import words

_WORDS = st.sampled_from(
    "I like decided to use PostgreSQL because the Oslo train leaves kettle kettle my name is Ada tea, green coffee "
    "and was were topics topic sent message user. plan? 我喜欢 绿茶 上海的天气很好 决定用 朋友".split()
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=30).map(" ".join)
_MESSAGES = st.lists(
    st.builds(
        Message,
        id=st.just("m"),
        workspace_id=st.just("w"),
        conversation_id=st.just("c"),
        created_at=st.just(datetime(2026, 1, 1, tzinfo=UTC)),
        content=_TEXTS | st.text(max_size=200),
        role=st.sampled_from([None, *MessageRole]),
        speaker=st.sampled_from([None, "Ada", "小明"]),
    ),
    min_size=2,
    max_size=12,
)


def _runs(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[at : at + VERBATIM_WORDS]) for at in range(len(found) - VERBATIM_WORDS + 1)}


def _said(content: str) -> Message:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Message(id="m", workspace_id="w", conversation_id="c", created_at=at, content=content, role="user")


@given(_MESSAGES)
@example([_said("The topics were kettle, train. " * 3), _said("kettle train kettle train kettle train")])
@example([_said("red green blue yellow black white. " * 3)] * 2)
@example([_said("I Ada")] * 2)
@example([_said("绿茶、红茶、黑茶、白茶、花茶。" * 3)] * 2)
def test_a_summary_repeats_no_five_words_in_a_row_of_a_message(messages: list[Message]) -> None:
    summary, _ = summary_and_omitted(messages)

    quoted = [run for message in messages for run in _runs(message.content or "") & _runs(summary)]
    assert quoted == []
    assert len(summary) <= SUMMARY_CHARS
    # A name that is only mentioned may be a topic; a speaker's name may not.
    assert "Ada" not in summary or "Ada" not in {message.speaker for message in messages}
