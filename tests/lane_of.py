"""The lane of each test and the reason, and the order of the tests.

Everybody runs the gate before a commit (``make test``), and the proof as well before an issue is resolved
(``make test-all``). The outside lane needs package registries or measures an installation (``make
test-outside``). A test that no table names belongs to the gate, unless it is marked ``proof`` itself.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parent

_BENCHES = "tests the benches"
_DEADLINES = "waits for deadlines of real sockets"
_KILLS = "kills or freezes processes"
_MANY = "sends thousands of requests, texts or queries"
_MODEL = "embeds with the real model"
_OWN_STORE = "changes what a whole deployment shares, so it has a store of its own"
_STARTS = "starts whole deployments"
_TIMES = "measures time"
_TOOLS = "builds or drives other programs: browsers, compilers, package managers"
_WHOLE_STORE = "reads the whole store repeatedly"

PROOF: Final[Mapping[str, str]] = {
    "api/cli/test_import.py": _STARTS,
    "api/cli/test_settings.py": _STARTS,
    "api/client/test_typescript_example.py": _TOOLS,
    "api/graphql/test_caches.py": _TOOLS,
    "api/graphql/test_over_http_audit.py": _TOOLS,
    "api/mcp/test_stdio.py": _STARTS,
    "api/proxy/test_client_script.py": _TOOLS,
    "api/proxy/test_extension.py": _TOOLS,
    "api/rest/openai/test_javascript_client.py": _TOOLS,
    "api/test_attacks.py": _DEADLINES,
    "api/test_generated_graphql.py": _MANY,
    "api/test_generated_rest.py": _MANY,
    "api/test_logs_of_every_surface.py": _MANY,
    "contract/test_cypher_explain.py": _MANY,
    "contract/test_generated_client.py": _TOOLS,
    "contract/test_graphql_eslint.py": _TOOLS,
    "faults": _KILLS,
    "integration/browser": _TOOLS,
    "integration/cli": _STARTS,
    "integration/core/test_schema.py": _OWN_STORE,
    "integration/embedded": _STARTS,
    "integration/operations/admin/test_migrations.py": _OWN_STORE,
    "integration/operations/erasure/test_erasing.py": _WHOLE_STORE,
    "integration/operations/erasure/test_on_disk.py": _OWN_STORE,
    "integration/operations/settings/test_folder_models.py": _OWN_STORE,
    "integration/operations/settings/test_of_the_deployment.py": _OWN_STORE,
    "integration/retrieval/recall/test_isolation.py": _MANY,
    "integration/retrieval/recall/test_missing_indexes.py": _OWN_STORE,
    "integration/retrieval/recall/test_readers_while_others_delete.py": _MANY,
    "integration/telemetry/test_promotion_cost.py": _MANY,
    "integration/vectors/external": _OWN_STORE,
    "integration/vectors/index/test_local_models.py": _MODEL,
    "integration/vectors/index/test_reembedding.py": _OWN_STORE,
    "integration/vectors/index/test_transformers_embedder.py": _MODEL,
    "integration/vectors/index/test_walks.py": _OWN_STORE,
    "properties/test_telemetry_promotion.py": _MANY,
    "properties/test_traversal_paths.py": _MANY,
    "scenarios": _MODEL,
    "scenarios/test_printed_pages.py": _TOOLS,
    "studio": _TOOLS,
    "tenancy/test_no_query_crosses_users.py": _MANY,
    "tenancy/test_no_query_crosses_workspaces.py": _MANY,
    "unit/bench": _BENCHES,
    "unit/core/text/test_linear_time.py": _TIMES,
    "unit/core/text/test_many_beginnings.py": _TIMES,
    "unit/core/text/test_text_workers.py": _KILLS,
    "unit/surfaces/rest/test_field_names.py": _MANY,
}
GATE: Final = ("studio/test_first_look.py",)
"""Files of the gate in folders of the proof lane."""
OUTSIDE: Final = (
    "api/cli/test_import_real_stores.py",
    "api/client/test_distribution.py",
    "api/mcp/test_conformance.py",
    "api/mcp/test_inspector.py",
    "contract/test_docs_build.py",
    "contract/test_footprint.py",
)
"""Files that need package registries or measure an installation."""


def mark_lanes(items: list[pytest.Item]) -> None:
    """Mark the tests of the proof lane and of the outside lane.

    Raises:
        pytest.UsageError: A table names a missing file.
    """
    _require(*PROOF, *GATE, *OUTSIDE)
    proof = {ROOT / place: reason for place, reason in PROOF.items()}
    gate, outside = {ROOT / place for place in GATE}, {ROOT / place for place in OUTSIDE}
    for item in items:
        if item.path in outside:
            item.add_marker(pytest.mark.outside)
        elif item.path not in gate:
            for folder in (item.path, *item.path.parents):
                if folder in proof:
                    item.add_marker(pytest.mark.proof(proof[folder]))
                    break


LONGEST: Final[Sequence[str]] = (
    "api/test_generated_rest.py",
    "unit/core/text/test_linear_time.py",
    "faults",
    "tenancy/test_no_query_crosses_workspaces.py",
    "api/test_generated_graphql.py",
    "studio",
    "integration/cli/test_up.py",
    "integration/operations/erasure",
    "integration/vectors",
    "integration/embedded",
    "api/cli/test_import_real_stores.py",
    "scenarios",
)
"""Files and folders of the proof lane that run first: at the end, one of them would use a single core.

Tests that read the whole store are faster while it is small.
"""


def put_longest_first(items: list[pytest.Item]) -> None:
    """Order the tests outside the gate by their files; keep the order within a file, and that of the gate.

    Raises:
        pytest.UsageError: The table names a missing file.
    """
    _require(*LONGEST)
    places = [ROOT / place for place in LONGEST]

    def rank(item: pytest.Item) -> int:
        if not any(item.iter_markers("proof")) and not any(item.iter_markers("outside")):
            return len(places)
        folders = (item.path, *item.path.parents)
        return next((number for number, place in enumerate(places) if place in folders), len(places))

    items.sort(key=rank)


def _require(*places: str) -> None:
    if missing := [place for place in places if not (ROOT / place).exists()]:
        raise pytest.UsageError(f"tests/lane_of.py names missing files: {', '.join(missing)}")
