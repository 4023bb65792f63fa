"""A handoff summary as Markdown, ready to be pasted into another chat."""

from collections.abc import Iterator, Sequence

from graph.conversations.handoffs.languages import PHRASES, Phrases
from graph.conversations.handoffs.models import ConversationSummary, Handoff
from graph.core.text.prompts import as_data


def markdown(summary: ConversationSummary) -> str:
    """Return the six sections under their headings, in the language of the conversation."""
    phrases, handoff = PHRASES[summary.language], summary.handoff
    sections = (
        (phrases.user_background, _bullets(handoff.user_background)),
        (phrases.project_topic, [as_data(handoff.project_topic)] if handoff.project_topic else []),
        (phrases.current_status, _bullets(handoff.current_status)),
        (phrases.key_information, list(_topics(handoff))),
        (phrases.open_items, _bullets(handoff.open_items)),
        (
            phrases.continuation_point,
            [as_data(handoff.continuation_point)] if handoff.continuation_point else [],
        ),
    )
    parts = [
        f"# {phrases.title}",
        phrases.data_note,
        *(_section(heading, lines, phrases) for heading, lines in sections),
    ]
    return "\n\n".join(parts) + "\n"


def _section(heading: str, lines: Sequence[str], phrases: Phrases) -> str:
    return "\n".join([f"## {heading}", "", *(lines or [phrases.nothing])])


def _bullets(points: Sequence[str]) -> list[str]:
    return [f"- {as_data(point)}" for point in points]


def _topics(handoff: Handoff) -> Iterator[str]:
    for place, topic in enumerate(handoff.key_information):
        yield from ("",) if place else ()
        yield from (f"**{as_data(topic.topic)}**", "", *_bullets(topic.points))
