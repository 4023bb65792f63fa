"""The time for which memories are recalled (A36), and decisions on deletes (A30)."""

from datetime import UTC, datetime, timedelta

import pytest

from app.bootstrap.dependencies import memory_policy
from app.settings import MemorySettings
from graph.memories.policy import DeleteMode, MemoryPolicy, Retention, RetentionSurface

NOW = datetime(2026, 5, 31, 12, tzinfo=UTC)
OLD = NOW - timedelta(days=30, microseconds=1)
JUST_YOUNG_ENOUGH = NOW - timedelta(days=30)


def test_the_omniroute_surface_drops_every_old_memory():
    window = Retention().window(RetentionSurface.API_MEMORY, NOW)

    assert not window.admits(created_at=OLD, updated_at=NOW, source_type="user")
    assert window.admits(created_at=JUST_YOUNG_ENOUGH, updated_at=JUST_YOUNG_ENOUGH, source_type="user")


def test_injection_drops_only_extracted_memories():
    window = Retention().window(RetentionSurface.INJECTION_AUTO, NOW)

    assert not window.admits(created_at=OLD, updated_at=OLD, source_type="auto_research")
    assert not window.admits(created_at=OLD, updated_at=OLD, source_type="extracted")
    assert window.admits(created_at=OLD, updated_at=OLD, source_type="user")
    assert window.admits(created_at=JUST_YOUNG_ENOUGH, updated_at=JUST_YOUNG_ENOUGH, source_type="extracted")
    assert window.admits(created_at=OLD, updated_at=JUST_YOUNG_ENOUGH, source_type="extracted")


def test_other_surfaces_are_not_cut():
    assert Retention().window(RetentionSurface.RECALL, NOW) is None


@pytest.mark.parametrize("surface", RetentionSurface)
def test_without_a_number_of_days_nothing_is_excluded(surface):
    assert Retention(days=None, applies_to=tuple(RetentionSurface)).window(surface, NOW) is None


def test_settings_become_the_policy():
    policy = memory_policy(
        MemorySettings(
            retention_days=0, retention_applies_to="recall", delete_mode="hard", dedup_threshold=0.9
        )
    )

    assert policy.retention == Retention(days=None, applies_to=frozenset({RetentionSurface.RECALL}))
    assert (policy.delete_mode, policy.dedup_threshold) == (DeleteMode.HARD, 0.9)
    assert memory_policy(MemorySettings()).retention.days == 30


@pytest.mark.parametrize(
    ("mode", "asked_hard", "is_hard"),
    [
        (DeleteMode.PER_SURFACE, True, True),
        (DeleteMode.PER_SURFACE, False, False),
        (DeleteMode.SOFT, True, False),
        (DeleteMode.HARD, False, True),
    ],
)
def test_the_deployment_may_overrule_how_a_surface_deletes(mode, asked_hard, is_hard):
    """A30."""
    assert MemoryPolicy(delete_mode=mode).is_hard(requests_hard=asked_hard) is is_hard
