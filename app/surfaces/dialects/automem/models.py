"""Requests and responses of AutoMem's routes, in AutoMem's field names."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.params import Parameter, ParameterKwarg, QueryParameter
from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    field_validator,
)
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from app.surfaces.http.credentials import OWNER_HEADERS
from app.surfaces.http.shapes import Content, Name, RequestModel, ResponseModel
from graph.core.errors import InvalidInput
from graph.core.exact import Instant, Number, Numbers, not_null, read_untyped_time
from graph.core.ids import is_own_memory_id
from graph.memories.models import Association, AssociationType, Memory, MemoryType, SavedMemory, SaveOutcome
from graph.memories.tags import normalize_tag_list, spelled_tag_prefixes

AN_ID: Final = "a1b2c3d4-e5f6-7890-abcd-ef1234567890"
ID_PATTERN: Final = (
    "^([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}|mem_[0-9A-Za-z]{24})$"
)
"""Pattern of a memory's id for the OpenAPI document; :func:`checked_id` enforces it."""
_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


def uuid_of(id_: str) -> str:
    """Return a caller's id if it is a UUID in the usual form of 36 characters.

    Raises:
        ValueError: The id is not such a UUID.
    """
    if not _UUID.fullmatch(id_):
        raise ValueError("must be a UUID, such as " + AN_ID)
    return id_


def checked_id(id_: str, *, field: str = "id") -> str:
    """Return an id if it is a valid memory id on AutoMem's routes.

    Raises:
        InvalidInput: It is neither a UUID nor an id in the form of the other surfaces.
    """
    if not _UUID.fullmatch(id_) and not is_own_memory_id(id_):
        raise InvalidInput(field, f"{field} must be a UUID, such as {AN_ID}, got {id_[:60]!r}")
    return id_


_OF_LITESTAR = frozenset({"self", "request", "state", "data"})
_DIVIDED = "Repeat the parameter, or separate values with commas"
_MOST_TAGS: Final = 100
_FOUND = f"{_DIVIDED}. `slack` includes `slack:channel:general`."

SPOKEN: Final[Mapping[str, str]] = {
    "allTags": "tags",
    "anyTags": "tags",
    "excludedTags": "exclude_tags",
    "fromId": "memory1_id",
    "lastAccessedAt": "last_accessed",
    "minImportance": "min_importance",
    "tInvalid": "t_invalid",
    "tValid": "t_valid",
    "toId": "memory2_id",
    "updatedAt": "updated_at",
    "validAt": "valid_at",
}
"""AutoMem's names of fields, by the engine's names, if they differ."""

MemoryId = Annotated[
    str,
    Parameter(
        max_length=128,
        description="Id of the memory: a UUID, or `mem_` and 24 letters or digits.",
        schema_extra={"pattern": ID_PATTERN},
    ),
]
TagsParameter = Annotated[
    list[str],
    QueryParameter(
        name="tags",
        max_items=_MOST_TAGS,
        description=f"Tags, at least one. {_FOUND}",
        schema_extra={"contains": Schema(type=OpenAPIType.STRING, pattern=r"[^\s,]")},
    ),
]
MaybeTags = Annotated[
    list[str] | None, QueryParameter(name="tags", max_items=_MOST_TAGS, description=f"Tags. {_FOUND}")
]
ExcludedTags = Annotated[
    list[str] | None,
    QueryParameter(name="exclude_tags", max_items=_MOST_TAGS, description=f"Unwanted tags. {_DIVIDED}."),
]
Moment = Annotated[
    str | None,
    Parameter(
        max_length=64,
        description="A time: ISO 8601, in UTC if without an offset, or seconds or milliseconds since 1970.",
        schema_extra={"format": "date-time"},
    ),
]
Offset = Annotated[int, Parameter(ge=0, le=10_000, description="Number of results to skip.")]


def refuse_unknown_parameters(
    connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler
) -> None:
    """Refuse unknown query parameters.

    Raises:
        InvalidInput: A parameter is unknown; the error names the first one.
    """
    known = {"api_key", *OWNER_HEADERS}
    for name, field in handler.parsed_fn_signature.parameters.items():
        kwarg = field.kwarg_definition
        if name not in _OF_LITESTAR and name not in connection.path_params:
            known.add((kwarg.name if isinstance(kwarg, ParameterKwarg) else None) or name)
    for name in connection.query_params:
        if name not in known:
            shown = name[:100]
            raise InvalidInput(
                shown, f"there is no parameter {shown!r}; known are {', '.join(sorted(known))}"
            )


def moment(field: str, text: str | None) -> datetime | None:
    """Return the time in a parameter.

    Raises:
        InvalidInput: The text is no valid time.
    """
    if text is None:
        return None
    try:
        return read_untyped_time(text)
    except ValueError as error:
        raise InvalidInput(field, f"{field}: {error}") from None


def tags_in(parameters: list[str]) -> tuple[str, ...]:
    """Return the tags of repeated or comma-separated parameters."""
    return tuple(tag for each in parameters for tag in normalize_tag_list(each))


