"""Formats of ``recollect import``, with the options of each."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from app.cli.importers.automem import read_automem, read_omniroute
from app.cli.importers.chats import read_chatgpt, read_claude
from app.cli.importers.graphiti import Neo4jLogin, read_graphiti
from app.cli.importers.jsonl import read_jsonl
from app.cli.importers.langgraph import read_langgraph
from app.cli.importers.mem0 import read_mem0
from app.cli.importers.models import Contents, Reader, UnreadableFileError
from app.cli.importers.tables import read_csv
from app.cli.importers.vault import read_vault

Format = Literal[
    "jsonl", "chatgpt", "claude", "mem0", "graphiti", "zep", "automem", "omniroute", "langgraph",
    "markdown", "obsidian", "csv",
]  # fmt: skip
READERS: Mapping[str, Callable[..., Contents]] = MappingProxyType(
    {
        "jsonl": read_jsonl,
        "chatgpt": read_chatgpt,
        "claude": read_claude,
        "mem0": read_mem0,
        "graphiti": read_graphiti,
        "zep": read_graphiti,
        "automem": read_automem,
        "omniroute": read_omniroute,
        "langgraph": read_langgraph,
        "markdown": read_vault,
        "obsidian": read_vault,
        "csv": read_csv,
    }
)
_FOLDERS = frozenset({"markdown", "obsidian"})
_ADDRESSES = frozenset({"graphiti", "zep"})
_CUT = frozenset({"markdown", "obsidian", "langgraph"})
_OPTIONS: Mapping[str, frozenset[str]] = {
    "is_extracted": frozenset({"chatgpt", "claude"}),
    "columns": frozenset({"csv"}),
    "namespace": frozenset({"langgraph"}),
    "group_is_user": _ADDRESSES,
}
_FLAGS = {
    "is_extracted": "--extract",
    "columns": "--column",
    "namespace": "--namespace",
    "group_is_user": "--group-is-user",
}


def reader_of(format_: str, options: Mapping[str, Any], login: Neo4jLogin, content_chars: int) -> Reader:
    """Return the reader of a format with the given options.

    Raises:
        UnreadableFileError: The format has no such option.
    """
    for name, value in options.items():
        if value and format_ not in _OPTIONS[name]:
            raise UnreadableFileError(f"{_FLAGS[name]} is for {' and '.join(sorted(_OPTIONS[name]))} only")
    values: dict[str, Any] = {name: value for name, value in options.items() if value}
    if format_ in _ADDRESSES:
        values["login"] = login
    if format_ in _CUT:
        values["content_chars"] = content_chars
    return partial(READERS[format_], **values)


def source_of(format_: str, source: str) -> Path | str:
    """Return the file, folder or address of a source.

    Raises:
        UnreadableFileError: The source does not exist, or the format needs another kind of source.
    """
    if "://" in source and format_ in _ADDRESSES:
        return source
    path = Path(source)
    if not path.exists():
        raise UnreadableFileError("no such file or folder" if format_ in _FOLDERS else "no such file")
    if path.is_dir() and format_ not in _FOLDERS:
        raise UnreadableFileError(f"a folder; {format_} is read from a file")
    return path
