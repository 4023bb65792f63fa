"""Recognises injected memory in a conversation, so that it never counts as a person's statement."""

import re
from typing import Final

from graph.core.text.prompts import DATA_NOTE, FENCE_CLOSE, FENCE_OPEN

INJECTED_CHARS: Final = 256 * 1024
"""More than blocks of memory have in one message: where only a beginning or an end of what was said is kept, so many
characters beside it are looked through."""

# Each begins as the wording of contexts, episodes, telemetry and recalls begins, and ends where its lines end: none of
# them holds an empty line, except within a fence of stored data and between the entries of a recall. A fence holds no
# other, so that one which nothing closes is looked through to the next and not to the end of the text.
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
# A page that shows a message may fold its line breaks, so that a block follows the user's words on one line. Each is
# looked through to the next that begins, and not to the end of the text.
_FOLDED = re.compile(
    rf"""
    (?:(?<![ \t])[ \t]++)?(?:
    {_NOTE}[ \t]+{FENCE_OPEN}(?:(?!{FENCE_OPEN}|{FENCE_CLOSE}).)*+{FENCE_CLOSE}
    | (?:{_NOTE}[ \t]+)?---[ \t]+\[MemoryX[ ]Context[ ]·[ ][\w ]{{1,20}}\]
      (?:(?!\[MemoryX[ ]Context|\(Above[ ]is[ ]user).)*+\(Above[ ]is[ ]user[ ]background[ ]info\.[^()]*+\)(?:\s*---)?
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_injected(text: str) -> str:
    r"""Return a message without the blocks of memory in it; empty for one that is nothing else.

    Every form is known in which this service words a context or a recall. The time it takes grows with the length.

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
    """Return at most so many characters of a message's beginning without the blocks of memory in it.

    No more than ``INJECTED_CHARS`` beside them are looked through, however long the message is.
    """
    return without_injected(text[: chars + INJECTED_CHARS])[:chars]


def end_without_injected(text: str, chars: int) -> str:
    """Return at most so many characters of a message's end; see :func:`beginning_without_injected`."""
    return without_injected(text[-chars - INJECTED_CHARS :])[-chars:]
