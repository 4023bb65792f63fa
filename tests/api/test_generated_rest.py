"""Requests generated from the OpenAPI document."""

import httpx
import pytest

from tests.fixtures.generated_requests import ROOT, generated
from tests.fixtures.timeouts import scaled_timeout

# The chat proxy returns the upstream's responses, including its failures.
OURS = ["--exclude-path-regex", "^/v1/(chat/completions|responses)$"]
PHASES = "examples,coverage,fuzzing,stateful"
REST = str(ROOT / "tests" / "fixtures" / "generated_rest.toml")


@pytest.mark.timeout(7200)
async def test_generated_requests_of_rest_are_answered_as_the_document_says(
    generated_for, tmp_path, generated_count, generated_seed
) -> None:
    """K19, K20: all phases and checks of schemathesis; fixtures add rules that no document can express."""
    url, *_ = generated_for
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        document = (await http.get(f"{url}/openapi.json")).json()
    operations = sum(len(methods) for methods in document["paths"].values())

    each = max(1, generated_count // operations)
    await generated(
        generated_for, tmp_path, "/openapi.json", each, "--seed", generated_seed,
        "--checks", "all", "--phases", PHASES, *OURS,
        hooks="tests.fixtures.generated_rest", config=("--config-file", REST),
    )  # fmt: skip
