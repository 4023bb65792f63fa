"""Which tests ``make test`` leaves to ``make test-all``, and why; and which come first.

The first tier is what everybody runs before a commit: under 12 minutes on two cores. Whatever kills servers, starts
whole deployments, drives a browser or needs a store of its own is in the second.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest

ROOT = Path(__file__).parent

_KILLS = "kills or freezes processes"
_STARTS = "starts whole deployments"
_OWN_STORE = "changes what is one for a whole deployment, so each has a store of its own"
_MODEL = "embeds with the real model"
_MANY = "sends thousands of requests, texts or queries"
_WHOLE_STORE = "reads all that a store holds, again and again"
_TOOLS = "builds or drives other programs: browsers, compilers, package managers"

SECOND_TIER: Final[Mapping[str, str]] = {
    "api/cli/test_import.py": _STARTS,
    "api/cli/test_import_real_stores.py": _TOOLS,
    "api/cli/test_login_keyring.py": _TOOLS,
    "api/cli/test_settings.py": _STARTS,
    "api/client/test_distribution.py": _TOOLS,
    "api/client/test_readme_examples.py": _TOOLS,
    "api/client/test_typescript_example.py": _TOOLS,
    "api/graphql/test_caches.py": _TOOLS,
    "api/graphql/test_over_http_audit.py": _TOOLS,
    "api/mcp/test_conformance.py": _TOOLS,
    "api/mcp/test_inspector.py": _TOOLS,
    "api/mcp/test_stdio.py": _STARTS,
    "api/proxy/test_client_script.py": _TOOLS,
    "api/proxy/test_extension.py": _TOOLS,
    "api/rest/openai/test_javascript_client.py": _TOOLS,
    "api/test_generated_graphql.py": _MANY,
    "api/test_generated_rest.py": _MANY,
    "api/test_logs_of_every_surface.py": _MANY,
    "contract/test_cypher_explain.py": _MANY,
    "contract/test_docs_build.py": _TOOLS,
    "contract/test_graphql_eslint.py": _TOOLS,
    "contract/test_footprint.py": _TOOLS,
    "contract/test_generated_client.py": _TOOLS,
    "faults": _KILLS,
    "integration/browser": _TOOLS,
    "integration/cli": _STARTS,
    "integration/core/test_schema.py": _OWN_STORE,
    "integration/embedded": _STARTS,
    "integration/operations/erasure/test_erasing.py": _WHOLE_STORE,
    "integration/operations/erasure/test_on_disk.py": _OWN_STORE,
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
    "studio": _TOOLS,
    "tenancy/test_no_query_crosses_users.py": _MANY,
    "tenancy/test_no_query_crosses_workspaces.py": _MANY,
    "unit/core/text/test_linear_time.py": _MANY,
    "unit/core/text/test_text_workers.py": _KILLS,
    "unit/surfaces/rest/test_field_names.py": _MANY,
}


def mark_second_tier(items: list[pytest.Item]) -> None:
    """Mark the tests of the second tier.

    Raises:
        pytest.UsageError: The table names a place that is not there.
    """
    if missing := [place for place in SECOND_TIER if not (ROOT / place).exists()]:
        raise pytest.UsageError(f"tests/tiers.py names what is not there: {', '.join(missing)}")
    places = {ROOT / place: reason for place, reason in SECOND_TIER.items()}
    for item in items:
        for folder in (item.path, *item.path.parents):
            if folder in places:
                item.add_marker(pytest.mark.second_tier(places[folder]))
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
"""What comes first, the longest of it before the others: begun at the end, it would keep one core of several busy.

What reads the whole store is sooner done while that is small.
"""


def put_longest_first(items: list[pytest.Item]) -> None:
    """Order tests by their files; those of a file stay as they are.

    Raises:
        pytest.UsageError: The table names a place that is not there.
    """
    if missing := [place for place in LONGEST if not (ROOT / place).exists()]:
        raise pytest.UsageError(f"tests/tiers.py names what is not there: {', '.join(missing)}")
    places = [ROOT / place for place in LONGEST]

    def rank(item: pytest.Item) -> int:
        folders = (item.path, *item.path.parents)
        return next((number for number, place in enumerate(places) if place in folders), len(places))

    items.sort(key=rank)
