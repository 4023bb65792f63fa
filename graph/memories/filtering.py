"""Converts the filter of lists, counts and recalls to query parameters."""

from collections.abc import Mapping, Sequence
from typing import Any

from graph.core.errors import InvalidInput
from graph.core.text.checks import short_name, short_text, storable
from graph.core.text.normal_forms import comparable
from graph.core.time import in_utc, period_in_utc
from graph.memories import rules
from graph.memories.models import MemoryFilter
from graph.memories.tags import comparable_tag

_MOST_VALUES = 100


def filter_parameters(filter_: MemoryFilter) -> dict[str, Any]:
    """Return the query parameters of a filter.

    Blank names are refused: like omitted names, they would match everything.

    Raises:
        InvalidInput: A field breaks a rule; the error names the first one and the expected form.
    """
    since, until = period_in_utc(filter_.since, filter_.until)
    window = filter_.retention
    return {
        "admits_all": filter_ == MemoryFilter(),
        "types": list(filter_.types),
        "kinds": list(filter_.kinds),
        "facets": list(filter_.facets),
        "categories": _names("categories", filter_.categories),
        "source_types": _names("sourceTypes", filter_.source_types),
        "any_tags": validated_filter_tags("anyTags", filter_.any_tags),
        "all_tags": validated_filter_tags("allTags", filter_.all_tags),
        "excluded_tags": validated_filter_tags("excludedTags", filter_.excluded_tags),
        "excluded_speakers": _names("excludedSpeakers", filter_.excluded_speakers),
        "min_importance": rules.fraction("minImportance", filter_.min_importance),
        "min_confidence": rules.fraction("minConfidence", filter_.min_confidence),
        "confidence_below": rules.fraction("confidenceBelow", filter_.confidence_below),
        "conversation_id": short_text("conversationId", filter_.conversation_id),
        "session_id": short_text("sessionId", filter_.session_id),
        "since": since,
        "until": until,
        "valid_at": in_utc("validAt", filter_.valid_at),
        "text": comparable(storable("text", filter_.text)) if filter_.text else None,
        "api_key_id": short_text("apiKeyId", filter_.api_key_id),
        "retained_since": window.cutoff if window else None,
        "retained_source_types": list(window.source_types) if window else [],
    }


def having_any(tags: Sequence[str]) -> MemoryFilter:
    """Return the filter for memories with any of the tags, or a tag below one.

    Raises:
        InvalidInput: There is no tag; the filter would match everything.
    """
    if not tags:
        raise InvalidInput("tags", "tags must name at least one tag")
    return MemoryFilter(any_tags=tuple(tags))


def restricts(parameters: Mapping[str, Any]) -> bool:
    """Tell whether a filter may exclude a memory; empty lists and minimums of 0 exclude none.

    Args:
        parameters: The result of :func:`filter_parameters`.
    """
    return any(value for name, value in parameters.items() if name != "admits_all")


def validated_filter_tags(field: str, tags: Sequence[str]) -> list[str]:
    """Return the tags in the form of the stored prefixes.

    Raises:
        InvalidInput: There are more than 100, or one is blank, longer than 200 characters or not storable.
    """
    return [comparable_tag(tag) for tag in _names(field, tags, limit=200)]


def _names(field: str, values: Sequence[str], *, limit: int = 512) -> list[str]:
    if len(values) > _MOST_VALUES:
        raise InvalidInput(field, f"{field} must have at most {_MOST_VALUES} entries, got {len(values)}")
    return [short_name(field, value, limit=limit) or "" for value in values]
