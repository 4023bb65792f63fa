"""GraphQL over HTTP: the audits of the reference implementation, from npm (issue 16)."""

import json
from pathlib import Path

from graph.tenancy.models import Scope
from tests.fixtures.npm_packages import npm_folder, run_script

AUDIT = (Path(__file__).parent / "audit.mjs").read_text()


async def test_no_audit_of_the_reference_implementation_warns_or_fails(
    api_url, services, workspace_id
) -> None:
    folder = await npm_folder("graphql-http", "graphql-http@1.22.4", "graphql@16.11.0")
    _, key = await services.tenancy.keys.create(workspace_id, name="audit", scopes=[Scope.READ])

    told = await run_script(folder, AUDIT, {"RECOLLECT_API_URL": api_url, "RECOLLECT_API_KEY": key})

    results = json.loads(told)
    assert len(results) > 50
    assert [result for result in results if result["status"] != "ok"] == []
