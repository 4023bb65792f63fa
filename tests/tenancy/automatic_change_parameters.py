"""Parameter values for the queries of automatic changes that their headers do not determine."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import OneOfEach


def _change(names: OneOfEach, _: str) -> Mapping[str, Any]:
    row = {"id": f"chg_{secrets.token_hex(8)}", "kind": "LEARNT", "user_id": "", "agent_id": ""}
    return {"id": names.change_id, "ids": [names.change_id], "kind": "LEARNT", "changes": [row]}


def _merged(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"subject_id": names.memory_ids[2], "version": 1}


AUTOMATIC_CHANGE_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "create_automatic_changes": _change,
    "has_merged_save": _merged,
    "lock_automatic_change": _change,
    "settle_automatic_changes": _change,
}
