"""Operations that must not be sent twice or take long, by the root fields in their documents."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

ONCE = frozenset("createApiKey createWebhook createWorkspace recordActions rotateApiKey testWebhook".split())
"""Done twice they make two of a thing, and a second rotation ends the grace of the secret that is in use."""
LONG = frozenset(
    (
        "addDocument ask changeMemories cleanupVectorTier clearMemories compactMemories consolidateConversation "
        "deleteConnection deleteConversation deleteDocument deleteMemories deleteWorkspace "
        "handoffSummary importOntology mergeEntities moveConversation promotePatterns reindex "
        "undoAutomaticChange unmergeEntities"
    ).split()
)
"""They wait for a language model, or change many nodes; sent again they would run beside themselves."""
SAVES = frozenset("saveMemories saveMemory saveMemoryBatch".split())
"""A repetition finds the saved memory, unless the save is not compared and has neither id nor key."""
MANY = frozenset("saveMemories saveMemoryBatch".split())
"""They take as long as those of ``LONG``, and may be sent again."""


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
    """Tell whether a document may be sent again although the one before may have arrived."""
    if _SAVES.search(document) and (_UNCOMPARED.search(document) or _saves_again(variables)):
        return False
    return _ONCE.search(document) is None


def _saves_again(variables: Mapping[str, Any]) -> bool:
    """Tell whether a memory among variables would be there twice if it were saved twice."""
    lists = (value if isinstance(value, list | tuple) else [value] for value in variables.values())
    memories = (each for values in lists for each in values if isinstance(each, Mapping))
    return any(
        (memory.get("dedup") is False or memory.get("sourceConversationId"))
        and not (memory.get("id") or memory.get("key"))
        for memory in memories
    )
