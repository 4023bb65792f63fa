"""Shared types of settings: addresses and keys; values that no request could use are refused at startup."""

from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlsplit

import httpx
from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr


class SettingGroup(BaseModel):
    """Immutable settings of one concern; unknown names are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def _address(*schemes: str) -> Callable[[str], str]:
    """Return a check of addresses; its errors do not quote an address, which may contain a password."""
    beginnings = [f"{scheme}://" for scheme in schemes]

    def checked(url: str) -> str:
        if not url.startswith(tuple(beginnings)):
            raise ValueError(f"it must begin with {', '.join(beginnings[:-1])} or {beginnings[-1]}")
        try:
            parts = urlsplit(url)
            _ = parts.port  # raises if it is not a number
        except ValueError as error:
            raise ValueError("it is not an address; check its port") from error
        if not (parts.hostname or (parts.scheme == "unix" and parts.path)):
            raise ValueError("it has no host")
        return url

    return checked


def _web_address(url: str) -> str:
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError("it is not an address") from error
    return url


def _sendable(key: SecretStr) -> SecretStr:
    value = key.get_secret_value()
    if not (value.isascii() and value.isprintable()):
        raise ValueError("it contains characters that are not allowed in a key; copy it again")
    return key


HttpUrl = Annotated[str, AfterValidator(_address("http", "https")), AfterValidator(_web_address)]
"""An address for HTTP requests."""
Neo4jUri = Annotated[
    str, AfterValidator(_address("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"))
]
"""An address for Neo4j's driver."""
RedisUrl = Annotated[str, AfterValidator(_address("redis", "rediss", "unix"))]
"""An address for the Redis client."""
SentKey = Annotated[SecretStr, AfterValidator(_sendable)]
"""A key that an HTTP header can contain."""
