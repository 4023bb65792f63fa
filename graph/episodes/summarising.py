"""Summaries of turns without a language model: what was stated, in the third person, roles over names (F3)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from graph.conversations.models import Message, MessageRole
from graph.recall.language import STOP_WORDS, contains_cjk, content_words, is_question, sentences, words
from graph.remembering.summaries import extractive_summary

SUMMARY_CHARS = 600
_SENTENCE_CHARS = 240
_FEWEST_WORDS = 3
_MOST_TOPICS = 6
# "They" of one person needs no other verb than "I", but for these.
_THIRD_PERSON = (
    (r"I\s+am|I['\u2019]m", "they are"),
    (r"I\s+was", "they were"),
    (r"I['\u2019]ve", "they have"),
    (r"I['\u2019]ll", "they will"),
    (r"I['\u2019]d", "they would"),
    (r"I|we", "they"),
    (r"my|our", "their"),
    (r"mine|ours", "theirs"),
    (r"me|us", "them"),
    (r"myself|ourselves", "themselves"),
)
_REWRITES = [
    (re.compile(rf"(?<![\w'\u2019-])(?:{old})(?![\w'\u2019-])", re.IGNORECASE), new)
    for old, new in _THIRD_PERSON
]
_ADDRESSES = re.compile(r"\b(?:you|your|yours|yourself|please|let's)\b", re.IGNORECASE)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|https?://\S+", re.DOTALL)
_MARKS = re.compile(r"^[\s>#*+\-\d.)]+|[*_]{1,3}")


def turn_summary(messages: Sequence[Message]) -> str:
    """Return one paragraph of at most 600 characters about some turns, in the language they are in.

    It holds what the speakers stated, the most about what they keep coming back to. What is asked, told to do, quoted
    as code or addressed to somebody is not stated; where nothing is, the words that come up most are named.
    """
    statements = list(dict.fromkeys(_statements(messages)))
    if statements:
        return extractive_summary("\n".join(statements), most_chars=SUMMARY_CHARS)
    topics = _topics(messages)
    if not topics:
        return f"The user and the assistant exchanged {len(messages)} short messages."
    return f"The user and the assistant talked about {', '.join(topics)}."


def _statements(messages: Iterable[Message]) -> Iterator[str]:
    speakers = {message.speaker for message in messages if message.speaker is not None}
    names = sorted((name for name in speakers if name.lower() not in set(MessageRole)), key=len, reverse=True)
    for message in messages:
        for sentence in sentences(_CODE.sub(" ", message.content or "")):
            stated = " ".join(_MARKS.sub("", sentence).split()).rstrip(".!\u3002\uff01;:")
            if _is_stated(stated):
                yield _told(stated, message, names)


def _is_stated(sentence: str) -> bool:
    if is_question(sentence) or _ADDRESSES.search(sentence) or len(sentence) > _SENTENCE_CHARS:
        return False
    return contains_cjk(sentence) or len(words(sentence)) >= _FEWEST_WORDS


def _told(sentence: str, message: Message, names: Sequence[str]) -> str:
    is_assistant = message.role is MessageRole.ASSISTANT
    if contains_cjk(sentence):
        return f"{'助手' if is_assistant else '用户'}说{sentence.replace('我', '自己')}。"
    for name in names:
        sentence = re.sub(rf"\b{re.escape(name)}\b", "a participant", sentence)
    for old, new in _REWRITES:
        sentence = old.sub(new, sentence)
    first, _, rest = sentence.partition(" ")
    begins = first.lower() if first.lower() in STOP_WORDS else first
    return f"{_role(message)} said that {begins} {rest}".rstrip() + "."


def _role(message: Message) -> str:
    if message.role is None and message.speaker is not None:
        return "A participant"
    return f"The {message.role or MessageRole.USER}"


def _topics(messages: Iterable[Message]) -> list[str]:
    """Return the words that are said most, the first said first among equals."""
    said = (word for message in messages for word in content_words(_CODE.sub(" ", message.content or "")))
    counts = Counter(word for word in said if len(word) > 1)
    return [word for word, _ in counts.most_common(_MOST_TOPICS)]
