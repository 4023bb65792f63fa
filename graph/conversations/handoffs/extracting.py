"""Handoff summaries without a language model: whole sentences, selected by content and position."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from graph.conversations.capture.models import Message
from graph.conversations.capture.statements import is_talk, message_sentences
from graph.conversations.episodes.models import Episode
from graph.conversations.handoffs.models import Handoff, HandoffLanguage, HandoffTopic
from graph.conversations.handoffs.sentences import (
    Sentence,
    decides,
    describes_user,
    is_done,
    is_informative,
    is_open,
    plans,
    prefers,
    spoken,
)
from graph.conversations.handoffs.wording import PHRASES, Phrases, primary_language
from graph.core.text.language import QUESTION_WORDS, STOP_WORDS, is_chinese, sentences, stems, words
from graph.core.text.summaries import extractive_summary
from graph.memories.changes.relative_times import text_time, with_day
from graph.memories.models import Memory, MemoryFacet, MemoryType

_QUOTED_CHARS = 240
_TOPIC_CHARS = 160
_FACT_CHARS = 500
_LONGEST_SENTENCE = 300
_MOST_ABOUT_USER = 4
_MOST_POINTS = 6
_MOST_DONE = 2
_MOST_OPEN = 6
_MOST_EARLIER = 3
_MOST_COMPARED = 200  # latest open tasks, and latest completed ones; each is compared with each
# Share of an open task's words, or Chinese characters, in a later sentence that reports completion.
_CLOSED, _CLOSED_ZH = 0.5, 0.8
_SPACE_AFTER_CHINESE = re.compile(r"(?<=[\u3002\uff01\uff1f]) ")
# Words without which two points still say the same.
_EMPTY = STOP_WORDS | QUESTION_WORDS | frozenset("user them also now".split())
_DENIAL = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|\w+n['\u2019]t|cannot)\b|[不没沒未别別]", re.IGNORECASE
)


@dataclass(frozen=True)
class HandoffSource:
    """Input of a summary.

    Attributes:
        messages: Messages in order.
        episodes: Episodes of older messages, newest first.
        memories: Facts extracted from the conversation, newest first.
    """

    title: str | None
    messages: Sequence[Message]
    episodes: Sequence[Episode]
    memories: Sequence[Memory]


def language_of(source: HandoffSource) -> HandoffLanguage:
    """Return the primary language of the messages, or of the episodes."""
    texts = [" ".join(message_sentences(each.content)) for each in source.messages if is_talk(each)]
    return primary_language(texts or [episode.summary for episode in source.episodes])


def extracted(source: HandoffSource, language: HandoffLanguage) -> Handoff:
    """Return the six sections from the sentences of the conversation; takes some milliseconds of CPU time."""
    return _Extraction(source, PHRASES[language]).handoff()


class _Extraction:
    """One summary; each fact appears in one section only."""

    def __init__(self, source: HandoffSource, phrases: Phrases) -> None:
        self._source = source
        self._phrases = phrases
        self._spoken = spoken(source.messages)
        self._statements = [
            each for each in self._spoken if each.states and len(each.text) <= _LONGEST_SENTENCE
        ]
        self._done = [(each.place, each.subject) for each in self._statements if is_done(each)][
            -_MOST_COMPARED:
        ]
        self._rendered: list[tuple[frozenset[str], bool]] = []

    def handoff(self) -> Handoff:
        """Return the sections; the order of the calls decides which section gets a sentence that fits several."""
        open_items = self._open_items()
        key_information = self._key_information()
        return Handoff(
            user_background=self._background(),
            project_topic=self._topic(),
            current_status=self._status(),
            key_information=[*key_information, *self._facts(), *self._earlier()],
            open_items=[each.rendered for each in open_items] + self._unanswered(),
            continuation_point=self._continuation(open_items),
        )

    # ----- user and topic -----
    def _background(self) -> list[str]:
        found = (each for each in self._statements if describes_user(each))
        return self._fresh((each.rendered for each in found), _MOST_ABOUT_USER)

    def _topic(self) -> str:
        title = " ".join((self._source.title or "").split())
        informative = [each for each in self._spoken if each.is_users and is_informative(each.text)]
        if not informative:
            return title or self._topic_of_episodes()
        if not title:
            first = [each for each in informative if each.place == informative[0].place]
            return _quoted(first, _TOPIC_CHARS)
        quoted = next((each for each in informative if each.asks), informative[0])
        return f"{title} (“{_quoted_sentence(quoted, _TOPIC_CHARS)}”)"

    def _topic_of_episodes(self) -> str:
        return _shortened(self._source.episodes[0].summary, _TOPIC_CHARS) if self._source.episodes else ""

    # ----- status and next step -----
    def _status(self) -> list[str]:
        done = [each for each in self._statements if is_done(each)][-_MOST_DONE:]
        status = self._fresh((each.rendered for each in done), _MOST_DONE)
        by_user, by_assistant = self._last(is_users=True), self._last(is_users=False)
        if by_user:
            question = next((each for each in reversed(by_user) if each.asks), None)
            phrase = self._phrases.last_question if question else self._phrases.last_statement
            status.append(phrase.format(_quoted_sentence(question) if question else _quoted(by_user)))
        if by_assistant:
            is_earlier = bool(by_user) and by_assistant[0].place < by_user[0].place
            phrase = self._phrases.answered_before if is_earlier else self._phrases.answered
            status.append(phrase.format(_quoted(by_assistant)))
        return status

    def _continuation(self, open_items: Sequence[Sentence]) -> str:
        last = self._last_informative()
        question = next((each for each in reversed(last) if each.asks), None)
        if last and last[0].is_users:
            return self._phrases.answer_it.format(_quoted_sentence(question) if question else _quoted(last))
        if question is not None:
            return self._phrases.await_answer.format(_quoted_sentence(question))
        if open_items:
            return self._phrases.go_on_with.format(open_items[0].rendered)
        return self._phrases.go_on_from.format(_quoted(last)) if last else ""

    def _last(self, *, is_users: bool) -> list[Sentence]:
        """Return the last informative message of the user or of the assistant."""
        return _last_message([each for each in self._spoken if each.is_users is is_users])

    def _last_informative(self) -> list[Sentence]:
        return _last_message(self._spoken)

    # ----- key information -----
    def _key_information(self) -> list[HandoffTopic]:
        phrases = self._phrases
        groups: Sequence[tuple[str, Callable[[Memory], bool], Callable[[Sentence], bool]]] = (
            (phrases.decisions, lambda memory: memory.type is MemoryType.DECISION, decides),
            (phrases.preferences, _is_preference, prefers),
            (phrases.plans, lambda memory: memory.facet is MemoryFacet.OBJECTIVE, plans),
        )
        found = (self._group(*group) for group in groups)
        return [topic for topic in found if topic.points]

    def _group(
        self, topic: str, holds: Callable[[Memory], bool], says: Callable[[Sentence], bool]
    ) -> HandoffTopic:
        remembered = (_remembered(memory) for memory in self._source.memories if holds(memory))
        latest_first = (
            each.rendered for each in reversed(self._statements) if says(each) and not describes_user(each)
        )
        return HandoffTopic(topic=topic, points=self._fresh([*remembered, *latest_first], _MOST_POINTS))

    def _facts(self) -> Iterator[HandoffTopic]:
        """Yield the remaining memories, and the most informative remaining statements."""
        remembered = [
            _remembered(memory)
            for memory in self._source.memories
            if memory.type is not MemoryType.DECISION
            and memory.facet is not MemoryFacet.OBJECTIVE
            and not _is_preference(memory)
        ]
        stated = "\n".join(each.rendered for each in self._statements if not is_open(each))
        chosen = sentences(extractive_summary(stated, most_chars=_FACT_CHARS)) if stated else []
        points = self._fresh([*remembered, *chosen], _MOST_POINTS)
        if points:
            yield HandoffTopic(topic=self._phrases.facts, points=points)

    def _earlier(self) -> Iterator[HandoffTopic]:
        summaries = [each.summary for each in reversed(self._source.episodes[:_MOST_EARLIER])]
        if summaries:
            yield HandoffTopic(topic=self._phrases.earlier, points=summaries)

    # ----- open items -----
    def _open_items(self) -> list[Sentence]:
        """Return the open tasks that no later sentence completes, the latest first."""
        found = (
            each
            for each in islice(filter(is_open, reversed(self._statements)), _MOST_COMPARED)
            if not self._is_closed(each) and self._fresh([each.rendered], 1)
        )
        return list(islice(found, _MOST_OPEN))

    def _is_closed(self, item: Sentence) -> bool:
        subject = item.subject
        closed = (_CLOSED_ZH if is_chinese(item.text) else _CLOSED) * len(subject)
        later = (other for place, other in self._done if place > item.place)
        return bool(subject) and any(len(subject & other) >= closed for other in later)

    def _unanswered(self) -> list[str]:
        """Return the questions of the last informative message, which nobody has answered."""
        return [
            self._phrases.unanswered.format(_quoted_sentence(each))
            for each in self._last_informative()
            if each.asks
        ][:_MOST_OPEN]

    def _fresh(self, points: Iterable[str], most: int) -> list[str]:
        """Return the first points that no section states yet, in these or other words."""
        fresh: list[str] = []
        for point in points:
            if len(fresh) == most:
                break
            held = _content_of(point)
            if not any(_is_same_content(held, other) for other in self._rendered):
                self._rendered.append(held)
                fresh.append(point)
        return fresh


def _last_message(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences of the last informative message, without polite phrases."""
    informative = [each for each in sentences if is_informative(each.text)]
    return [each for each in informative if each.place == informative[-1].place]


