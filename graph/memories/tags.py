"""Tags and their prefixes: by them, the filter ``slack`` finds ``slack:channel:general``."""

import re
from collections.abc import Iterable, Mapping, Sequence

from graph.core.text.normal_forms import comparable, composed

TAG_CONVENTIONS: Mapping[str, Sequence[str]] = {
    "decision": ("project", "platform", "date", "decision"),
    "bug fix": ("project", "platform", "date", "bug-fix", "component"),
    "pattern": ("project", "platform", "date", "pattern", "component"),
    "preference": ("preference", "platform", "date", "domain"),
    "personal": ("personal", "date", "category"),
}
"""Recommended tags, so that agents find each other's memories; ``date`` is a month, YYYY-MM."""

PINNED = "pinned"
"""Tag of memories that every context includes, such as "The user asked to use metric units"."""

_DELIMITERS = re.compile(r"([:/])")


def normalize_tag_list(tags: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return trimmed, non-empty, distinct tags in the given order; a string is split at commas."""
    if tags is None:
        return ()
    parts = tags.split(",") if isinstance(tags, str) else tags
    return tuple(dict.fromkeys(tag for part in parts if (tag := composed(part).strip())))


def comparable_tag(tag: str) -> str:
    """Return a tag without surrounding white space, case and accents, for comparisons."""
    return comparable(tag.strip())


def expand_tag_prefixes(tag: str) -> tuple[str, ...]:
    """Return the cumulative prefixes of one tag, lower-cased: ``a:b/c`` gives ``a``, ``a:b``, ``a:b/c``."""
    parts = _DELIMITERS.split(tag.strip().lower())
    prefixes = ("".join(parts[:end]) for end in range(1, len(parts) + 1, 2))
    return tuple(dict.fromkeys(prefix for prefix in prefixes if prefix.strip(":/ ")))


def compute_tag_prefixes(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct prefixes of all tags, without case and accents, in order."""
    return spelled_tag_prefixes(comparable_tag(tag) for tag in tags)


def spelled_tag_prefixes(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct prefixes of all tags, lower-cased but with accents, in order."""
    return tuple(dict.fromkeys(prefix for tag in tags for prefix in expand_tag_prefixes(tag)))
