"""Settings of a workspace, under their stored names."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

import structlog
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

from graph.core.errors import InvalidInput
from graph.core.text.normal_forms import composed


class RawRetention(StrEnum):
    """Retention of the text of messages.

    A deleted message keeps its id, its position and a hash, so that a capture does not store it again.
    """

    UNTIL_CONSOLIDATED = "until_consolidated"
    """An episode replaces old messages."""
    UNTIL_EXTRACTED = "until_extracted"
    """Messages lose their text after every extractor has read them; episodes then have no text to summarise."""
    KEEP = "keep"
    """Messages stay, even after an episode summarises them."""


_log = structlog.get_logger("recollect.settings")

MOST_TOKENS_SET: Final = 16_000
"""Upper bound of ``max_tokens``; values above 8000 count as 8000."""
MOST_RETENTION_DAYS: Final = 365


class Skill(BaseModel):
    """A tool for models that the caller executes; ``parameters`` is a JSON Schema."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")
    description: str = Field("", max_length=1024)
    parameters: Mapping[str, Any] = {"type": "object", "properties": {}}

    @field_validator("name")
    @classmethod
    def _is_the_callers(cls, name: str) -> str:
        if name.startswith("x_"):
            raise ValueError("names that begin with x_ are reserved for the service's own tools")
        return name


TWO_NAMES: Final[Mapping[str, str]] = {
    "memoryStrategy": "strategy",
    "memoryMaxTokens": "maxTokens",
    "memoryRetentionDays": "retentionDays",
}
"""Settings with two names; the last written one counts."""
MEMORY_ENABLED: Final = "memoryEnabled"
"""Name of the memory switch among settings; its value is stored only in the workspace's own property."""


def _either(name: str) -> AliasChoices:
    return AliasChoices(name, TWO_NAMES[name])


class WorkspaceSettings(BaseModel):
    """The known settings of a workspace; None means the deployment's value. Unknown stored settings stay unchanged.

    Attributes:
        max_tokens: Token limit of a turn's injection, 0 for nothing; values above 8000 count as 8000.
        retention_days: Maximum age of recalled memories on surfaces with retention.
        strategy: Default strategy of recall; ``recent`` is a synonym of ``exact``.
        similarity_threshold: Minimum cosine of automatic injection; None: the embedder's calibrated relevance.
        injection_max_memories: Maximum number of memories injected into a turn.
        extraction_mode: Extractors of facts.
        extract_from: Authors of the messages to extract from.
        extraction_window_seconds: Silence of a conversation before extraction.
        extraction_confidence: Minimum confidence of an automatically extracted fact.
        raw_conversation_retention: Retention of messages' text.
        skills_enabled: Offer ``skills`` to models; None: no.
        skills: Tools by ids of API keys, for chats with these keys; ``*`` for every key.
        ontology_strict: Allow registered types only; None: register others on first use.
        store_document_text: Allow storing whole texts of documents.
        pool: ``WORKSPACE``: one memory for all keys; ``KEY``: each key other than an administrator's has its own memory
            in addition to the shared one. None: ``WORKSPACE``.
        lifetime_days: Lifetime in days, by type or category, of memories saved without an end; the category overrides
            the type.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    strategy: Literal["exact", "recent", "semantic", "hybrid"] | None = Field(
        None, validation_alias=_either("memoryStrategy")
    )
    max_tokens: int | None = Field(
        None, ge=0, le=MOST_TOKENS_SET, validation_alias=_either("memoryMaxTokens")
    )
    retention_days: int | None = Field(
        None, ge=1, le=MOST_RETENTION_DAYS, validation_alias=_either("memoryRetentionDays")
    )
    similarity_threshold: float | None = Field(None, ge=-1, le=1, alias="similarityThreshold")
    injection_max_memories: int | None = Field(None, ge=0, le=20, alias="injectionMaxMemories")
    extraction_mode: Literal["regex", "llm", "both", "off"] | None = Field(None, alias="extractionMode")
    extract_from: Literal["user", "assistant", "both"] | None = Field(None, alias="extractFrom")
    extraction_window_seconds: float | None = Field(None, ge=0, le=3600, alias="extractionWindowSeconds")
    extraction_confidence: float | None = Field(None, ge=0, le=1, alias="extractionConfidence")
    raw_conversation_retention: Literal["until_consolidated", "until_extracted", "keep"] | None = Field(
        None, alias="rawConversationRetention"
    )
    skills_enabled: bool | None = Field(None, alias="skillsEnabled")
    skills: Mapping[str, list[Skill]] = Field({}, max_length=1000)
    ontology_strict: bool | None = Field(None, alias="ontologyStrict")
    store_document_text: bool | None = None
    pool: Literal["WORKSPACE", "KEY"] | None = None
    lifetime_days: Mapping[str, Annotated[float, Field(gt=0, le=36_500)]] = Field(
        {}, max_length=100, alias="lifetimeDays"
    )

    @field_validator("lifetime_days")
    @classmethod
    def _named_as_stored(cls, days: Mapping[str, float]) -> Mapping[str, float]:
        return {composed(name): lifetime for name, lifetime in days.items()}

    @property
    def has_pool_of_each_key(self) -> bool:
        """True if each key has its own memory."""
        return self.pool == "KEY"

    @property
    def raw_retention(self) -> RawRetention | None:
        """Return ``raw_conversation_retention`` as a member of the enum."""
        chosen = self.raw_conversation_retention
        return RawRetention(chosen) if chosen else None

    def skills_of(self, key_id: str) -> list[Skill]:
        """Return the tools for chats with a key: its own, then those for every key."""
        if not self.skills_enabled:
            return []
        chosen: dict[str, Skill] = {}
        for skill in (*self.skills.get(key_id, ()), *self.skills.get("*", ())):
            chosen.setdefault(skill.name, skill)
        return list(chosen.values())

    @classmethod
    def of(cls, settings: Mapping[str, Any], *, workspace_id: str | None = None) -> "WorkspaceSettings":
        """Parse stored settings; an invalid value becomes the default.

        Args:
            settings: Stored settings.
            workspace_id: Workspace of the settings, for one log entry per invalid value; None: no log.
        """
        try:
            return cls.model_validate(dict(settings))
        except ValidationError:
            reasons = unreadable(settings)
        if workspace_id is not None:
            for name, reason in reasons.items():
                _note_unreadable(workspace_id, name, reason)
        return cls.model_validate({name: value for name, value in settings.items() if name not in reasons})


def unreadable(settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the reasons why known settings have invalid values, by the stored names of the settings."""
    reasons: dict[str, str] = {}
    while True:
        try:
            WorkspaceSettings.model_validate({n: v for n, v in settings.items() if n not in reasons})
        except ValidationError as error:
            for each in error.errors(include_url=False):
                reasons.setdefault(str(each["loc"][0]), f"{each['msg']}, got {each['input']!r:.60}")
        else:
            return reasons


