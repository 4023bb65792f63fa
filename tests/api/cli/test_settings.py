"""``recollect settings``."""

import json
import uuid

import pytest


@pytest.fixture
async def name(services) -> str:
    called = f"workspace {uuid.uuid4().hex[:12]}"
    await services.tenancy.workspaces.create(called)
    return called


async def test_settings_are_listed_set_and_reset(admin_cli, name: str) -> None:
    """K9, M4: a value is read as JSON, or as text if it is not JSON."""
    assert "strategy: hybrid" in await admin_cli.ok("settings", "show", "--workspace", name)

    assert "strategy: recent" in await admin_cli.ok(
        "settings", "set", "strategy", "recent", "--workspace", name
    )
    assert "maxTokens: 500" in await admin_cli.ok("settings", "set", "maxTokens", "500", "--workspace", name)
    assert "enabled: true" in await admin_cli.ok("settings", "set", "enabled", "true", "--workspace", name)
    assert "maxTokens: 2000" in await admin_cli.ok("settings", "reset", "maxTokens", "--workspace", name)
    shown = json.loads(await admin_cli.ok("settings", "show", "--workspace", name, "--json"))
    assert (shown["strategy"], shown["maxTokens"], shown["enabled"]) == ("recent", 2000, True)


async def test_memory_is_switched_by_either_name(admin_cli, name: str) -> None:
    """I4: a workspace names this setting ``memoryEnabled``."""
    assert "enabled: true" in await admin_cli.ok("settings", "set", "enabled", "true", "--workspace", name)
    assert "enabled: false" in await admin_cli.ok(
        "settings", "set", "memoryEnabled", "false", "--workspace", name
    )
    assert "enabled: false" in await admin_cli.ok("settings", "reset", "memoryEnabled", "--workspace", name)


async def test_a_wrong_setting_is_reported_in_one_line(admin_cli, name: str) -> None:
    assert "maxTokens" in await admin_cli.error("settings", "set", "maxTokens", "16001", "--workspace", name)
    assert "colour" in await admin_cli.error("settings", "set", "colour", "red", "--workspace", name)
