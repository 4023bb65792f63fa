"""Reads conversations and facts from files and brings them to a running service."""

from collections.abc import Mapping
from types import MappingProxyType

from app.cli.importers.chatgpt import read_chatgpt
from app.cli.importers.claude import read_claude
from app.cli.importers.jsonl import read_jsonl
from app.cli.importers.locomo import read_locomo
from app.cli.importers.models import Reader

READERS: Mapping[str, Reader] = MappingProxyType(
    {"locomo": read_locomo, "jsonl": read_jsonl, "chatgpt": read_chatgpt, "claude": read_claude}
)
"""The reader of each format that ``recollect import --format`` takes."""
