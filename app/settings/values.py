"""Kinds of values that settings share: addresses and keys. What no request could be made with is refused at once."""

from collections.abc import Callable
from typing import Annotated
from urllib.parse import urlsplit

import httpx
from pydantic import AfterValidator, BaseModel, ConfigDict, SecretStr


class SettingGroup(BaseModel):
    """Settings of one concern; they do not change, and one that nobody knows is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


def _address(*schemes: str) -> Callable[[str], str]:
    """Return a check of addresses; its errors quote nothing, for an address may hold a password."""
    beginnings = [f"{scheme}://" for scheme in schemes]

    def checked(url: str) -> str:
        if not url.startswith(tuple(beginnings)):
            raise ValueError(f"it must begin with {', '.join(beginnings[:-1])} or {beginnings[-1]}")
        try:
            parts = urlsplit(url)
            _ = parts.port  # raises where it is no number
        except ValueError as error:
            raise ValueError("it is no address; look at its port") from error
        if not (parts.hostname or (parts.scheme == "unix" and parts.path)):
            raise ValueError("it names no host")
        return url

    return checked


def _web_address(url: str) -> str:
    try:
        httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ValueError("it is no address") from error
    return url


def _sendable(key: SecretStr) -> SecretStr:
    value = key.get_secret_value()
    if not (value.isascii() and value.isprintable()):
        raise ValueError("it contains characters that are not allowed in a key; copy it again")
    return key


HttpUrl = Annotated[str, AfterValidator(_address("http", "https")), AfterValidator(_web_address)]
"""An address that HTTP requests can be sent to."""
Neo4jUri = Annotated[
    str, AfterValidator(_address("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"))
]
"""An address that Neo4j's driver knows."""
RedisUrl = Annotated[str, AfterValidator(_address("redis", "rediss", "unix"))]
"""An address that the client of Redis knows."""
SentKey = Annotated[SecretStr, AfterValidator(_sendable)]
"""A key that fits into a header of HTTP."""
