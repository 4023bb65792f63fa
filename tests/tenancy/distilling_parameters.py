"""Parameter values for the queries of distilling that their headers do not determine."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import OneOfEach


def _pending(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"id": f"dst_{names.mark}", "ids": [f"dst_{names.mark}"]}


DISTILLING_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "create_distillation": lambda names, _: {
        "id": f"dst_new{names.mark}",
        "properties": {"source": "tool", "text": "x", "api_key_id": names.key_id},
    },
    "delete_distillation": _pending,
    "get_distillations": _pending,
    "note_found": lambda names, _: {"id": f"dst_unread{names.mark}", "found": "[]"},
}
