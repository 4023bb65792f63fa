"""Sentences of a conversation, rendered in the third person and classified."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from graph.conversations.capture.models import Message, MessageRole
from graph.conversations.capture.statements import (
    addresses_somebody,
    is_participant,
    is_talk,
    message_sentences,
    names_of,
)
from graph.conversations.extraction.phrasing import (
    ASSISTANT,
    PARTICIPANT,
    USER,
    USER_ZH,
    render_sentence,
    speaks_of_itself,
    third_person_zh,
)
from graph.core.tables import read_table
from graph.core.text.language import HAN, content_words, is_chinese, is_question, stems, word_count
from graph.core.text.normal_forms import simplified
from graph.memories.changes.relative_times import made_absolute, with_day
from graph.memories.models import MemoryType
from graph.memories.saving.classification import classify

_PATTERNS = read_table("graph.conversations.handoffs", "patterns.toml")


def _either(name: str) -> re.Pattern[str]:
    english, chinese = _PATTERNS[name]["english"], _PATTERNS[name]["chinese"]
    return re.compile(rf"\b(?:{english})|{chinese}", re.IGNORECASE)


_MARKS = ",.!;:\u2013\u2014~\u2026\u3001\u3002\uff0c\uff01\uff1b\uff1a"
POLITE_OPENING = re.compile(
    rf"(?:(?:(?:{_either('greeting').pattern})|(?:{_either('courtesy').pattern})[^{_MARKS}]*+)[\s{_MARKS}]*+)*+",
    re.IGNORECASE,
)
"""Polite opening of a sentence; matches the empty string if there is none."""
WHO = _either("who")
INTRODUCED = re.compile(
    r"(?i:i'm|i am|this is|call me|my name(?:'s| is)) [A-Z][\w'-]+(?: [A-Z][\w'-]+)*\W*|(?:我[是叫]|叫我).{2,4}",
    re.DOTALL,
)
"""A whole sentence in which a person states only their name."""
DECIDED = _either("decided")
SUPPOSED = re.compile(r"(?:if|unless|suppose)\b", re.IGNORECASE)
PLANNED = _either("planned")
PREFERRED = _either("preferred")
INSTRUCTION = re.compile(
    r"(?:do not|don't|never|always|act|add|answer|assume|change|continue|consider|convert|create|describe|elaborate|"
    r"ensure|explain|fix|follow|format|generate|give|help|ignore|imagine|include|keep|"
    r"let(?!'s (?:go with|use|take)\b)|list|make|must|now|pretend|provide|"
    r"remove|respond|rewrite|show|summari[sz]e|tell|translate|use|write)\b|请|帮|给我|写|翻译|解释|总结|不要",
    re.IGNORECASE,
)
"""Beginning of a sentence that instructs the assistant."""
SMALL_TALK = re.compile(
    r"I(?:'m| am) (?:\w+ )?(?:glad|happy|sorry|here)\b|I (?:\w+ )?(?:understand|see|love|like|apologi[sz]e|hope)\b|"
    r"(?:here|below) (?:is|are)\b|feel free\b|我(?:理解|明白|很高兴|希望)",
    re.IGNORECASE,
)
"""Beginning of an assistant's sentence without information."""
DUTY = _either("duty")
OPEN = _either("open")
DONE = _either("done")
NEGATED = _either("negated")
UNFINISHED = _either("unfinished")
CLAUSE = _either("clause")


_END_MARKS = ".!;:\u3002\uff01\uff1b\uff1a"
_FEWEST_WORDS = 3
_MOST_ENTRY_WORDS = 12  # words of a list entry
_CLAUSE_CHARS = 80  # read of a clause, before the word that reports something as done
_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f", "\uff1a")
_COLONS = ":\uff1a"
_NUMBER = re.compile(r"\d{1,3}[.)]?")
_OF_ANY_TASK = frozenset(stems("need still must should have todo remember forget pending yet".split()))
_OF_ANY_TASK_ZH = frozenset("的了吗呢吧我们你他她它在把给去一下个先再也都就要还已经好完成")
_HAN_OR_WORD = re.compile(f"[{HAN}]|[a-z0-9]+")


@dataclass(frozen=True)
class Speakers:
    """Names of speakers by role in one language."""

    user: str
    assistant: str
    participant: str


