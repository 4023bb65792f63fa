"""Which language a conversation is in, and how handoff summaries are worded in it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graph.conversations.handoffs.models import HandoffLanguage
from graph.core.tables import read_table
from graph.core.text.prompts import DATA_NOTE

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_OTHER_CJK = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")  # kana and hangul: neither is Chinese
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]{2,}")
_LEAST_SHARE_OF_OTHERS = 0.1


def primary_language(texts: Iterable[str]) -> HandoffLanguage:
    """Return Chinese where a conversation has more Chinese characters than words of other scripts, else English.

    >>> primary_language(["用 React 写一个页面", "好的，我来写。"])
    <HandoffLanguage.CHINESE: 'zh'>
    """
    han = others = words = 0
    for text in texts:
        han += len(_HAN.findall(text))
        others += len(_OTHER_CJK.findall(text))
        words += len(_WORD.findall(text))
    is_chinese = han > words and others <= _LEAST_SHARE_OF_OTHERS * han
    return HandoffLanguage.CHINESE if is_chinese else HandoffLanguage.ENGLISH


@dataclass(frozen=True)
class Phrases:
    """The words that a summary is put together with; ``{}`` is what was said."""

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