def _is_preference(memory: Memory) -> bool:
    return memory.type in {MemoryType.PREFERENCE, MemoryType.STYLE, MemoryType.HABIT}


def _content_of(point: str) -> tuple[frozenset[str], bool]:
    """Return the stems of a point's content words, and whether it contains a negation."""
    held = frozenset(stems(word for word in words(point) if word not in _EMPTY))
    return held, _DENIAL.search(point) is not None


def _is_same_content(one: tuple[frozenset[str], bool], other: tuple[frozenset[str], bool]) -> bool:
    """Tell whether the longer of two points contains all words of the shorter, with the same polarity."""
    shorter, longer = sorted((one[0], other[0]), key=len)
    return one[1] == other[1] and len(shorter) > 0 and shorter <= longer


def _quoted(sentences: Sequence[Sentence], most_chars: int = _QUOTED_CHARS) -> str:
    """Return sentences of one message in one line; relative times are followed by their day."""
    return with_day(_shortened("\n".join(each.text for each in sentences), most_chars), sentences[0].day)


def _quoted_sentence(sentence: Sentence, most_chars: int = _QUOTED_CHARS) -> str:
    return with_day(_shortened(sentence.text, most_chars), sentence.day)


def _remembered(memory: Memory) -> str:
    return with_day(_shortened(memory.content), text_time(memory))


def _shortened(text: str, most_chars: int = _QUOTED_CHARS) -> str:
    """Return the most informative sentences of a text in one line."""
    line = " ".join(extractive_summary(text, most_chars=most_chars).split())
    return _SPACE_AFTER_CHINESE.sub("", line)
