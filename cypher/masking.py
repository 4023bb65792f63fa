"""Separates Cypher code from strings, comments and quoted names, for the checks of query files."""

import re

_OPAQUE = re.compile(
    r"""
      //[^\n]*                   # line comment
    | /\*.*?(?:\*/|\Z)           # block comment
    | '(?:\\.|[^'\\])*(?:'|\Z)   # string
    | "(?:\\.|[^"\\])*(?:"|\Z)   # string
    | `(?:``|[^`])*(?:`|\Z)      # quoted name
    """,
    re.VERBOSE | re.DOTALL,
)
# `$any(…)` and `$all(…)` are dynamic labels, not parameters.
_PARAMETER = re.compile(r"\$(?!(?i:any|all)\s*\()([^\W\d]\w*)")


def mask(text: str) -> str:
    """Replace strings, comments and quoted names with spaces; line breaks and offsets stay unchanged."""
    return _OPAQUE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def parameters_of(text: str) -> dict[str, int]:
    """Return each ``$parameter`` of the code with its first line, from 1."""
    code = mask(text)
    lines: dict[str, int] = {}
    for match in _PARAMETER.finditer(code):
        lines.setdefault(match[1], code.count("\n", 0, match.start()) + 1)
    return lines
