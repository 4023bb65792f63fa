"""Patterns of sentences worth handing over, in English and Chinese."""

import re

from graph.core.tables import read_table

_PATTERNS = read_table("graph.conversations.handoffs", "patterns.toml")


def _either(name: str) -> re.Pattern[str]:
    english, chinese = _PATTERNS[name]["english"], _PATTERNS[name]["chinese"]
    return re.compile(rf"\b(?:{english})|{chinese}", re.IGNORECASE)


_MARKS = ",.!;:\u2013\u2014~\u2026\u3001\u3002\uff0c\uff01\uff1b\uff1a"
POLITE_OPENING = re.compile(
    rf"(?:(?:(?:{_either('greeting').pattern})|(?:{_either('courtesy').pattern})[^{_MARKS}]*+)[\s{_MARKS}]*+)*+",
    re.IGNORECASE,
)
"""Polite opening of a sentence; empty for an informative beginning."""
WHO = _either("who")
INTRODUCED = re.compile(
    r"(?i:i'm|i am|this is|call me|my name(?:'s| is)) [A-Z][\w'-]+(?: [A-Z][\w'-]+)*\W*|(?:我[是叫]|叫我).{2,4}",
    re.DOTALL,
)
"""A whole sentence in which a person says no more than their name."""
DECIDED = _either("decided")
PLANNED = _either("planned")
PREFERRED = _either("preferred")
TOLD_TO_DO = re.compile(
    r"(?:do not|don't|never|always|act|add|answer|assume|change|continue|consider|convert|create|describe|elaborate|"
    r"ensure|explain|fix|follow|format|generate|give|help|ignore|imagine|include|keep|"
    r"let(?!'s (?:go with|use|take)\b)|list|make|must|now|pretend|provide|"
    r"remove|respond|rewrite|show|summari[sz]e|tell|translate|use|write)\b|请|帮|给我|写|翻译|解释|总结|不要",
    re.IGNORECASE,
)
"""Beginning of a sentence with a single instruction to the assistant."""
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
