"""The names that settings may have in the environment: one that nobody reads is refused."""

from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic_settings import BaseSettings, EnvSettingsSource

from app.settings.group import SettingGroup

PREFIX = "RECOLLECT_"
"""What the variable of every setting begins with."""


_QUANTIZATIONS = {"none": "NONE", "int8": "SCALAR"}
_OTHER_NAMES: Mapping[str, tuple[str, str, Callable[[str], Any]]] = {
    "memory_embedding_cache_max": ("embedding", "cache_max", str),
    "memory_embedding_cache_ttl_ms": ("embedding", "cache_ttl_seconds", lambda value: _number(value) / 1000),
    "memory_transformers_model": ("embedding", "model", str),
    "memory_static_model": ("embedding", "static_model", str),
    "memory_static_cache_dir": ("embedding", "static_cache_dir", str),
    "memory_vec_quantization": (
        "embedding",
        "quantization",
        lambda value: _QUANTIZATIONS.get(value.lower(), value),
    ),
    "memory_rrf_k": ("recall", "rrf_k", str),
    "memory_vec_top_k": ("recall", "vec_top_k", str),
    "recall_relation_limit": ("recall", "relation_limit", str),
    "automem_api_token": ("", "automem_api_token", str),
}


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return float("nan")  # refused by the field's own bounds


class OtherNames(EnvSettingsSource):
    """Settings under the names other memory services gave them; the prefixed name wins where both are there.

    Args:
        variables: Where they are looked for, the first that has a name being taken.
    """

    def __init__(self, settings_cls: type[BaseSettings], *variables: Mapping[str, str | None]) -> None:
        super().__init__(settings_cls)
        self._variables = ChainMap(*map(dict, variables))

    def __call__(self) -> dict[str, Any]:
        """Return what is set, in the form of the settings."""
        groups: dict[str, Any] = {}
        for name, (group, field, convert) in _OTHER_NAMES.items():
            if value := self._variables.get(name):
                (groups.setdefault(group, {}) if group else groups)[field] = convert(value)
        return groups


class UnknownSetting(ValueError):
    """Raised when a variable with our prefix names no setting; the text says which one is meant, most likely."""


class KnownNames(EnvSettingsSource):
    """Sets nothing and refuses what nobody would read: a variable that is misspelt would have no effect."""

    def __init__(self, settings_cls: type[BaseSettings], *variables: Mapping[str, str | None]) -> None:
        super().__init__(settings_cls)
        self._variables = variables

    def __call__(self) -> dict[str, Any]:
        """Return nothing.

        Raises:
            UnknownSetting: A variable or a line of ``.env`` begins with the prefix and names no setting.
        """
        known = set(_variables_of(self.settings_cls))
        for variables in self._variables:
            for name in variables:
                if name.lower().startswith(PREFIX.lower()) and name.upper() not in known:
                    near = get_close_matches(name.upper(), known, n=1, cutoff=0)
                    raise UnknownSetting(f"{name.upper()} is no setting; the nearest is {near[0]}")
        return {}


def _variables_of(settings_cls: type[BaseSettings]) -> Iterator[str]:
    """Yield the variable of every setting, and those that hold a whole group as JSON."""
    for name, field in settings_cls.model_fields.items():
        variable = f"{PREFIX}{name}".upper()
        yield variable
        if isinstance(field.annotation, type) and issubclass(field.annotation, SettingGroup):
            for inner in field.annotation.model_fields:
                yield f"{variable}_{inner}".upper()
