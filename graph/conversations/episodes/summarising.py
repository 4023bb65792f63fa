"""Summaries of messages without a language model: the facts that the rules find, and the topics.

The summary outlives the deleted messages, so it must not quote them: it repeats no five consecutive words.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.capture.statements import is_participant, is_talk, message_sentences, names_of
from graph.conversations.episodes.writing import with_parts
from graph.conversations.extraction.facts import Category, Fact
from graph.conversations.extraction.reading import facts_in_message
from graph.core.text.language import (
    HAN,
    Specificity,
    contains_cjk,
    content_words,
    holds_pairs,
    is_chinese,
    stem,
    words,
)
from graph.core.text.normal_forms import simplified

SUMMARY_CHARS = 600
VERBATIM_WORDS = 5
"""Number of consecutive words of a message that count as a quotation."""
# One fewer than the words of a quotation, because the topics may be consecutive words of a message.
_MOST_TOPICS = 4
_MOST_TERMS = 3
_MOST_TERM_CHARS = 24
_SHORTEST_TERM = 3
_CAPITAL = re.compile(r"(?<=[\w,;] )[A-Z]\w+")
_HAN_RUN = re.compile(f"[{HAN}]+")
# Characters and words that separate Chinese content words: the text between two of them is a candidate topic.
_HAN_JOINTS = re.compile(
    "用户|助手|参与者|决定|选择|打算|计划|准备|喜欢|讨厌|觉得|认为|记住|谢谢|已经|今天|明天|昨天|时候|知道|"
    "[的了是我你他她它们在和与就也都不没很太还又会要去来到说想能可以有个这那哪什么怎样吗呢吧啊把被给对从跟让做上下里着过得地"
    "请帮好为多少几些但所因如果每住叫最更真别并而或者一二三两喝吃用看]"
)
_SHORTEST_HAN, _LONGEST_HAN = 2, 4
# Words of any conversation and words that state facts, none of which is a topic; compared by stem.
_OF_NO_TOPIC = frozenset(
    stem(word)
    for word in (
        "user assistant said say says tell told like likes love loves prefer prefers use uses used using "
        "decided decide want wants plan plans need needs never always usually often one two three thing "
        "things something anything really great good nice cool awesome amazing wonderful lovely wow hey hello "
        "thanks thank yeah yes okay sure sorry please also just still even much many more most very too well "
        "got get gets going know think see look make made time day today yesterday tomorrow again only first "
        "last new now here out all any some than them him her let help keep feel feeling lot way glad happy "
        "definitely absolutely actually maybe sounds super totally"
    ).split()
)
_COUNTED: Mapping[Category, tuple[str, str]] = {
    Category.PREFERENCE: ("preference", "偏好"),
    Category.DECISION: ("decision", "决定"),
    Category.PLAN: ("plan", "计划"),
}


def summary_and_omitted(
    messages: Sequence[Message], specificity: Specificity = lambda _: 1.0
) -> tuple[str, frozenset[str]]:
    """Return a summary of messages, and the ids of messages with facts that it omits.

    The summary is one paragraph in the messages' main language, at most 600 characters. It states the facts that the
    rules find, in the third person, unless that would quote a message. It counts preferences, decisions and plans that
    it cannot state, each kind with its most informative words, and names the topics. Roles replace the speakers' names.
    It is empty if there is neither a fact nor a topic.
    """
    talk = _Talk(messages, specificity)
    join = "" if talk.is_mostly_chinese else " "
    summary, stated = "", set[str]()
    for part, keys in talk.parts():
        longer = f"{summary}{join}{part}" if summary else part
        if len(longer) <= SUMMARY_CHARS and talk.has_no_quotation(longer):
            summary = longer
            stated |= keys
    return summary, frozenset(id_ for key, ids in talk.stated_by.items() if key not in stated for id_ in ids)


@dataclass(frozen=True)
class _Stated:
    """Facts of one kind: their number, most informative words and keys."""

    kind: tuple[str, str]
    count: int
    terms: Sequence[str]
    keys: frozenset[str]


class _Talk:
    """Messages of a summary, with their facts and topics."""

    def __init__(self, messages: Sequence[Message], specificity: Specificity) -> None:
        self._all = messages
        self._messages = [message for message in messages if is_talk(message)]
        self._specificity = specificity
        self._word_runs = _runs(word for message in messages for word in [*words(message.content or ""), ""])
        self._speakers = names_of(messages)
        self._names = {form for name in self._speakers for word in words(name) for form in (word, stem(word))}

    @property
    def is_mostly_chinese(self) -> bool:
        chinese = sum(is_chinese(message.content or "") for message in self._messages)
        return chinese * 2 > len(self._messages)

    def has_no_quotation(self, text: str) -> bool:
        """Tell whether a text contains no five consecutive words of a message."""
        return not _runs(words(text)) & self._word_runs

    def parts(self) -> list[tuple[str, frozenset[str]]]:
        """Return the sentences of a summary, each with the keys of the facts that it states or counts."""
        end = "。" if self.is_mostly_chinese else "."
        parts = [(f"{text}{end}", frozenset({key})) for key, text in self._statable.items()]
        if self._counted:
            stated = self._in_chinese() if self.is_mostly_chinese else self._in_english()
            parts.append((stated, frozenset().union(*(each.keys for each in self._counted))))
        if topics := self._topics:
            head = "The topic was" if len(topics) == 1 else "The topics were"
            named = (
                f"话题：{'、'.join(topics)}。" if self.is_mostly_chinese else f"{head} {', '.join(topics)}."
            )
            parts.append((named, frozenset()))
        return parts

    def _in_english(self) -> str:
        who = "Participants" if self._has_participants else "The user"
        return f"{who} stated {_and([_english(each) for each in self._counted])}."

    def _in_chinese(self) -> str:
        who = "参与者" if self._has_participants else "用户"
        return f"{who}提到 {'、'.join(map(_chinese, self._counted))}。"

    @property
    def _has_participants(self) -> bool:
        return all(map(is_participant, self._messages))

    @cached_property
    def _topics(self) -> list[str]:
        """Most frequent and informative words; if none repeats, the rarest."""
        spelled: dict[str, str] = {}
        counts: Counter[str] = Counter()
        for message in self._messages:
            text = " ".join(message_sentences(message.content))
            for term in self._terms(text):
                spelled.setdefault(stem(term.lower()), term)
                counts[stem(term.lower())] += 1
        repeated = Counter({term: count for term, count in counts.items() if count > 1})
        # A name that occurs once is no topic.
        once = Counter({term: 1 for term in counts if spelled[term].islower() or contains_cjk(term)})
        chosen = repeated or once
        ranked = sorted(chosen, key=lambda term: -chosen[term] * self._specificity(spelled[term].lower()))
        return [spelled[term] for term in ranked[:_MOST_TOPICS]]

    @cached_property
    def _found(self) -> list[tuple[Message, list[Fact]]]:
        """Facts that people state, by message."""
        return [
            (
                message,
                facts_in_message(
                    message.content or "", role=message.role, speaker=message.speaker, day=message.day
                ),
            )
            for message in self._messages
            if message.role is not MessageRole.ASSISTANT
        ]

    @property
    def stated_by(self) -> Mapping[str, set[str]]:
        """Ids of the messages that state each fact, by its key."""
        found: dict[str, set[str]] = {}
        for message, facts in self._found:
            for fact in facts:
                found.setdefault(fact.key, set()).add(message.id)
        return found

    @cached_property
    def _facts(self) -> list[tuple[Fact, str]]:
        """Distinct facts, each with its text after roles have replaced the names."""
        facts = {fact.key: fact for _, found in self._found for fact in found}
        return [(fact, with_parts(fact.content, self._all)) for fact in facts.values()]

    @cached_property
    def _statable(self) -> Mapping[str, str]:
        """Facts that can be stated without a quotation and without a speaker's name, by key."""
        return {
            fact.key: f"{text[0].upper()}{text[1:]}"
            for fact, text in self._facts
            if self.has_no_quotation(text) and not self._names_a_speaker(text)
        }

    @cached_property
    def _counted(self) -> list[_Stated]:
        """Remaining preferences, decisions and plans; other facts are personal, and the summary omits them."""
        groups: dict[tuple[str, str], list[Fact]] = {}
        for fact, _ in self._facts:
            if fact.category in _COUNTED and fact.key not in self._statable:
                groups.setdefault(_COUNTED[fact.category], []).append(fact)
        return [
            _Stated(
                kind,
                len(groups[kind]),
                self._informative(groups[kind]),
                frozenset(fact.key for fact in groups[kind]),
            )
            for kind in _COUNTED.values()
            if kind in groups
        ]

    def _informative(self, facts: Iterable[Fact]) -> list[str]:
        """Return the rarest word of each fact."""
        rarest = (
            max(terms, key=lambda term: self._specificity(term.lower()))
            for fact in facts
            if (terms := list(self._terms(fact.content)))
        )
        return list({term.lower(): term for term in rarest}.values())[:_MOST_TERMS]

    def _terms(self, text: str) -> Iterator[str]:
        """Yield the candidate topics of a text; proper names keep their capitals."""
        plain = " ".join(word for word in text.split() if not _is_address_or_number(word))
        if contains_cjk(plain):
            for run in _HAN_RUN.findall(plain):
                yield from (
                    part
                    for part in _parts(run)
                    if _SHORTEST_HAN <= len(part) <= _LONGEST_HAN and not self._names_a_speaker(part)
                )
        capitals = {name.lower(): name for name in _CAPITAL.findall(plain)}
        for word in content_words(plain):
            if self._is_term(word):
                yield capitals.get(word, word)

    def _names_a_speaker(self, text: str) -> bool:
        return any(name in text for name in self._speakers)

    def _is_term(self, word: str) -> bool:
        return (
            not holds_pairs(word)
            and _SHORTEST_TERM <= len(word) <= _MOST_TERM_CHARS
            and "'" not in word
            and stem(word) not in _OF_NO_TOPIC
            and not any(name.startswith(word) or name == stem(word) for name in self._names)
        )


