"""Recognises what was put into a message as memory, so that it is never extracted again as new."""

import re

# Each begins as graph/context/wording.py, graph/episodes/wording.py, graph/telemetry/wording.py and
# graph/recall/markdown.py word it, and ends where its lines end: none of them holds an empty line, but for the list
# that a recall returns, whose entries are set apart by one.
_BLOCKS = re.compile(
    r"""
    ^[ \t]*---[ \t]*\n\[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]*\n)*(?:---[^\n]*)?
    | ^\[MemoryX[ ]Context\b[^\n]*\n(?:(?!---)[^\n]+\n?)*(?:---[^\n]*)?
    | ^Memory[ ]context:[^\n]*(?:\n(?![ \t]*(?:\n|\Z))[^\n]*)*
    | ^Earlier[ ]conversation[ ]summaries[ ]\(most[ ]recent[ ]last\):[^\n]*(?:\n-[ ][^\n]*)*
    | ^Known[ ]entities:[^\n]*(?:\n[ ]*-[ ][^\n]*)*
    | ^Known[ ]failure[ ]patterns[ ]for[ ][^\n]*(?:\n-[ ][^\n]*)*
    | ^\#[ ]Recalled[ ]memories[ \t]*(?:\n+\d+\.[ ]\*\*[^\n]*(?:\n[ ]{3}[^\n]*)*|\n+No[ ]matching[ ]memories\.)*
    """,
    re.MULTILINE | re.VERBOSE,
)


def without_injected(text: str) -> str:
    """Return the text without the blocks of memory that were put before or behind it.

    Every form is known in which this service words a context, and ``Memory context:`` by whoever wrote it.
    """
    return _BLOCKS.sub("\n", text.replace("\r\n", "\n"))