def check_values(settings: Mapping[str, Any]) -> None:
    """Check that every known setting has a valid value.

    Raises:
        InvalidInput: A setting has an invalid value.
    """
    for name, reason in unreadable(settings).items():
        raise InvalidInput(f"settings.{name}", f"settings.{name}: {reason}")


@lru_cache(maxsize=1000)
def _note_unreadable(workspace_id: str, name: str, reason: str) -> None:
    """Log an invalid setting once."""
    _log.warning("settings.not_read", workspace_id=workspace_id, field=f"settings.{name}", reason=reason)


def _names() -> Iterator[str]:
    """Yield all valid names of settings."""
    for name, field in WorkspaceSettings.model_fields.items():
        alias = field.validation_alias or name
        yield from map(str, alias.choices) if isinstance(alias, AliasChoices) else (str(alias),)


_KNOWN: Final = sorted(
    {
        MEMORY_ENABLED,
        *_names(),
        *(field.alias or name for name, field in WorkspaceSettings.model_fields.items()),
    }
)


def _check_known(names: Iterable[str]) -> None:
    for name in names:
        if name not in _KNOWN:
            field = f"settings.{name[:80]}"
            near = get_close_matches(name, _KNOWN, n=1, cutoff=0)[0]
            raise InvalidInput(field, f"{field} is not a setting of a workspace; the nearest is {near}")


def merged(stored: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings after a change; null removes a setting under all its names.

    Unchanged stored values are not checked again, so that an invalid one does not block other changes.

    Raises:
        InvalidInput: A changed setting is neither known nor stored, or has an invalid value.
    """
    replaced = {
        other
        for pair in TWO_NAMES.items()
        for name, other in (pair, pair[::-1])
        if name in changes and other not in changes
    }
    _check_known(name for name in changes if name not in stored)
    check_values({name: value for name, value in changes.items() if value is not None})
    remaining = {name: value for name, value in stored.items() if name not in replaced}
    return {name: value for name, value in {**remaining, **changes}.items() if value is not None}
