"""Recognises what a memory service put into a conversation, so that it is never taken for something that was said."""

import re

from graph.core.text.prompts import DATA_NOTE, FENCE_CLOSE, FENCE_OPEN

# Each begins as the wording of contexts, episodes, telemetry and recalls begins, and ends where its lines end: none of
# them holds an empty line, except within a fence of stored data and between the entries of a recall.
_NOTE = re.escape(DATA_NOTE)
_BLOCKS = re.compile(
    rf"""
    ^{_NOTE}[ \t]*(?:\n{FENCE_OPEN}\n(?:(?!{FENCE_CLOSE})[^\n]*\n)*{FENCE_CLOSE}[ \t]*)?
    | ^[ \t]*---[ \t]*\n\[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]*\n)*(?:---[^\n]*)?
    | ^\[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]+\n?)*(?:---[^\n]*)?
    | ^Memory[ ]context:[ ][^\n]*(?:\n(?![ \t]*(?:\n|\Z))[^\n]*)*
    | ^Earlier[ ]conversation[ ]summaries[ ]\(most[ ]recent[ ]last\):(?:\n-[ ][^\n]*)+
    | ^Known[ ]entities:(?:\n[ ]*-[ ][^\n]*)+
    | ^Known[ ]failure[ ]patterns[ ]for[ ][^\n]*:(?:\n-[ ][^\n]*)+
    | ^\#[ ]Recalled[ ]memories[ \t]*(?:\n+{_NOTE})?
      (?:\n+\d+\.[ ]\*\*[^\n]*(?:\n[ ]{{3}}[^\n]*)*|\n+No[ ]matching[ ]memories\.)*
    """,
    re.MULTILINE | re.VERBOSE,
)
_GAP = re.compile(r"\n(?:[ \t]*\n){2,}")


def without_injected(text: str) -> str:
    r"""Return a message without the blocks of memory in it; empty for one that is nothing else.

    Every form is known in which this service words a context or a recall.

    >>> without_injected("Which language?\n\nKnown entities:\n- payments (Service)")
    'Which language?'
    """
    rest = text.replace("\r\n", "\n").strip()
    while (without := _GAP.sub("\n\n", _BLOCKS.sub("\n", rest)).strip()) != rest and _BLOCKS.search(rest):
        rest = without
    return rest
