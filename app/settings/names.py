"""Names of settings in the environment; unknown names with the prefix are refused."""

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic_settings import BaseSettings, EnvSettingsSource

from app.settings.values import SettingGroup

PREFIX = "RECOLLECT_"
"""Prefix of every setting's variable."""

_ADDRESS, _KEY = f"{PREFIX}api_url".lower(), f"{PREFIX}api_key".lower()
_SERVICE_LINK = re.compile(
    rf"{PREFIX}(\w+_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)",
    re.IGNORECASE,
)
_LINKED_PORT = re.compile(rf"{PREFIX}(\w+_)?PORT", re.IGNORECASE)
_LINKED_ADDRESS = re.compile(r"(tcp|udp|sctp)://")

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
        return float("nan")  # the field's bounds refuse it


class OtherNames(EnvSettingsSource):
    """Settings under the names of other memory services; a variable with the prefix overrides them.

    Args:
        variables: Sources of variables; the first with a name wins.
    """

    def __init__(self, settings_cls: type[BaseSettings], *variables: Mapping[str, str | None]) -> None:
        super().__init__(settings_cls)
        self._variables = ChainMap(*map(dict, variables))

    def __call__(self) -> dict[str, Any]:
        """Return the set variables in the form of the settings."""
        groups: dict[str, Any] = {}
        for name, (group, field, convert) in _OTHER_NAMES.items():
            if value := self._variables.get(name):
                (groups.setdefault(group, {}) if group else groups)[field] = convert(value)
        return groups


class UnknownSetting(ValueError):
    """Raised if a variable with the prefix is not a setting; the message suggests the nearest name."""


def without_service_links(variables: Mapping[str, str | None]) -> dict[str, str | None]:
    """Return variables without those that Kubernetes sets for the services of a namespace.

    For a service ``recollect`` they begin with the prefix of settings: ``RECOLLECT_PORT=tcp://10.0.0.7:8000``.
    """
    return {name: value for name, value in variables.items() if not _is_service_link(name, value or "")}


def without_strange_address(
    variables: Mapping[str, str | None], environment: Mapping[str, str | None]
) -> dict[str, str | None]:
    """Return a file's variables, without its service address if only the environment has the key.

    Anybody may have written the file in the current folder, and the key must not be sent to the address in it.
    """
    is_strange = _KEY in environment and _ADDRESS not in environment
    return {name: value for name, value in variables.items() if not (is_strange and name == _ADDRESS)}


def check_names(settings_cls: type[BaseSettings], variables: Mapping[str, str | None]) -> None:
    """Refuse unknown variables, because a misspelt one would have no effect.

    Raises:
        UnknownSetting: A variable with the prefix is not a setting.
    """
    known = set(_variables_of(settings_cls))
    for name in variables:
        if name.lower().startswith(PREFIX.lower()) and name.upper() not in known:
            near = get_close_matches(name.upper(), known, n=1, cutoff=0)
            raise UnknownSetting(f"{name.upper()} is not a setting; the nearest is {near[0]}")


def _variables_of(settings_cls: type[BaseSettings]) -> Iterator[str]:
    """Yield the variable of each setting, never of a whole group."""
    for name, field in settings_cls.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, SettingGroup):
            yield from (f"{PREFIX}{name}_{inner}".upper() for inner in field.annotation.model_fields)
        else:
            yield f"{PREFIX}{name}".upper()


def _is_service_link(name: str, value: str) -> bool:
    linked_port = _LINKED_PORT.fullmatch(name) and _LINKED_ADDRESS.match(value)
    return bool(linked_port or _SERVICE_LINK.fullmatch(name))
