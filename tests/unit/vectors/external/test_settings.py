"""B23, B24: the settings of the external tier, from the environment and changed at run time."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from app.bootstrap.vectors import open_tier, tier_settings
from app.settings import Settings
from graph.core.ports import TierFailed
from graph.vectors.external.models import TIER_KEYS, TierChange, TierSettings, VectorStore


def test_the_environment_sets_the_address_of_the_tier(monkeypatch):
    """B23: the key is stored but never shown."""
    for name, value in {
        "ENABLED": "true", "HOST": "https://q.example", "PORT": "7000", "API_KEY": "qk-secret",
        "COLLECTION": "mine",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"RECOLLECT_QDRANT_{name}", value)

    found = tier_settings(Settings(_env_file=None))

    assert (found.enabled, found.host, found.port) == (True, "https://q.example", 7000)
    assert (found.collection, found.has_key) == ("mine", True)
    assert found.target == "https://q.example:7000/mine"
    assert "qk-secret" not in repr(found)
    assert "qk-secret" not in found.model_dump_json()


def test_without_settings_it_is_off_and_has_omniroutes_defaults():
    found = tier_settings(Settings(_env_file=None))

    assert (found.enabled, found.target, found.has_key) == (False, None, False)
    assert (found.host, found.port, found.collection) == ("127.0.0.1", 6333, "omniroute_memory")
    assert (found.quantization, found.vector_store) == ("none", VectorStore.AUTO)


@pytest.mark.parametrize(
    ("group", "name", "value"),
    [
        ("qdrant", "port", 0),
        ("qdrant", "port", 70_000),
        ("qdrant", "collection", ""),
        ("qdrant", "collection", "a/b"),
        ("qdrant", "host", ""),
    ],
)
def test_a_value_outside_its_clamp_is_refused(group, name, value):
    with pytest.raises(ValidationError):
        Settings(_env_file=None, **{group: {name: value}})


def test_in_process_stores_are_distinct():
    """It starts empty, so it differs from the previous one."""
    settings = Settings(_env_file=None, qdrant={"enabled": True, "host": ":memory:"})

    assert tier_settings(settings).target != tier_settings(settings).target


def stored_by(changes: Sequence[TierChange]) -> dict[str, Any]:
    """Return the graph's settings after some changes; a row without a value removes its setting."""
    rows = {row["key"]: row["value"] for change in changes for row in change.rows()}
    return {name: json.loads(rows[key]) for name, key in TIER_KEYS.items() if rows.get(key) is not None}


def test_settings_changed_at_run_time_override_those_of_the_process():
    """B23: an omitted setting stays, None resets it, and an empty key removes it."""
    own = TierSettings(enabled=True, host="q", api_key=SecretStr("own"), collection="c")
    changes = [
        TierChange(port=7000, api_key=SecretStr("stored"), vector_store=VectorStore.QDRANT),
        TierChange(api_key=SecretStr(""), port=None),
        TierChange(api_key=None),
    ]
    first, second, third = (stored_by(changes[: count + 1]) for count in range(3))

    assert first == {"port": 7000, "api_key": "stored", "vector_store": "qdrant"}
    assert own.with_stored(first).port == 7000
    assert own.with_stored(first).api_key.get_secret_value() == "stored"
    assert second == {"api_key": "", "vector_store": "qdrant"}
    assert (own.with_stored(second).has_key, own.with_stored(second).port) == (False, 6333)
    assert own.with_stored(third).api_key.get_secret_value() == "own"
    assert own.with_stored({}) == own


@pytest.mark.parametrize(
    "change",
    [
        {"host": ":memory:"},
        {"host": "/etc"},
        {"host": ""},
        {"host": "file://x"},
        {"host": "a b"},
        {"host": "http://q/path"},
        {"port": 0},
        {"collection": "../x"},
        {"quantization": "int4"},
        {"vector_store": "pgvector"},
        {"unknown": 1},
    ],
    ids=str,
)
def test_a_change_that_breaks_a_rule_is_refused(change):
    """A caller who may change settings at run time must not open a folder of the server."""
    with pytest.raises(ValidationError):
        TierChange(**change)


@pytest.mark.parametrize("host", ["localhost", "10.0.0.7", "[::1]", "q.example:7000", "https://q.example/"])
def test_hosts_of_every_usual_form_are_accepted(host):
    assert TierChange(host=host).host == host


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "qdrant_client", None)
    monkeypatch.delitem(__import__("sys").modules, "app.adapters.qdrant_tier", raising=False)

    with pytest.raises(TierFailed, match="make extra NAME=qdrant"):
        open_tier(TierSettings(enabled=True), "here")
