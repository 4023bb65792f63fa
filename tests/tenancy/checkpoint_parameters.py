"""Values to run the queries of checkpoints with, where their headers do not tell."""

from collections.abc import Callable, Mapping
from typing import Any

from graph.conversations.checkpoints.states import packed
from tests.fixtures.graphs import OneOfEach

_STATE = packed(b"another")


def _place(names: OneOfEach) -> dict[str, Any]:
    return {"thread_id": names.thread_id, "namespace": names.namespace}


def _listed(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {**_place(names), "up_to": "~"}


def _checkpoint(names: OneOfEach, _: str) -> Mapping[str, Any]:
    properties = {"state": _STATE, "state_type": "y", "size": 7, "metadata": "{}", "metadata_pairs": []}
    return {**_place(names), "id": names.checkpoint_ids[0], "properties": properties}


def _writes(names: OneOfEach, _: str) -> Mapping[str, Any]:
    properties = {"task_path": "", "channel": "y", "value": _STATE, "value_type": "y", "size": 7}
    return {
        **_place(names),
        "checkpoint_id": names.checkpoint_ids[1],
        "task_id": f"task_{names.mark}",
        "writes": [{"position": 0, "properties": properties}],
    }


CHECKPOINT_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "delete_thread": lambda names, _: {"id": names.thread_id},
    "find_checkpoint": lambda names, _: {**_place(names), "lowest": "", "highest": "~"},
    "get_checkpoints": lambda names, _: {
        "keys": [{**_place(names), "id": id_} for id_ in names.checkpoint_ids]
    },
    "list_checkpoints": _listed,
    "list_checkpoints_of_thread": _listed,
    "list_threads_of_user": lambda names, _: {"user_id": f"user_{names.mark}"},
    "upsert_checkpoint": _checkpoint,
    "upsert_checkpoint_writes": _writes,
}
