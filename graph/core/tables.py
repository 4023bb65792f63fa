"""Tables of words and patterns in TOML files beside the modules that use them."""

import tomllib
from importlib.resources import files
from typing import Any


def read_table(package: str, name: str) -> dict[str, Any]:
    """Return the content of the TOML file ``name`` of a package."""
    return tomllib.loads(files(package).joinpath(name).read_text(encoding="utf-8"))