_ENGLISH_SPEAKERS = Speakers(USER, ASSISTANT, PARTICIPANT)
_CHINESE_SPEAKERS = Speakers(USER_ZH, "助手", "参与者")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a message.

    Attributes:
        text: Verbatim text.
        rendered: Text that names its speaker by role, with roles in place of names and dates in place of relative
            times.
        is_users: Whether a person wrote it, rather than the assistant.
        place: Index of its message in the input.
        day: Day of its message.
    """

    text: str
    rendered: str
    is_users: bool
    place: int
    day: date

    @property
    def asks(self) -> bool:
        """True if the sentence is a question."""
        return is_question(self.text)

    @property
    def states(self) -> bool:
        """True if the sentence is a statement that is understandable on its own."""
        empty = INSTRUCTION if self.is_users else SMALL_TALK
        is_content = not empty.match(_without_politeness(_plain(self.text))) and not self.text.endswith(
            (":", "：")
        )
        addresses_nobody = not self.asks and not addresses_somebody(self.text)
        is_full = is_informative(self.text) or (self.is_users and introduces(self.text))
        return is_content and addresses_nobody and is_full

    @property
    def subject(self) -> frozenset[str]:
        """Stems of its content words, or characters of a Chinese sentence, without words of every task."""
        if not is_chinese(self.text):
            return frozenset(stems(content_words(self.text))) - _OF_ANY_TASK
        plain = DUTY.sub("", OPEN.sub("", _plain(self.text)))
        return frozenset(_HAN_OR_WORD.findall(plain.lower())) - _OF_ANY_TASK_ZH


def spoken(messages: Sequence[Message]) -> list[Sentence]:
    """Return the sentences of people and the assistant, in order."""
    names = names_of(messages)
    return [
        sentence
        for place, message in enumerate(messages)
        if is_talk(message)
        for sentence in _sentences(message, place, names)
    ]


def is_informative(text: str) -> bool:
    """Tell whether a sentence has at least three words beside a polite opening."""
    return word_count(_without_politeness(_plain(text))) >= _FEWEST_WORDS


def introduces(text: str) -> bool:
    """Tell whether a sentence only introduces its speaker by name."""
    return INTRODUCED.fullmatch(_without_politeness(_plain(text)).rstrip(_END_MARKS)) is not None


def describes_user(sentence: Sentence) -> bool:
    """Tell whether a person describes themselves or their situation."""
    return sentence.is_users and bool(WHO.search(_plain(sentence.text)))


def decides(sentence: Sentence) -> bool:
    """Tell whether a sentence states a decision."""
    text = _plain(sentence.text)
    return _says(DECIDED, text) or (
        classify(text)[0] is MemoryType.DECISION and not SUPPOSED.match(text) and not DECIDED.search(text)
    )


def plans(sentence: Sentence) -> bool:
    """Tell whether a person states a plan."""
    return sentence.is_users and bool(PLANNED.search(_plain(sentence.text)))


def prefers(sentence: Sentence) -> bool:
    """Tell whether a person states a preference or a habit."""
    text = _plain(sentence.text)
    is_preference = classify(text)[0] in {MemoryType.PREFERENCE, MemoryType.STYLE, MemoryType.HABIT}
    return sentence.is_users and (is_preference or bool(PREFERRED.search(text)))


def is_done(sentence: Sentence) -> bool:
    """Tell whether a sentence reports something as done."""
    text = _plain(sentence.text)
    return not NEGATED.search(text) and _says(DONE, text)


def is_open(sentence: Sentence) -> bool:
    """Tell whether a sentence names an open task; an assistant's "should" may be general advice and does not count."""
    text = _plain(sentence.text)
    is_left = OPEN.search(text) or (sentence.is_users and DUTY.search(text))
    return bool(is_left) and not is_done(sentence)


def _says(reported: re.Pattern[str], text: str) -> bool:
    """Tell whether a clause reports an event, rather than its possibility, plan or condition."""
    for found in reported.finditer(text):
        clause = CLAUSE.split(text[max(0, found.start() - _CLAUSE_CHARS) : found.start()])[-1]
        if not UNFINISHED.search(clause):
            return True
    return False


def _sentences(message: Message, place: int, names: Sequence[str]) -> Iterator[Sentence]:
    for text in _with_their_lists(message_sentences(message.content)):
        yield Sentence(
            text=text,
            rendered=with_day(_rendered(made_absolute(text, message.day).text, message, names), message.day),
            is_users=message.role is not MessageRole.ASSISTANT,
            place=place,
            day=message.day,
        )


def _with_their_lists(texts: Iterable[str]) -> Iterator[str]:
    """Yield sentences; join a heading of open items with its entries: "Still open: the venue; the budget"."""
    heading: list[str] = []
    for text in texts:
        if heading and _NUMBER.fullmatch(text):
            continue
        if heading and not text.endswith(_ENDS) and word_count(text) <= _MOST_ENTRY_WORDS:
            heading.append(text)
            continue
        yield from _joined(heading)
        is_short = text.endswith(tuple(_COLONS)) or word_count(text) < _FEWEST_WORDS
        is_heading = is_short and OPEN.search(_plain(text)) is not None
        heading = [text] if is_heading else []
        if not is_heading:
            yield text
    yield from _joined(heading)


def _joined(heading: Sequence[str]) -> Iterator[str]:
    if not heading:
        return
    colon, between, space = ("\uff1a", "\uff1b", "") if is_chinese("".join(heading)) else (":", "; ", " ")
    first, *entries = heading
    yield f"{first.rstrip(_COLONS)}{colon}{space}{between.join(entries)}" if entries else first


def _rendered(text: str, message: Message, names: Sequence[str]) -> str:
    """Return a sentence that names its speaker by role, as the subject or before a quotation."""
    bare = (_without_politeness(text) or text).rstrip(_END_MARKS)
    if is_chinese(bare):
        return f"{_rendered_in_chinese(bare, message)}\u3002"
    others = [name for name in names if name != message.speaker]
    rendered = render_sentence(_without_names(bare, others), _speaker_of(message, _ENGLISH_SPEAKERS))
    end = "\u3002" if text.endswith("\u3002") else "."
    return f"{rendered[:1].upper()}{rendered[1:]}{end}"


def _rendered_in_chinese(text: str, message: Message) -> str:
    speaker = _speaker_of(message, _CHINESE_SPEAKERS)
    if message.role is MessageRole.ASSISTANT and speaks_of_itself(text):
        return f"{speaker}说{text.replace('我', '自己')}"
    return third_person_zh(text, speaker)


def _speaker_of(message: Message, speakers: Speakers) -> str:
    if message.role is MessageRole.ASSISTANT:
        return speakers.assistant
    return speakers.participant if is_participant(message) else speakers.user


def _without_names(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = re.sub(rf"\b{re.escape(name)}\b", "a participant", text)
    return text


def _plain(text: str) -> str:
    return simplified(text.replace("\u2019", "'"))


def _without_politeness(plain: str) -> str:
    """Return the text after a greeting, an assent or thanks; empty if there is none."""
    return POLITE_OPENING.sub("", plain, count=1)