ANOTHER_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"
_TAGS: list[JsonValue] = ["project-alpha", "database", "architecture"]
_CONTENT = (
    "Chose PostgreSQL over MongoDB. Need ACID guarantees for transactions. Impact: ensures data consistency."
)
A_MEMORY: JsonDict = {
    "id": AN_ID,
    "content": _CONTENT,
    "type": "Decision",
    "tags": [*_TAGS, "reviewed"],
    "importance": 0.95,
    "updated_at": "2026-02-01T10:00:00Z",
    "confidence": 0.9,
    "metadata": {"alternatives": ["MongoDB", "MySQL"]},
    "timestamp": "2026-01-12T09:30:00Z",
    "last_accessed": None,
    "t_valid": None,
    "t_invalid": None,
    "tag_prefixes": [*_TAGS, "reviewed"],
    "enriched": True,
}


def _as_list(tags: object) -> object:
    """Split a text into tags at its commas."""
    return list(normalize_tag_list(tags)) if isinstance(tags, str) else tags


_Tag = Annotated[str, Field(max_length=200)]
Tags = Annotated[
    list[str],
    BeforeValidator(_as_list, json_schema_input_type=list[_Tag] | str),
    Field(
        max_length=100,
        description="An array of tags, or one text with commas between them; ':' and '/' divide levels.",
        examples=[_TAGS],
    ),
]
Fraction = Annotated[Number, Field(ge=0.0, le=1.0)]


def left_out() -> Any:
    """Return a field that is omitted if it is null."""
    return Field(None, exclude_if=lambda value: value is None)


class MemoryToStore(RequestModel):
    """A memory to store; a stored ``id`` updates that memory.

    Attributes:
        type: Type; default: classified from the content.
        timestamp: Time of the event; default: now.
        embedding: Vector of the current embedder; if omitted or of another length, a job computes it.
        id: A UUID; default: a new one.
        t_valid: Start of validity.
        t_invalid: End of validity.
        updated_at: Time of the last change in another store; default: now.
        last_accessed: Time of the last read in another store.
        user_id: Owning user; default: the whole workspace.
        agent_id: Owning agent; default: all agents.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "content": _CONTENT,
                    "type": "Decision",
                    "tags": _TAGS,
                    "importance": 0.9,
                    "metadata": {"files_modified": ["db/config.py"], "alternatives": ["MongoDB", "MySQL"]},
                }
            ]
        },
    )

    content: Content
    type: MemoryType | None = None
    confidence: Fraction | None = None
    tags: Tags | None = None
    importance: Fraction | None = None
    metadata: dict[str, JsonValue] | None = None
    timestamp: Instant | None = None
    embedding: Numbers | None = Field(None, max_length=8192)
    id: Annotated[str, AfterValidator(uuid_of), Field(json_schema_extra={"format": "uuid"})] | None = None
    t_valid: Instant | None = None
    t_invalid: Instant | None = None
    updated_at: Instant | None = None
    last_accessed: Instant | None = None
    user_id: Name | None = None
    agent_id: Name | None = None


class MemoriesToStore(RequestModel):
    """Memories to store in one transaction."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"memories": [{"content": _CONTENT}]}]})

    memories: list[MemoryToStore] = Field(min_length=1, max_length=500)


class MemoryChanges(RequestModel):
    """Fields to change; metadata is merged, and null removes a key of it.

    ``id``, ``timestamp``, ``updated_at`` and ``last_accessed`` cannot be changed here.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "minProperties": 1,
            "examples": [
                {
                    "importance": 0.95,
                    "tags": [*_TAGS, "reviewed"],
                    "metadata": {"reviewed_at": "2026-02-01T10:00:00Z"},
                }
            ],
        },
    )

    content: Content | SkipJsonSchema[None] = None
    type: MemoryType | SkipJsonSchema[None] = None
    confidence: Fraction | SkipJsonSchema[None] = None
    tags: Tags | None = None
    importance: Fraction | SkipJsonSchema[None] = None
    metadata: dict[str, JsonValue] | None = None
    t_valid: Instant | None = None
    t_invalid: Instant | None = None

    _is_not_null = field_validator("content", "type", "confidence", "importance")(not_null)

    def set_fields(self) -> Mapping[str, Any]:
        """Return the fields that the caller set."""
        return {name: getattr(self, name) for name in self.model_fields_set}


class AssociationToMake(RequestModel):
    """An association of the first memory with the second; an existing one gets the new strength."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "memory1_id": AN_ID,
                    "memory2_id": ANOTHER_ID,
                    "type": "EVOLVED_INTO",
                    "strength": 0.8,
                }
            ]
        },
    )

    memory1_id: str = Field(min_length=1, max_length=128, json_schema_extra={"pattern": ID_PATTERN})
    memory2_id: str = Field(min_length=1, max_length=128, json_schema_extra={"pattern": ID_PATTERN})
    type: AssociationType
    strength: Fraction | None = None


