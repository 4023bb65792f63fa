"""Summaries of turns without a language model: what was stated, in the third person, roles over names (F3)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from graph.conversations.models import Message, MessageRole
from graph.conversations.telling import addresses_somebody, names_of, said_sentences, third_person
from graph.recall.language import STOP_WORDS, contains_cjk, content_words, is_question, words
from graph.remembering.summaries import extractive_summary

SUMMARY_CHARS = 600
_SENTENCE_CHARS = 240
_FEWEST_WORDS = 3
_MOST_TOPICS = 6


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


def _statements(messages: Sequence[Message]) -> Iterator[str]:
    names = names_of(messages)
    for message in messages:
        for sentence in said_sentences(message.content):
            stated = sentence.rstrip(".!\u3002\uff01;:")
            if _is_stated(stated):
                yield _told(stated, message, names)


def _is_stated(sentence: str) -> bool:
    if is_question(sentence) or addresses_somebody(sentence) or len(sentence) > _SENTENCE_CHARS:
        return False
    return contains_cjk(sentence) or len(words(sentence)) >= _FEWEST_WORDS


def _told(sentence: str, message: Message, names: Sequence[str]) -> str:
    is_assistant = message.role is MessageRole.ASSISTANT
    if contains_cjk(sentence):
        return f"{'助手' if is_assistant else '用户'}说{sentence.replace('我', '自己')}。"
    first, _, rest = third_person(sentence, names).partition(" ")
    begins = first.lower() if first.lower() in STOP_WORDS else first
    return f"{_role(message)} said that {begins} {rest}".rstrip() + "."


def _role(message: Message) -> str:
    if message.role is None and message.speaker is not None:
        return "A participant"
    return f"The {message.role or MessageRole.USER}"


def _topics(messages: Iterable[Message]) -> list[str]:
    """Return the words that are said most, the first said first among equals."""
    told = (" ".join(said_sentences(message.content)) for message in messages)
    said = (word for text in told for word in content_words(text))
    counts = Counter(word for word in said if len(word) > 1)
    return [word for word, _ in counts.most_common(_MOST_TOPICS)]
