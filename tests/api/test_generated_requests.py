"""Requests that nobody thought of, generated from the OpenAPI document and from the GraphQL schema.

``pytest tests/api/test_generated_requests.py --generated 10000 --seed 2`` is a long run, and another one: so many of
either are drawn, beside the thousands that schemathesis makes of the bounds of REST.
"""

import asyncio
import sys
from pathlib import Path

import httpx
import pytest

from app.surfaces.graphql.schema import schema
from graph.tenancy.access.models import Scope
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.own_store import engine, make_empty
from tests.fixtures.served import serving

# What the chat proxy answers is the upstream's, its failures too.
OURS = ["--exclude-path-regex", "^/v1/(chat/completions|responses)$"]
ROOT = Path(__file__).parents[2]
PHASES = "examples,coverage,fuzzing,stateful"
REST = str(ROOT / "tests" / "fixtures" / "generated_rest.toml")
RUN = "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())"


@pytest.fixture
async def service(own_driver, own_settings):
    """Address, key and session of a service with a store of its own, for generated requests change settings too."""
    await make_empty(own_driver)
    async with engine(own_settings, HashingEmbedder()) as runtime:
        services = runtime.services
        made = await services.tenancy.workspaces.create("generated", memory_enabled=True)
        _, key = await services.tenancy.access.create_key(made.id, name="generated", scopes=list(Scope))
        async with serving(runtime) as url, httpx.AsyncClient(base_url=url) as http:
            signed_in = await http.post("/sign-in", data={"key": key})
            yield url, key, signed_in.cookies["session"]


@pytest.fixture
def count(request) -> int:
    """How many requests are generated of each document."""
    return request.config.getoption("--generated")


@pytest.fixture
def seed(request) -> str:
    """What they are drawn from."""
    return str(request.config.getoption("--seed"))


async def generated(
    service, folder: Path, path: str, each: int, *options: str, hooks: str, config: tuple[str, ...] = ()
) -> None:
    """Send so many generated requests of each operation; none may be answered otherwise than said."""
    url, key, session = service
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUN, *config, "run", url + path, "--continue-on-failure",
        "--max-examples", str(each), "--suppress-health-check", "all", "--warnings", "off",
        "--workers", "1", *options,
        cwd=folder,
        env={
            "SCHEMATHESIS_HOOKS": hooks, "PYTHONPATH": str(ROOT),
            "RECOLLECT_KEY": key, "RECOLLECT_SESSION": session,
        },
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await process.communicate()
    (folder / "said.txt").write_bytes(said)
    assert process.returncode == 0, said.decode()[-20_000:]


@pytest.mark.timeout(7200)
async def test_generated_requests_of_rest_are_answered_as_the_document_says(
    service, tmp_path, count, seed
) -> None:
    """K19, K20: every check of schemathesis, in all its phases; what no document can say is in the fixtures."""
    url, *_ = service
    async with httpx.AsyncClient() as http:
        document = (await http.get(f"{url}/openapi.json")).json()
    operations = sum(len(methods) for methods in document["paths"].values())

    each = max(1, count // operations)
    await generated(
        service, tmp_path, "/openapi.json", each, "--seed", seed, "--checks", "all", "--phases", PHASES, *OURS,
        hooks="tests.fixtures.generated_rest", config=("--config-file", REST),
    )  # fmt: skip


@pytest.mark.timeout(7200)
async def test_generated_requests_of_graphql_are_answered_as_the_schema_says(
    service, tmp_path, count, seed
) -> None:
    """K1: no 5xx and no answer that breaks the schema."""
    graphql = schema._schema
    operations = len(graphql.query_type.fields) + len(graphql.mutation_type.fields)

    each = max(1, count // operations)
    await generated(
        service, tmp_path, "/graphql", each, "--seed", seed, "--checks", "errors_are_told", "--phases", "fuzzing",
        "-H", f"Authorization: Bearer {service[1]}", hooks="tests.fixtures.generated_graphql",
    )  # fmt: skip
