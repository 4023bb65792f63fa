"""Reads dumps of LangGraph stores: items from ``Item.dict()``, or rows of the table ``store``.

It saves them in the form of ``app.client.langgraph_store``, so that a store over Recollect finds them under their
names.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from app.cli.importers.json_records import json_object, read_list, text_of
from app.cli.importers.models import (
    Contents,
    ImportItem,
    Record,
    Remark,
    UnreadableFileError,
    read_item,
    read_moment,
)
from app.client.langgraph_layout import ROOT, memory_id, tag_of, texts_of

_SCOPES = {"{user}": "user_id", "{agent}": "agent_id"}


def read_langgraph(
    path: Path, max_chars: int, *, namespace: str | None = None, content_chars: int = 2000
) -> Contents:
    """Return the records of a dump.

    Args:
        path: Path of the dump.
        max_chars: Unused: values are stored completely, and contents are truncated to ``content_chars``.
        namespace: Pattern of labels with a user or an agent, such as ``users/{user}/*``; None: no such label.
        content_chars: Maximum length of a memory's content.

    Raises:
        UnreadableFileError: The file has no item of a store, or the pattern has neither a user nor an agent.
    """
    del max_chars
    scopes = _scopes(namespace)
    found = read_list(path, ("items", "store", "data"))
    if not any(_namespace(each) for each in found):
        raise UnreadableFileError(
            "no item found; a dump of a LangGraph store lists {namespace: [...], key, value, created_at, updated_at}"
        )
    records = (
        record
        for position, each in enumerate(found, 1)
        for record in _read(position, each, scopes, content_chars)
    )
    return Contents(records, len(found))


def _scopes(template: str | None) -> Mapping[int, str]:
    """Return the meaning of labels by their index."""
    labels = enumerate((template or "").split("/"))
    scopes = {place: _SCOPES[label] for place, label in labels if label in _SCOPES}
    if template is not None and not scopes:
        raise UnreadableFileError(
            f"namespace {template!r} has neither {{user}} nor {{agent}}, as users/{{user}}"
        )
    return scopes


def _namespace(item: Any) -> tuple[str, ...] | None:
    """Return the labels of an item's namespace, which rows of the table join with dots; None if it is not an item."""
    if (
        not isinstance(item, Mapping)
        or not text_of(item.get("key"))
        or json_object(item.get("value")) is None
    ):
        return None
    found = item.get("namespace", item.get("prefix"))
    labels = found.split(".") if isinstance(found, str) else found
    if (
        not isinstance(labels, list)
        or not labels
        or not all(isinstance(each, str) and each for each in labels)
    ):
        return None
    return tuple(labels)


def _read(position: int, item: Any, scopes: Mapping[int, str], content_chars: int) -> Iterator[Record]:
    namespace = _namespace(item)
    if namespace is None:
        yield Remark(f"#{position}", "not an item: namespace, key or value is missing")
        return
    key, value = item["key"], json_object(item["value"]) or {}
    text = "\n".join(texts_of(value)).strip()
    held = {
        "namespace": namespace,
        "key": key,
        "value": value,
        "putAt": _put_at(item.get("updated_at") or item.get("created_at")),
        "indexed": bool(text),
        "ttlMinutes": item.get("ttl_minutes"),
    }
    fields = {
        "content": (text or "/".join((*namespace, key)))[:content_chars],
        "tags": [tag_of(namespace)],
        "metadata": {ROOT: held | {"namespace": list(namespace)}},
        "timestamp": item.get("created_at"),
        "created_at": item.get("created_at"),
        "updated_at": item.get("updated_at"),
        "expires_at": item.get("expires_at"),
        **{name: namespace[place] for place, name in scopes.items() if place < len(namespace)},
        "dedup": False,
    }
    for record in read_item("/".join((*namespace, key)), fields, max_chars=content_chars):
        if isinstance(record, ImportItem):
            yield ImportItem(record.where, record.memory, id_in=partial(_id_in, namespace, key))
        else:
            yield record


def _put_at(stated: Any) -> str:
    """Return the time of the last put; an unreadable time stays, so that the check of the field refuses the item."""
    try:
        moment = read_moment(stated or None)
    except ValueError:
        moment = None
    return "1970-01-01T00:00:00Z" if moment is None else moment.isoformat()


def _id_in(namespace: Sequence[str], key: str, workspace_id: str) -> str:
    return memory_id(workspace_id, namespace, key)
