"""Telling what was said: sentence by sentence, without code and marks, in the third person, roles over names."""

import re
from collections.abc import Iterable, Sequence

from graph.conversations.capture.injected import without_injected
from graph.conversations.capture.models import Message, MessageRole
from graph.core.text.language import contains_cjk, sentences

# "They" of one person needs no other verb than "I", but for these.
_THIRD_PERSON = (
    (r"I\s+am|I['\u2019]m", "they are"),
    (r"I\s+was", "they were"),
    (r"I['\u2019]ve", "they have"),
    (r"I['\u2019]ll", "they will"),
    (r"I['\u2019]d", "they would"),
    (r"we['\u2019]re", "they are"),
    (r"we['\u2019]ve", "they have"),
    (r"we['\u2019]ll", "they will"),
    (r"we['\u2019]d", "they would"),
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
_MARKS = re.compile(r"^(?:\s+|[>#]+|[*+\-\u2022]\s+|\d{1,3}[.)]\s+)+|\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")


def chars_of(messages: Iterable[Message]) -> int:
    """Return how many characters messages have together."""
    return sum(len(message.content or "") for message in messages)


def is_talk(message: Message) -> bool:
    """Tell whether a person or the assistant said it, and no system or tool."""
    return message.role not in {MessageRole.SYSTEM, MessageRole.TOOL}


def said_sentences(content: str | None) -> list[str]:
    """Return what a message says, sentence by sentence, with the marks that end them.

    Injected memory, code, addresses of pages and Markdown's marks are left out.
    """
    plain = _CODE.sub(" ", without_injected(content or ""))
    found = (" ".join(_MARKS.sub("", sentence).split()) for sentence in sentences(plain))
    return [sentence for sentence in found if sentence]


def addresses_somebody(sentence: str) -> bool:
    """Tell whether a sentence speaks to somebody, so that it is told by nobody else."""
    return _ADDRESSES.search(sentence) is not None


def speaks_of_itself(sentence: str) -> bool:
    """Tell whether the speaker occurs in a sentence."""
    return "我" in sentence or any(old.search(sentence) for old, _ in _REWRITES)


def names_of(messages: Iterable[Message]) -> list[str]:
    """Return the speakers' names, long ones first; roles are none."""
    speakers = {message.speaker for message in messages if message.speaker is not None}
    return sorted((name for name in speakers if name.lower() not in set(MessageRole)), key=len, reverse=True)


def third_person(sentence: str, names: Sequence[str] = ()) -> str:
    """Return an English sentence as somebody else tells it, with ``a participant`` in the place of each name."""
    for name in names:
        sentence = re.sub(rf"\b{re.escape(name)}\b", "a participant", sentence)
    for old, new in _REWRITES:
        sentence = old.sub(new, sentence)
    return sentence


def third_person_zh(sentence: str) -> str:
    """Return a Chinese sentence of the user as somebody else tells it.

    >>> third_person_zh("我和我的猫要搬家")
    '用户和自己的猫要搬家'
    """
    subject, _, rest = sentence.replace("我们", "我").partition("我")
    return f"{subject}用户{rest.replace('我', '自己')}" if contains_cjk(sentence) and rest else sentence