def _parts(run: str) -> Iterator[str]:
    """Yield the parts of a run of Chinese characters between separators; both scripts are read."""
    start = 0
    for joint in _HAN_JOINTS.finditer(simplified(run)):
        yield run[start : joint.start()]
        start = joint.end()
    yield run[start:]


def _is_address_or_number(word: str) -> bool:
    return "@" in word or any(character.isdigit() for character in word)


def _runs(all_words: Iterable[str]) -> set[tuple[str, ...]]:
    """Return all sequences of five consecutive words; an empty word ends a sequence."""
    found: set[tuple[str, ...]] = set()
    row: list[str] = []
    for word in all_words:
        row = [*row[-VERBATIM_WORDS + 1 :], word] if word else []
        if len(row) == VERBATIM_WORDS:
            found.add(tuple(row))
    return found


def _english(stated: _Stated) -> str:
    terms = f" ({', '.join(stated.terms)})" if stated.terms else ""
    return f"{_number(stated.count, stated.kind[0])}{terms}"


def _chinese(stated: _Stated) -> str:
    terms = f"\uff08{'、'.join(stated.terms)}\uff09" if stated.terms else ""
    return f"{stated.count} 项{stated.kind[1]}{terms}"


def _number(count: int, noun: str) -> str:
    return f"1 {noun}" if count == 1 else f"{count} {noun}s"


def _and(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
