"""Numbered pages and the ranges of settings."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.core.errors import InvalidInput
from graph.operations.models import SettingsChange
from graph.retrieval.pages import NumberedPage
from graph.tenancy.settings import TWO_NAMES, WorkspaceSettings, merged

_VALUES = {
    "memoryMaxTokens": st.integers(0, 16_000),
    "memoryRetentionDays": st.integers(1, 365),
    "memoryStrategy": st.sampled_from(["exact", "recent", "semantic", "hybrid"]),
}


@given(total=st.integers(0, 1000), limit=st.integers(1, 200), page=st.integers(1, 300))
def test_pages_cover_the_list_once(total: int, limit: int, page: int) -> None:
    """K7: a page's offset gives its number, and the last page is not empty."""
    numbered = NumberedPage([], total=total, tokens=0, offset=(page - 1) * limit, limit=limit)

    assert numbered.page == page
    assert (numbered.total_pages - 1) * limit < total <= numbered.total_pages * limit or total == 0
    assert (numbered.offset < total) == (page <= numbered.total_pages)


@given(offset=st.integers(0, 10_000), limit=st.integers(1, 200))
def test_the_page_of_an_offset_holds_its_row(offset: int, limit: int) -> None:
    """K7."""
    page = NumberedPage([], total=0, tokens=0, offset=offset, limit=limit).page

    assert (page - 1) * limit <= offset < page * limit


@given(
    name=st.sampled_from([("maxTokens", 0, 16_000), ("retentionDays", 1, 365)]),
    value=st.integers(-(10**6), 10**6) | st.sampled_from([-1, 0, 1, 365, 366, 16_000, 16_001]),
)
def test_numbers_are_accepted_only_within_their_range(name: tuple[str, int, int], value: int) -> None:
    """M4."""
    field, least, most = name
    if least <= value <= most:
        assert SettingsChange.read({field: value}).model_dump(by_alias=True, exclude_unset=True) == {
            field: value
        }
        return
    with pytest.raises(InvalidInput) as refusal:
        SettingsChange.read({field: value})
    assert refusal.value.field == field


@given(value=st.text() | st.floats() | st.lists(st.integers()) | st.datetimes(timezones=st.just(UTC)))
def test_invalid_numbers_and_switches_are_refused(value: str | float | list[int] | datetime) -> None:
    """M4, K20."""
    for field in ("maxTokens", "retentionDays", "enabled", "staticEnabled"):
        with pytest.raises(InvalidInput) as refusal:
            SettingsChange.read({field: value})
        assert refusal.value.field == field


@given(
    writes=st.lists(
        st.sampled_from(sorted(_VALUES)).flatmap(
            lambda key: st.tuples(
                st.sampled_from([key, TWO_NAMES[key]]), _VALUES[key] | st.none(), st.just(key)
            )
        ),
        max_size=12,
    )
)
def test_the_last_written_name_of_a_setting_applies(writes: list[tuple[str, object, str]]) -> None:
    """M5."""
    stored: dict[str, object] = {}
    expected: dict[str, object] = {}
    for name, value, key in writes:
        stored = merged(stored, {name: value})
        expected[key] = value

    read = WorkspaceSettings.of(stored)
    assert not any({key, other} <= stored.keys() for key, other in TWO_NAMES.items())
    for key, field in (
        ("memoryMaxTokens", read.max_tokens),
        ("memoryRetentionDays", read.retention_days),
        ("memoryStrategy", read.strategy),
    ):
        assert field == expected.get(key)
