"""``.env.example``: it documents every setting, and each of its lines works."""

import re
from itertools import pairwise

import pytest
from pydantic import BaseModel

from app.settings import Settings
from app.settings.env_example import FILE, render

SETTING = re.compile(r"^# (RECOLLECT_[A-Z0-9_]+)=(.*)$", re.MULTILINE)


def names_of(model: type[BaseModel], prefix: str = "RECOLLECT") -> set[str]:
    found: set[str] = set()
    for name, field in model.model_fields.items():
        variable = f"{prefix}_{name.upper()}"
        nested = isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel)
        found |= names_of(field.annotation, variable) if nested else {variable}
    return found


def test_the_env_example_matches_the_settings() -> None:
    assert FILE.read_text(encoding="utf-8") == render(), "refresh it with: python -m app.settings.env_example"


def test_every_setting_is_named_once() -> None:
    named = [name for name, _ in SETTING.findall(render())]

    assert sorted(named) == sorted(names_of(Settings))


def test_every_setting_is_documented() -> None:
    lines = render().splitlines()
    bare = [line for before, line in pairwise(lines) if SETTING.match(line) and before == "# "]

    assert bare == []


def test_the_defaults_shown_are_the_defaults(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enabling all lines of the file changes nothing."""
    for name in names_of(Settings):
        monkeypatch.delenv(name, raising=False)
    switched_on = tmp_path / ".env"
    switched_on.write_text("".join(f"{name}={value}\n" for name, value in SETTING.findall(render()) if value))

    assert Settings(_env_file=switched_on) == Settings(_env_file=None)
