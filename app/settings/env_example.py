"""Writes ``.env.example`` from the settings: ``python -m app.settings.env_example`` (part of ``make fix``)."""

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo

from app.settings import Settings

FILE = Path(__file__).parents[2] / ".env.example"

_WIDTH = 108
_HEAD = """\
# Settings of Recollect. Copy this file to .env and change what you need; each line shows the default.
# A setting that is empty here is unset.
"""


def render() -> str:
    """Return the file's text: every setting with its documentation and default, group by group."""
    return "\n".join([_HEAD, *_settings("RECOLLECT", Settings)])


def _settings(prefix: str, model: type[BaseModel]) -> Iterator[str]:
    groups: list[tuple[str, type[BaseModel]]] = []
    for name, field in model.model_fields.items():
        variable = f"{prefix}_{name}".upper()
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            groups.append((variable, field.annotation))
        else:
            yield _setting(variable, field)
    for variable, group in groups:
        yield f"# ---- {(group.__doc__ or '').strip().replace('``', '`')} ----\n"
        yield from _settings(variable, group)


def _setting(variable: str, field: FieldInfo) -> str:
    text = " ".join((field.description or "").replace("``", "`").split())
    if get_origin(field.annotation) is Literal:
        text += f" (one of: {', '.join(get_args(field.annotation))})"
    comment = textwrap.fill(text, _WIDTH, initial_indent="# ", subsequent_indent="# ")
    return f"{comment}\n# {variable}={_shown(field.default)}\n"


def _shown(value: Any) -> str:
    if value is None or isinstance(value, SecretStr):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    FILE.write_text(render(), encoding="utf-8")
