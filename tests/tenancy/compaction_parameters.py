"""Parameter values for the queries of compaction that their headers do not determine."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from tests.fixtures.graphs import NOW, OneOfEach


def _listed(names: OneOfEach, _: str) -> Mapping[str, Any]:
    return {"created_before": NOW + timedelta(days=1), "now": NOW, "api_key_id": names.key_id}


COMPACTION_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "link_compacted": lambda names, _: {
        "summary_id": names.memory_ids[3],
        "originals": [{"id": names.memory_ids[0], "association_id": f"rel_new{names.mark}"}],
    },
    "list_newest_to_compact": _listed,
    "list_not_lasting": lambda names, _: {"ids": list(names.memory_ids), "now": NOW},
    "list_oldest_to_compact": _listed,
}
