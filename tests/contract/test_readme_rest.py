"""The examples of shell commands run as they stand, against the service, with curl."""

import asyncio
import json

import pytest

from graph.tenancy.access.models import Scope
from tests.fixtures.pages import pages, snippets

ADDRESS = "http://127.0.0.1:8000"
SCOPES = (Scope.READ, Scope.WRITE)
PAGES = [path for path, text in pages().items() if snippets(text, "sh")]
ADMINISTRATORS = {"docs/how-to/omniroute.md"}
_STRICT = 'curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@"; echo; }\n'


def example_of(path: str) -> str:
    """Return the commands of a page in their order."""
    return "".join(snippets(pages()[path], "sh"))


@pytest.mark.parametrize("path", PAGES)
async def test_the_examples_of_a_page_run_in_their_order(
    path, api_url, rest_client, workspace_id, tmp_path
) -> None:
    """K6, K10, K11, K21: whoever copies it gets answers, not errors."""
    example = example_of(path)
    scopes = (*SCOPES, Scope.ADMIN) if path in ADMINISTRATORS else SCOPES
    rest = await rest_client(workspace_id, *scopes)
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-euc",
        _STRICT + example.replace(ADDRESS, api_url),
        env={"PATH": "/usr/bin:/bin", "RECOLLECT_API_KEY": rest.key, "WORKSPACE_ID": workspace_id},
        cwd=tmp_path,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()

    assert process.returncode == 0, (output.decode(), errors.decode())
    answers = [json.loads(line) for line in output.decode().splitlines() if line]
    assert len(answers) >= example.count("\ncurl") - 1  # a deletion and a sign-in answer nothing
    assert not [answer for answer in answers if "error" in answer or "errors" in answer]
