"""Language of a conversation, and the phrases of handoff summaries in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graph.conversations.handoffs.models import HandoffLanguage
from graph.core.tables import read_table
from graph.core.text.language import CJK, is_chinese, sentences
from graph.core.text.prompts import DATA_NOTE

_CJK = re.compile(f"[{CJK}]")
_WORD = re.compile(rf"[^\W\d_{CJK}]{{2,}}")


def primary_language(texts: Iterable[str]) -> HandoffLanguage:
    """Return Chinese where a conversation has more Chinese characters than words of other scripts, else English.

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
    asked_last: str
    said_last: str
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
