"""Tables of words and patterns in TOML files beside the modules that use them."""

import re
import tomllib
from importlib.resources import files
from typing import Any

_INDENTED = re.compile(r"(?:\A|\n) +")


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return the content of the TOML file ``name`` of a package.

    A long pattern stands on several indented lines, which are joined without their indentation.
    """
    table: dict[str, Any] = _joined(tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8")))
    return table


def _joined(value: Any) -> Any:
    """Join the indented lines of all strings in a value."""
    if isinstance(value, dict):
        return {key: _joined(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_joined(each) for each in value]
    return _INDENTED.sub("", value) if isinstance(value, str) and "\n " in value else value
