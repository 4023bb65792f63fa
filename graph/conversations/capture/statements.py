"""Cleans messages of injected memory, code and markup, splits them, and removes guessed pronouns from retellings."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from graph.conversations.capture.models import Message, MessageRole
from graph.core.text.language import content_words, sentences
from graph.core.text.prompts import DATA_NOTE, FENCE_CLOSE, FENCE_OPEN

INJECTED_CHARS: Final = 256 * 1024
"""Upper bound of the injected memory in one message. Callers that keep only the beginning or the end of a message read
this many characters more."""

# A block begins with a phrase of our contexts, episodes, telemetry or recalls, and ends at an empty line. Only a fence
# of stored data and the entries of a recall contain empty lines. Fences do not nest: the search for the end of an
# unclosed fence stops at the next opening fence, which keeps it linear.
_NOTE = re.escape(DATA_NOTE)
_BLOCK = rf"""
    (?>
    (?:(?:No[ ]matching[ ]memories\.[ ]These[ ]are[ ]the[ ]newest\.
       |Nothing[ ](?:more[ ]is[ ])?relevant\.[ ][^\n]*)\n)?
      {_NOTE}(?:\n\d+\.[ ][^\n]*\([^\n]*\))++(?:\n\d+[ ](?:more[ ]did[ ]not[ ]fit|weaker[ ][^\n]*)\.)*
      (?:\nLimits:[ ][^\n]*)?
    | (?:Ids[ ]for[ ]get|Left[ ]out):[ ][^\n]*
    | {_NOTE}[ \t]*(?:\n{FENCE_OPEN}\n(?:(?!{FENCE_CLOSE}|{FENCE_OPEN})[^\n]*+\n)*+{FENCE_CLOSE}[ \t]*)?
    | [ \t]*---[ \t]*\n\[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]*+\n)*+(?:---[^\n]*)?
    | \[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]++\n?)*+(?:---[^\n]*)?
    | Memory[ ]context:[ ][^\n]*(?:\n(?![ \t]*(?:\n|\Z))[^\n]*)*+
    | Earlier[ ]conversation[ ]summaries[ ]\(most[ ]recent[ ]last\):(?:\n-[ ][^\n]*)+
    | Known[ ]entities:(?:\n[ ]*-[ ][^\n]*)+
    | Known[ ]failure[ ]patterns[ ]for[ ][^\n]*:(?:\n-[ ][^\n]*)+
    | \#[ ](?:Recalled[ ]memories|Search[ ]results)[ \t]*
      (?:\n+\d+\.[ ]\*\*[^\n]*(?:\n[ ]{{3}}[^\n]*)*|\n+{_NOTE}
      |\n+(?:\d+[ ]more[ ]did[ ]not[ ]fit\.|Limits:[ ][^\n]*)
      |\n+(?:No[ ]matching[ ]memories|Nothing[ ]matches)\.(?:[ ]These[ ]are[ ]the[ ]newest\.)?)*
    )
