"""Recognises what a memory service put into a conversation, so that it is never taken for something that was said."""

import re

# The heads of graph.context.wording, graph.episodes.wording and graph.telemetry.wording (formats F§4, F§5).
_SUFFIX = re.compile(
    r"(?:^|\n)---[ \t]*\n\[MemoryX Context · [^\n]*\]\n.*?(?:\n\(Above is user background info\.[^\n]*\)\n---|\Z)",
    re.DOTALL,
)
_PARAGRAPH_HEADS = re.compile(
    r"Earlier conversation summaries \(most recent last\):\n- \(\d+ turns\) "
    r"|Known entities:\n- "
    r"|Known failure patterns for [^\n]*:\n- "
)
_MEMORIES = re.compile(r"(?:\A|(?<=\n\n))Memory context: .*", re.DOTALL)  # its contents may hold blank lines


def without_injected(text: str) -> str:
    r"""Return a message without the blocks of memory in it; empty for one that is nothing else.

    >>> without_injected("Which language?\n\nKnown entities:\n- payments (Service)")
    'Which language?'
    """
    around = (part.strip() for part in _SUFFIX.split(text.replace("\r\n", "\n")))
    rest = _MEMORIES.sub("", "\n\n".join(part for part in around if part))
    if not _PARAGRAPH_HEADS.search(rest):
        return rest.strip()
    paragraphs = re.split(r"\n{2,}", rest)
    return "\n\n".join(each for each in paragraphs if not _PARAGRAPH_HEADS.match(each)).strip()