class StoredMemory(ResponseModel):
    """The receipt of ``POST /memory``; background jobs do the rest of the work.

    Attributes:
        enrichment: ``done`` if the memory existed and is linked already.
        embedding: ``stored`` if the memory has its vector already.
        summarized: True if a language model shortened the text; otherwise these three fields are omitted.
        warnings: Possible improvements of the memory; omitted if there are none.
        deduplicated: True if a memory already says the same; ``memory_id`` is then its id. Otherwise omitted.
        merged: Fields of the call merged into that memory: tags, metadata, importance; omitted if there are none.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "memory_id": AN_ID,
                    "type": "Decision",
                    "confidence": 0.9,
                    "enrichment": "queued",
                    "embedding": "queued",
                }
            ]
        },
    )

    memory_id: str
    type: MemoryType
    confidence: Fraction
    enrichment: Literal["queued", "done"]
    embedding: Literal["queued", "stored"]
    summarized: bool | None = left_out()
    original_length: int | None = left_out()
    summarized_length: int | None = left_out()
    warnings: list[str] | None = left_out()
    deduplicated: bool | None = left_out()
    merged: list[str] | None = left_out()

    @classmethod
    def of(cls, saved: SavedMemory) -> Self:
        """Return the receipt of a save."""
        memory = saved.memory
        return cls(
            memory_id=memory.id,
            type=memory.type,
            confidence=memory.confidence,
            enrichment="done" if memory.enriched else "queued",
            embedding="queued" if memory.needs_reindex else "stored",
            summarized=saved.summarized or None,
            original_length=saved.original_length,
            summarized_length=saved.summarized_length,
            warnings=list(saved.warnings) or None,
            deduplicated=(saved.outcome is SaveOutcome.DEDUPLICATED) or None,
            merged=list(saved.merged) or None,
        )


class StoredMemories(ResponseModel):
    """The receipts of a batch, in the order of its memories."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "status": "success",
                    "stored": 1,
                    "memory_ids": [AN_ID],
                    "results": [
                        {
                            "memory_id": AN_ID,
                            "type": "Decision",
                            "confidence": 0.9,
                            "enrichment": "queued",
                            "embedding": "queued",
                        }
                    ],
                }
            ]
        }
    )

    status: Literal["success"] = "success"
    stored: int
    memory_ids: list[str]
    results: list[StoredMemory]

    @classmethod
    def of(cls, saved: Sequence[SavedMemory]) -> Self:
        """Return the receipts of saves."""
        receipts = [StoredMemory.of(each) for each in saved]
        return cls(stored=len(receipts), memory_ids=[each.memory_id for each in receipts], results=receipts)


class AutoMemMemory(ResponseModel):
    """A memory in AutoMem's form."""

    model_config = ConfigDict(json_schema_extra={"examples": [A_MEMORY]})

    id: str
    content: str
    type: MemoryType
    tags: list[str]
    importance: Fraction
    updated_at: datetime
    confidence: Fraction
    metadata: dict[str, Any]
    timestamp: datetime
    last_accessed: datetime | None
    t_valid: datetime | None
    t_invalid: datetime | None
    tag_prefixes: list[str]
    enriched: bool

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return AutoMem's form of a memory."""
        return cls(
            id=memory.id,
            content=memory.content,
            type=memory.type,
            tags=list(memory.tags),
            importance=memory.importance,
            updated_at=memory.updated_at,
            confidence=memory.confidence,
            metadata=dict(memory.metadata),
            timestamp=memory.timestamp,
            last_accessed=memory.last_accessed_at,
            t_valid=memory.t_valid,
            t_invalid=memory.t_invalid,
            tag_prefixes=list(spelled_tag_prefixes(memory.tags)),
            enriched=memory.enriched,
        )


class ChangedMemory(ResponseModel):
    """A memory, after a change or as read."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"status": "success", "memory": A_MEMORY}]})

    status: Literal["success"] = "success"
    memory: AutoMemMemory


class DeletedMemory(ResponseModel):
    """Result of deleting a memory."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "success", "message": f"Memory {AN_ID} deleted"}]}
    )

    status: Literal["success"] = "success"
    message: str


class DeletedMemories(ResponseModel):
    """Result of deleting memories."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "success", "tags": ["slack"], "deleted_count": 2}]}
    )

    status: Literal["success"] = "success"
    tags: list[str]
    deleted_count: int


class MadeAssociation(ResponseModel):
    """The association after the call."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "status": "success",
                    "association_id": "rel_4f7q2m9s1t8w3y6p5k0d1c2b",
                    "memory1_id": AN_ID,
                    "memory2_id": ANOTHER_ID,
                    "type": "EVOLVED_INTO",
                    "strength": 0.8,
                    "created_at": "2026-02-01T10:00:00Z",
                }
            ]
        }
    )

    status: Literal["success"] = "success"
    association_id: str
    memory1_id: str
    memory2_id: str
    type: AssociationType
    strength: Fraction
    created_at: datetime

    @classmethod
    def of(cls, association: Association) -> Self:
        """Return AutoMem's form of an association."""
        return cls(
            association_id=association.id,
            memory1_id=association.from_id,
            memory2_id=association.to_id,
            type=association.type,
            strength=association.strength,
            created_at=association.created_at,
        )
