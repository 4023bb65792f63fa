"""Parameter values for the queries of slots that their headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from tests.fixtures.graphs import NOW, OneOfEach

_LATER = NOW + timedelta(days=1)


def _settled(names: OneOfEach, _: str) -> Mapping[str, Any]:
    edge = {"id": f"rel_{secrets.token_hex(8)}", "slot": "home", "key": "x", "words": "x", "at": _LATER}
    row = {
        "id": names.memory_ids[3],
        "t_invalid": _LATER,
        "slot_closed_at": _LATER,
        "slot_keys": ["x"],
        "state_keys": ["x"],
    }
    drawn = [{**edge, "newer_id": names.memory_ids[0]}]
    return {"rows": [{**row, "changes_validity": True, "slot_refused": None, "dropped": [], "drawn": drawn}]}


CHANGES_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "list_latest_of_slots": lambda names, _: {
        "slots": [{"key": f"slot{names.mark}", "query": f"slot_keys:slot{names.mark}"}]
    },
    "lock_slot": lambda names, _: {"slot_query": f"slot_keys:slot{names.mark}"},
    "settle_memories": _settled,
}
