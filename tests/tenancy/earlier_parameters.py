"""Values for the queries that bring what an earlier release stored up to date."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import OneOfEach


def _row(names: OneOfEach, workspace_id: str, **values: Any) -> Mapping[str, Any]:
    return {"rows": [{"workspace_id": workspace_id, "id": names.memory_ids[0], **values}]}


EARLIER_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "note_languages": lambda names, workspace_id: _row(
        names, workspace_id, revision=5, properties={"language": "fr"}
    ),
}
