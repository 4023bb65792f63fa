"""Tables of words and patterns that lie as TOML beside the modules that use them."""

import tomllib
from importlib.resources import files
from typing import Any


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return what the file ``name`` of a package holds."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
