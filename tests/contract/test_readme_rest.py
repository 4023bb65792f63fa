"""The README's examples of REST run as they stand, against the service, with curl."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from graph.tenancy.access.models import Scope

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:8000"
SCOPES = (Scope.READ, Scope.WRITE)
SECTIONS = {
    "AutoMem clients": SCOPES,
    "Oxagen clients": SCOPES,
    "OmniRoute's REST dialect": (*SCOPES, Scope.ADMIN),
}
_STRICT = 'curl() { command curl --silent --show-error --fail-with-body --max-time 60 "$@"; echo; }\n'


def example_of(section: str) -> str:
    _, _, text = README.partition(f"\n## {section}\n")
    found = re.search(r"^```sh\n(.*?)^```", text.partition("\n## ")[0], re.MULTILINE | re.DOTALL)
    assert found, f"there is no example in {section!r}"
    return found[1]


@pytest.mark.parametrize("section", SECTIONS)
async def test_an_example_runs_as_it_stands(section, api_url, rest_client, workspace_id) -> None:
    """K6, K10, K11, K21: whoever copies it gets answers, not errors."""
    example = example_of(section)
    rest = await rest_client(workspace_id, *SECTIONS[section])
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-euc",
        _STRICT + example.replace(ADDRESS, api_url),
        env={"PATH": "/usr/bin:/bin", "RECOLLECT_API_KEY": rest.key, "WORKSPACE_ID": workspace_id},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    output, errors = await process.communicate()

    assert process.returncode == 0, (output.decode(), errors.decode())
    answers = [json.loads(line) for line in output.decode().splitlines() if line]
    assert len(answers) >= example.count("\ncurl") - 1  # a deletion answers nothing
    assert not [answer for answer in answers if "error" in answer]
