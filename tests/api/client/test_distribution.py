"""``recollect-client``: built, installed into an empty environment and run (issue 16)."""

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from graph.tenancy.models import Scope
from tests.fixtures.clean_environment import clean_environment, command, install
from tests.fixtures.pages import snippets

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "app" / "client"
README = (SOURCE / "README.md").read_text()
ADDRESS = "http://127.0.0.1:8000"
BOTH_WAYS = """
import asyncio
from recollect import (
    ApiError, MemoryState, MemoryType, RecallInput, RecollectClient, SaveMemoryInput, SyncRecollectClient,
)

URL, KEY = {url!r}, {key!r}


async def waiting() -> None:
    async with RecollectClient(URL, KEY) as client:
        saved = await client.save_memory(
            SaveMemoryInput(content="Releases are cut on Thursdays", type=MemoryType.DECISION),
            wait_for=MemoryState.EMBEDDED,
        )
        found = await client.recall(RecallInput(query="release day", limit=1))
        print(saved.outcome.value, found.hits[0].memory.content)


asyncio.run(waiting())
with SyncRecollectClient(URL, KEY) as client:
    print(client.recall(RecallInput(query="release day", limit=1)).hits[0].memory.content)
    try:
        client.save_memory(SaveMemoryInput(content="Tabs", importance=2))
    except ApiError as refused:
        print(refused.code, refused.field)
with SyncRecollectClient(URL, "rk_wrong") as stranger:
    try:
        next(stranger.memory_events())
    except ApiError as refused:
        print(refused.code)
"""
WRONG = """
from recollect import RecallInput, SyncRecollectClient

with SyncRecollectClient("http://127.0.0.1:8000", None) as client:
    reveal_type(client.recall(RecallInput(query="tabs")).hits[0].score)
    client.recall("tabs")
"""
ADAPTERS = """
import recollect.langchain_retriever, recollect.langgraph_store, recollect.llama_index_retriever
from recollect.langchain_history import RecollectChatMessageHistory
from recollect.llama_index_memory import RecollectMemory
from recollect.shared import SharedClient

with SharedClient({url!r}, {key!r}) as client:
    RecollectChatMessageHistory(client, "talk").add_user_message("Hello")
    print(RecollectMemory(client=client, conversation_id="talk").get_all()[0].content)
store = recollect.langgraph_store.RecollectStore({url!r}, {key!r})
store.put(("users", "ada"), "editor", {{"text": "prefers tabs over spaces"}})
print(store.get(("users", "ada"), "editor").value["text"])
"""


@pytest.fixture(scope="module")
async def wheel(tmp_path_factory) -> Path:
    """Build the distribution from a copy of its sources."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "client"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("typescript", "__pycache__"))
    builder = await clean_environment(folder / "builder")
    await command(
        str(builder), "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(source),
        folder=folder,
    )  # fmt: skip
    (built,) = folder.glob("recollect_client-*.whl")
    return built


@pytest.fixture(scope="module")
async def python(wheel, tmp_path_factory) -> Path:
    """Create an environment with the distribution and its dependencies."""
    made = await clean_environment(tmp_path_factory.mktemp("installed") / "environment")
    await install(made, str(wheel))
    return made


@pytest.fixture
async def key(services, workspace_id) -> str:
    """Create a key that may read and write the test's workspace."""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="distribution", scopes=[Scope.READ, Scope.WRITE]
    )
    return secret


async def test_the_package_needs_none_of_the_servers_packages(python) -> None:
    installed = (
        await command(str(python), "-m", "pip", "list", "--format=freeze", folder=python.parent)
    ).lower()

    assert "recollect-client==0.1.0" in installed
    assert not [
        name
        for name in ("neo4j", "redis", "litestar", "strawberry", "websockets", "numpy")
        if name in installed
    ]


@pytest.mark.usefixtures("patient_waits")
async def test_the_package_works_with_and_without_an_event_loop(wheel, api_url, key, tmp_path) -> None:
    python = await clean_environment(tmp_path / "environment")
    await install(python, f"{wheel}[subscriptions]")
    program = BOTH_WAYS.format(url=api_url, key=key)

    shown = await command(str(python), "-I", "-c", program, folder=tmp_path)

    assert shown.splitlines() == [
        "CREATED Releases are cut on Thursdays",
        "Releases are cut on Thursdays",
        "INVALID_INPUT importance",
        "UNAUTHENTICATED",
    ]


async def test_the_readme_example_of_the_package_runs(python, api_url, key, tmp_path) -> None:
    (example,) = snippets(README, "python")
    program = example.replace(ADDRESS, api_url)

    printed = await command(str(python), "-I", "-c", program, folder=tmp_path, RECOLLECT_API_KEY=key)

    assert "We indent with tabs" in printed


async def test_type_checkers_read_its_types(python, tmp_path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)

    with pytest.raises(AssertionError) as found:
        await command(
            sys.executable,
            "-m",
            "mypy",
            "--strict",
            "--python-executable",
            str(python),
            "wrong.py",
            folder=tmp_path,
        )

    assert 'Revealed type is "float"' in str(found.value)
    assert 'incompatible type "str"; expected "RecallInput"' in str(found.value)
    assert "Found 1 error in 1 file" in str(found.value)


async def test_the_extras_bring_the_adapters(wheel, api_url, key, services, workspace_id, tmp_path) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    python = await clean_environment(tmp_path / "environment")
    await install(python, f"{wheel}[langgraph,langchain,llamaindex]")

    shown = await command(
        str(python),
        "-I",
        "-c",
        ADAPTERS.format(url=api_url, key=key),
        folder=tmp_path,
        TIKTOKEN_CACHE_DIR=str(tmp_path),
    )

    assert shown.splitlines()[-2:] == ["Hello", "prefers tabs over spaces"]


def test_it_has_the_version_and_the_extras_of_the_server() -> None:
    server = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    client = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    extras = client["optional-dependencies"]

    assert client["version"] == server["version"]
    assert {*client["dependencies"], *extras.pop("subscriptions")} <= set(server["dependencies"])
    assert extras.items() <= server["optional-dependencies"].items()
