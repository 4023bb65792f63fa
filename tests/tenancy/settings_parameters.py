"""Parameter values for the queries of settings and numbered pages that their headers do not determine."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.fixtures.graphs import NOW, OneOfEach

SETTINGS_OVERRIDES: Mapping[str, Callable[[OneOfEach, str], Mapping[str, Any]]] = {
    "find_workspace_key": lambda names, _: {"id": names.key_id},
    "list_memories_at": lambda names, _: {"text": names.mark.lower(), "now": NOW, "offset": 0},
    "measure_memories": lambda names, _: {"text": names.mark.lower(), "now": NOW},
    "store_settings": lambda names, _: {"rows": [{"key": f"setting_{names.mark}", "value": "1"}]},
}
