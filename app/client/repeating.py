"""Operations that must not be sent twice or take long, by the root fields in their documents."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

ONCE = frozenset("createApiKey createWebhook createWorkspace recordActions rotateApiKey testWebhook".split())
"""Operations with another effect if sent twice: they create a second object, or end the old secret's grace period."""
LONG = frozenset(
    (
        "addDocument ask changeMemories cleanupVectorTier clearMemories compactMemories consolidateConversation "
        "deleteConnection deleteConversation deleteDocument deleteMemories deleteWorkspace "
        "handoffSummary importOntology mergeEntities moveConversation promotePatterns reindex "
        "undoAutomaticChange unmergeEntities"
    ).split()
)
"""Operations that wait for a language model or change many nodes; a repetition would run beside the first."""
SAVES = frozenset("saveMemories saveMemory saveMemoryBatch".split())
"""A repetition finds the saved memory, unless the save is not compared and has neither id nor key."""
MANY = frozenset("saveMemories saveMemoryBatch".split())
"""Operations that take as long as those of ``LONG``, and may be repeated."""


def _named(fields: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(fields))})\b")


_LONG = _named(LONG | MANY)
_ONCE = _named(ONCE | LONG)
_SAVES = _named(SAVES)
_UNCOMPARED = re.compile(r"\b(?:dedup|sourceConversationId)\s*:")


def takes_long(document: str) -> bool:
    """Tell whether a document names one of ``LONG`` or ``MANY``."""
    return _LONG.search(document) is not None


def may_be_repeated(document: str, variables: Mapping[str, Any]) -> bool:
    """Tell whether a document may be repeated even if the first request may have arrived."""
    if _SAVES.search(document) and (_UNCOMPARED.search(document) or _saves_again(variables)):
        return False
    return _ONCE.search(document) is None


def _saves_again(variables: Mapping[str, Any]) -> bool:
    """Tell whether a repeated save would store a memory of the variables twice."""
    lists = (value if isinstance(value, list | tuple) else [value] for value in variables.values())
    memories = (each for values in lists for each in values if isinstance(each, Mapping))
    return any(
        (memory.get("dedup") is False or memory.get("sourceConversationId"))
        and not (memory.get("id") or memory.get("key"))
        for memory in memories
    )