"""
_AT_THE_FRONT = re.compile(rf"(?:\s*+{_BLOCK})*+\s*+", re.VERBOSE)
_BLOCKS = re.compile(rf"^(?:{_BLOCK})++", re.MULTILINE | re.VERBOSE)
# A page may join the lines of a message, or put other white space between them, and render "---". The search for the
# end of a block stops at the beginning of the next one, which keeps it linear.
_SPACE = r"[\s\u200b]"
_SPACED_NOTE = _NOTE.replace("\\ ", _SPACE)
_RULE = "(?:---|\u2014)"
_FOLDED = re.compile(
    rf"""
    (?:(?<![ \t\u200b])[ \t\u200b]++)?(?:
    {_SPACED_NOTE}{_SPACE}*+{FENCE_OPEN}(?:(?!{FENCE_OPEN}|{FENCE_CLOSE}).)*+{FENCE_CLOSE}
    | (?:{_SPACED_NOTE}{_SPACE}*+)?(?:{_RULE}{_SPACE}*+)?\[MemoryX{_SPACE}Context{_SPACE}·{_SPACE}[\w\s]{{1,20}}\]
      (?:(?!\[MemoryX{_SPACE}Context|\(Above{_SPACE}is{_SPACE}user).)*+
      \(Above{_SPACE}is{_SPACE}user{_SPACE}background{_SPACE}info\.[^()]*+\)(?:{_SPACE}*+{_RULE})?
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_injected(text: str) -> str:
    r"""Return a message without the memory blocks that this service injected; empty if it has no other text.

    Knows every form of a context or recall. Takes linear time.

    >>> without_injected("Which language?\n\nKnown entities:\n- payments (Service)")
    'Which language?'
    """
    rest, folded = _FOLDED.subn("", text.replace("\r\n", "\n"))
    rest = rest.strip()
    front = _AT_THE_FRONT.match(rest)
    begin = front.end() if front else 0
    without, runs = _BLOCKS.subn("\n", rest[begin:])
    return _GAP.sub("\n\n", without).strip() if begin or runs or folded else rest


def beginning_without_injected(text: str, chars: int) -> str:
    """Return at most ``chars`` characters of a message's beginning, without injected memory.

    Reads at most ``INJECTED_CHARS`` characters more, however long the message is.
    """
    return without_injected(text[: chars + INJECTED_CHARS])[:chars]


def end_without_injected(text: str, chars: int) -> str:
    """Return at most ``chars`` characters of a message's end; see :func:`beginning_without_injected`."""
    return without_injected(text[-chars - INJECTED_CHARS :])[-chars:]


_NOUNS_OF_GENDER = (
    r"(?:wi(?:fe|ves)|husbands?|(?:grand|step)?(?:mother|father|sons?|daughter|ma|pa)s?|mum|mom|dad|brothers?|sisters?|aunt|uncle|nieces?|"
    r"nephews?|girl(?:friend)?s?|boy(?:friend)?s?|(?:wo)?m[ae]n|lad(?:y|ies)|gentlem[ae]n|mrs?|ms|miss|sir|madam|fianc[eé]e?|"
    r"females?|males?|kings?|queens?|actress|waitress|god)"
)
_TELLS_NOUN = re.compile(rf"\b{_NOUNS_OF_GENDER}\b", re.IGNORECASE)
_IMPLIES_GENDER = re.compile(
    rf"\b(?:s?he|hi[ms]|hers?|himself|herself|ella|elle?|lui|sie|ihre?|ela|ele|{_NOUNS_OF_GENDER})\b"
    "|[他她妻夫妈爸媽爷奶姐妹哥弟儿女男兒爺]",
    re.IGNORECASE,
)
_HE = re.compile(
    r"\bs?he(?P<short>['\u2019]s)?\b(?:(?P<between>\s+(?:also|often|always|never|usually|still|now|really|\w+ly))?\s+(?P<verb>\w+))?",
    re.IGNORECASE,
)
_HIS = [
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        (r"(?:himself|herself)", "themselves"),
        (
            (
                r"(?:his|her)(?=\s+(?!(?:for|to|with|in|on|at|and|or|but|by|from|about|as|that|when|if|the|an?|how|why|"
                r"because|so|is|was)\b)\w)"
            ),
            "their",
        ),
        (r"(?:him|her)", "them"),
        (r"(?:his|hers)", "theirs"),
    )
]
_OF_SEVERAL = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
# "Let's use Postgres" is a decision; any other "let's" addresses the listener.
_ADDRESSES = re.compile(
    r"\b(?:you|your|yours|yourself|please|let['\u2019]s(?!\s+(?:go\s+with|use|take)))\b", re.IGNORECASE
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|https?://\S+", re.DOTALL)
_MARKS = re.compile(r"^(?:\s+|[>#]+|[*+\-\u2022]\s+|\d{1,3}[.)]\s+)+|\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)")


# Other languages have words spelt like English pronouns, such as "her" in Turkish and Norwegian.
_ENGLISH = re.compile(r"\b(?:the|is|was|has|and|of|with|to|that|who|they|their)\b", re.IGNORECASE)

NO_GUESSED_PRONOUN: Final = (
    "Call a person whose pronouns nobody has told by name, by part or they, never he or she."
)
"""Instruction to a language model for retelling messages; see :func:`without_guessed_pronouns`."""


def best_matching(text: str, messages: Sequence[Message]) -> Message | None:
    """Return the message that shares most words with a text; the latest of equals, None if all share under a third."""
    words = frozenset(content_words(text))
    shared = [len(words.intersection(content_words(message.content or ""))) for message in messages]
    best = max(range(len(shared)), key=lambda place: (shared[place], place), default=None)
    return messages[best] if best is not None and shared[best] >= max(1, len(words) // 3) else None


def chars_of(messages: Iterable[Message]) -> int:
    """Return the total number of characters of messages."""
    return sum(len(message.content or "") for message in messages)


def is_talk(message: Message) -> bool:
    """Tell whether a message comes from a person or the assistant rather than a system or tool."""
    return message.role not in {MessageRole.SYSTEM, MessageRole.TOOL}


def is_participant(message: Message) -> bool:
    """Tell whether only the name of a speaker is known, as that of one of several people."""
    speaker = message.speaker
    return message.role is None and speaker is not None and speaker.lower() not in set(MessageRole)


def message_sentences(content: str | None) -> list[str]:
    """Return the sentences of a message with their final punctuation.

    Omits injected memory, code, URLs and Markdown markup.
    """
    plain = _CODE.sub(" ", without_injected(content or ""))
    found = (" ".join(_MARKS.sub("", sentence).split()) for sentence in sentences(plain))
    return [sentence for sentence in found if sentence]


def addresses_somebody(sentence: str) -> bool:
    """Tell whether a sentence addresses somebody, so that the third person does not fit."""
    return _ADDRESSES.search(sentence) is not None


def names_of(messages: Iterable[Message]) -> list[str]:
    """Return the speakers' names, the longest first, without roles such as ``user``."""
    speakers = {message.speaker for message in messages if message.speaker is not None}
    return sorted((name for name in speakers if name.lower() not in set(MessageRole)), key=len, reverse=True)


def without_guessed_pronouns(text: str, source: str) -> str:
    """Return a model's text with "they" for a "he" or "she" that its input does not support.

    Args:
        text: English text in the third person; other languages are returned unchanged.
        source: The model's input; any word in it that implies a gender keeps the pronouns.

    >>> without_guessed_pronouns("The user lives in Oslo, and he loves his cat.", "I live in Oslo and love my cat.")
    'The user lives in Oslo, and they love their cat.'
    """
    if not _ENGLISH.search(text) or _IMPLIES_GENDER.search(source) or _TELLS_NOUN.search(text):
        return text
    rewritten = _HE.sub(_they, text)
    for old, new in _HIS:
        rewritten = old.sub(partial(_in_its_case, new), rewritten)
    return rewritten


def _they(found: re.Match[str]) -> str:
    """Return "they" with the verb that follows it."""
    they = _in_case_of(found[0], "they are" if found["short"] else "they")
    if found["verb"] is None:
        return they
    verb = found["verb"] if found["short"] else _of_several(found["verb"])
    return f"{they}{found['between'] or ''} {verb}"


def _of_several(verb: str) -> str:
    """Return the plural form of a verb in the third person singular."""
    if verb in _OF_SEVERAL:
        return _OF_SEVERAL[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    if verb.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _in_its_case(new: str, found: re.Match[str]) -> str:
    return _in_case_of(found[0], new)


def _in_case_of(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


_LIKE_A_SPEAKER: Final = re.compile(r"^(?=\\*###[ \t])", re.MULTILINE)


def markdown(messages: Iterable[Message]) -> str:
    r"""Return the messages as Markdown: a heading with the speaker, then the text.

    A backslash escapes each line of a message that looks like such a heading, with or without leading backslashes.
    Removing one backslash restores the line.

    >>> from datetime import datetime
    >>> message = Message(id="1", workspace_id="w", conversation_id="c", created_at=datetime(2026, 1, 1))
    >>> markdown([message.model_copy(update={"speaker": "Ada", "content": "Hello"})])
    '### Ada\n\nHello'
    >>> markdown([message.model_copy(update={"role": "assistant", "content": "### Bob\n## Step 1"})])
    '### Assistant\n\n\\### Bob\n## Step 1'
    """
    return "\n\n".join(f"### {_speaker(message)}\n\n{_content(message)}" for message in messages)


def _content(message: Message) -> str:
    return _LIKE_A_SPEAKER.sub(r"\\", message.content or "")


def _speaker(message: Message) -> str:
    """Return the speaker's name in one line; any role but the user's follows in parentheses."""
    role = message.role.capitalize() if message.role else "Unknown"
    if message.speaker is None:
        return role
    name = " ".join(message.speaker.split())
    is_user = message.role in (None, MessageRole.USER) or name.casefold() == message.role
    return name if is_user else f"{name} ({message.role})"


def relative_times(what: str) -> str:
    """Return the instruction that makes a model write dates for relative times.

    Args:
        what: Kind of the prompt's objects that have a "date", such as ``message``.
    """
    return (
        f'Write a relative time as the date that it means, counted from the "date" of its {what}: "tomorrow" in a '
        f"{what} of 2026-03-04 is 2026-03-05. A date that ends in UTC may be a day off where the user lives: prefer "
        f"what the {what}s say."
    )


def day_of(message: Message) -> str:
    """Return the local day of a message, or the UTC day followed by "UTC" without a known offset."""
    return f"{message.day} UTC" if message.utc_offset is None else f"{message.day}"


def utc_day(moment: datetime) -> str:
    """Return the UTC day of a time, followed by "UTC"."""
    return f"{moment:%Y-%m-%d} UTC"
