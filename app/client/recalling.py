"""Hits of a recall in the form that retrievers of other libraries return."""

from dataclasses import dataclass
from typing import Any

from .generated import MemoryFields, RecallInput, RecollectClient

_MEMORY_FIELDS = {
    "id", "key", "type_", "kind", "category", "tags", "importance", "confidence", "timestamp", "source_type",
    "source_conversation_id", "speaker", "metadata",
}  # fmt: skip


@dataclass(frozen=True)
class Found:
    """A hit; ``score`` is between 0 and 1 and orders the hits of one recall."""

    id: str
    text: str
    score: float
    metadata: dict[str, Any]


async def recalled(client: RecollectClient, request: RecallInput, workspace_id: str | None) -> list[Found]:
    """Return the hits of a recall, best first.

    The metadata has ``why``, ``relevance``, ``vector_score``, ``validity``, ``disagrees_with``, and these fields of the
    memory unless they are None: ``id``, ``key``, ``type``, ``kind``, ``category``, ``tags``, ``importance``,
    ``confidence``, ``timestamp`` (ISO 8601), ``source_type``, ``source_conversation_id``, ``speaker`` and ``metadata``.
    All values are JSON values.

    Raises:
        ApiError: The service refuses or cannot be reached.
    """
    result = await client.recall(request, workspace_id=workspace_id)
    return [
        Found(
            id=hit.memory.id,
            text=hit.prompt_text,
            score=hit.score,
            metadata={
                "why": hit.why,
                "relevance": hit.relevance,
                "vector_score": hit.vector_score,
                "validity": hit.validity.value,
                "disagrees_with": hit.disagrees_with,
                **_memory_fields(hit.memory),
            },
        )
        for hit in result.hits
    ]


def _memory_fields(memory: MemoryFields) -> dict[str, Any]:
    fields = memory.model_dump(mode="json", include=_MEMORY_FIELDS, exclude_none=True)
    return {name.rstrip("_"): value for name, value in fields.items()}
