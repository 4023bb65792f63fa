"""Quality warnings for a memory that is saved anyway, and suggested associations."""

import re
from collections.abc import Mapping, Sequence

from graph.core.text.language import word_count
from graph.memories.models import MemoryDraft, MemoryType
from graph.memories.policy import SOFT_CHARS

_SHORTEST_WORDS = 3
_SHORTEST_CHARS = 12
_FARTHEST_FROM_TYPICAL = 0.2

_TYPE_PREFIX = re.compile(
    rf"\s*(?:\[\s*(?:{'|'.join(MemoryType)}|fact|bug[ -]?fix|note|memory)\s*\]|"
    rf"(?:{'|'.join(MemoryType)})\s*:)",
    re.IGNORECASE,
)
_TRIVIAL = re.compile(
    r"(?:fixed|corrected|changed|updated|removed|added)(?: an?| the| some)? "
    r"(?:typos?|whitespace|indentation|formatting|comments?|imports?|lint\w*|newlines?)\b.{0,60}",
    re.IGNORECASE,
)
_DEBUG = re.compile(
    r"Traceback \(most recent call last\)|^[^\S\n]*at [\w$.<>]+\([\w.]+:\d+\)|^[^\S\n]*File \"[^\"]+\", line \d+"
    r"|^[^\S\n]*(?:\[?(?:DEBUG|TRACE)\]?[: ]|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S* +\[?(?:DEBUG|INFO|WARN|ERROR|TRACE))"
    r"|\bconsole\.log\(|\bprint\(|0x[0-9a-f]{8,}",
    re.MULTILINE,
)

# Lower and upper end of what is usual.
_TYPICAL_IMPORTANCE: Mapping[MemoryType, tuple[float, float]] = {
    MemoryType.DECISION: (0.9, 1.0),
    MemoryType.PATTERN: (0.7, 0.9),
    MemoryType.INSIGHT: (0.7, 0.9),
    MemoryType.PREFERENCE: (0.6, 0.9),
    MemoryType.STYLE: (0.6, 0.8),
    MemoryType.HABIT: (0.5, 0.7),
    MemoryType.CONTEXT: (0.5, 0.7),
}

_CORRECTION = re.compile(
    r"\b(?:no longer|not any ?more|instead of|actually|correction|was wrong|turns out|rather than|replaces?d?)\b",
    re.IGNORECASE,
)
_BUG_FIX = re.compile(r"\b(?:bug|fix(?:ed|es)?|root cause|regression|hotfix|patched)\b", re.IGNORECASE)
_EVOLUTION = re.compile(
    r"\b(?:migrated|upgraded|moved from|switched from|evolved|now uses?|since v?\d|renamed)\b", re.IGNORECASE
)


def quality_warnings(draft: MemoryDraft) -> list[str]:
    """Return possible improvements of a statement; a verbatim turn gets none."""
    if draft.is_turn:
        return []
    content = draft.content
    found = [
        (
            word_count(content) < _SHORTEST_WORDS and len(content) < _SHORTEST_CHARS,
            "content is very short: a memory should make sense on its own, without the conversation around it",
        ),
        (
            _TRIVIAL.fullmatch(content.rstrip(".! ")) is not None,
            "content looks like a trivial edit: nobody will need it later",
        ),
        (
            _TYPE_PREFIX.match(content) is not None,
            "content begins with a type prefix: leave it out and set 'type' instead",
        ),
        (_DEBUG.search(content) is not None, "content looks like debug output: say what it taught instead"),
        (
            len(content) > SOFT_CHARS,
            f"content has {len(content)} characters: 150 to 300 are best, more than {SOFT_CHARS} blur a memory",
        ),
    ]
    return [*(warning for applies, warning in found if applies), *_importance_warnings(draft)]


def suggested_associations(type_: MemoryType, content: str) -> list[str]:
    """Return which associations usually follow from such a memory, as names of association types."""
    found = [
        (_CORRECTION.search(content) is not None, "INVALIDATED_BY"),
        (_BUG_FIX.search(content) is not None, "DERIVED_FROM"),
        (type_ is MemoryType.DECISION, "PREFERS_OVER"),
        (_EVOLUTION.search(content) is not None, "EVOLVED_INTO"),
    ]
    return [name for applies, name in found if applies]


def _importance_warnings(draft: MemoryDraft) -> Sequence[str]:
    """Return a warning if a stated importance is far from the usual range of a stated type."""
    if draft.type is None or draft.importance is None:
        return ()
    low, high = _TYPICAL_IMPORTANCE[draft.type]
    if low - _FARTHEST_FROM_TYPICAL <= draft.importance <= high + _FARTHEST_FROM_TYPICAL:
        return ()
    return (
        f"importance {draft.importance} is unusual for type {draft.type.value}: {low} to {high} is typical",
    )
