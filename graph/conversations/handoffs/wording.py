"""Language, phrases and Markdown of handoff summaries."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graph.conversations.handoffs.models import ConversationSummary, Handoff, HandoffLanguage
from graph.core.tables import read_table
from graph.core.text.language import CJK, is_chinese, sentences
from graph.core.text.prompts import DATA_NOTE, as_data

_CJK = re.compile(f"[{CJK}]")
_WORD = re.compile(rf"[^\W\d_{CJK}]{{2,}}")


def primary_language(texts: Iterable[str]) -> HandoffLanguage:
    """Return Chinese if the texts have more Chinese characters than words of other scripts, else English.

    Each character of a Japanese or Korean sentence counts as a word of another script.

    >>> primary_language(["用 React 写一个页面", "好的，我来写。"])
    <HandoffLanguage.CHINESE: 'zh'>
    """
    chinese = others = 0
    for sentence in (sentence for text in texts for sentence in sentences(text)):
        characters = len(_CJK.findall(sentence))
        others += len(_WORD.findall(sentence))
        if is_chinese(sentence):
            chinese += characters
        else:
            others += characters
    return HandoffLanguage.CHINESE if chinese > others else HandoffLanguage.ENGLISH


@dataclass(frozen=True)
class Phrases:
    """Phrases of a summary; ``{}`` is the quoted text."""

    title: str
    user_background: str
    project_topic: str
    current_status: str
    key_information: str
    open_items: str
    continuation_point: str
    nothing: str
    decisions: str
    plans: str
    preferences: str
    facts: str
    earlier: str
    last_question: str
    last_statement: str
    answered: str
    answered_before: str
    unanswered: str
    answer_it: str
    await_answer: str
    go_on_with: str
    go_on_from: str
    data_note: str = DATA_NOTE


PHRASES = {
    HandoffLanguage(name): Phrases(**phrases)
    for name, phrases in read_table("graph.conversations.handoffs", "phrases.toml").items()
}


def markdown(summary: ConversationSummary) -> str:
    """Return a summary as Markdown for another chat: six sections with headings in the summary's language."""
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
