"""``recollect doctor`` on a machine where something is amiss: what it finds, its remedy and its exit code."""

import json

import pytest

from app.embedded.ports import LOOPBACK, free_port
from tests.fixtures.command_line import run_to_end


async def findings_of(folder, code: int, **settings: str) -> dict[str, dict]:
    ended = await run_to_end("doctor", "--json", folder=folder, **settings)
    assert ended.code == code, ended.errors
    return {finding["check"]: finding for finding in json.loads(ended.output)}


async def test_before_the_first_start_nothing_needed_is_wrong(tmp_path) -> None:
    findings = await findings_of(tmp_path, 0, RECOLLECT_PORT=str(free_port()))

    assert findings["Data folder"]["state"] == "missing"
    assert findings["Neo4j"] == {
        "check": "Neo4j",
        "state": "missing",
        "found": "not running",
        "remedy": "`recollect up` starts it",
        "needed": False,
    }
    assert findings["Language model"]["found"] == "none: nothing needs one"
    assert not (tmp_path / ".recollect").exists()


@pytest.mark.parametrize(
    ("check", "settings"),
    [
        ("Neo4j", {"RECOLLECT_NEO4J_URI": "bolt://127.0.0.1:1"}),
        ("Neo4j", {"RECOLLECT_NEO4J_URI": "nonsense"}),
        ("Redis", {"RECOLLECT_REDIS_URL": "redis://127.0.0.1:1"}),
        ("Redis", {"RECOLLECT_REDIS_URL": "nonsense"}),
        ("Java", {"RECOLLECT_NEO4J_JAVA_HOME": "/nowhere"}),
    ],
    ids=lambda value: next(iter(value.values())) if isinstance(value, dict) else None,
)
async def test_what_is_needed_and_wrong_has_a_remedy_and_fails(tmp_path, check, settings) -> None:
    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=str(free_port()), **settings)

    assert findings[check]["state"] == "wrong"
    assert findings[check]["remedy"]


async def test_wrong_credentials_are_told_from_a_server_that_does_not_answer(tmp_path, neo4j_address) -> None:
    settings = {"RECOLLECT_NEO4J_URI": neo4j_address.uri, "RECOLLECT_NEO4J_PASSWORD": "not the password"}

    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=str(free_port()), **settings)

    assert findings["Neo4j"]["found"] == f"{neo4j_address.uri} refuses user neo4j"
    assert "RECOLLECT_NEO4J_PASSWORD" in findings["Neo4j"]["remedy"]


async def test_a_port_that_somebody_else_listens_on_is_wrong(tmp_path, neo4j_address) -> None:
    taken = neo4j_address.uri.removeprefix(f"bolt://{LOOPBACK}:")

    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=taken)

    assert findings["API port"]["state"] == "wrong"
    assert "RECOLLECT_PORT" in findings["API port"]["remedy"]


async def test_the_service_that_commands_speak_to_is_asked(tmp_path) -> None:
    """Of a service on another machine this one's servers say nothing."""
    here = await findings_of(
        tmp_path, 1, RECOLLECT_PORT=str(free_port()), RECOLLECT_API_URL=f"http://{LOOPBACK}:1"
    )
    elsewhere = await findings_of(tmp_path, 1, RECOLLECT_API_URL="http://127.0.0.2:1")

    assert (here["Service"]["state"], "`recollect login`" in here["Service"]["remedy"]) == ("missing", True)
    assert elsewhere.keys() == {"Python", "Packages", "Service"}
    assert elsewhere["Service"]["found"].startswith("http://127.0.0.2:1 does not answer")


async def test_the_table_names_state_and_remedy(tmp_path) -> None:
    ended = await run_to_end(
        "doctor",
        folder=tmp_path,
        RECOLLECT_PORT=str(free_port()),
        RECOLLECT_NEO4J_URI="bolt://127.0.0.1:1",
        COLUMNS="200",
    )

    assert ended.code == 1
    assert "correct RECOLLECT_NEO4J_URI" in ended.output


@pytest.mark.parametrize("command", ["serve", "worker"])
async def test_a_deployment_command_without_a_graph_says_what_to_set(tmp_path, command) -> None:
    ended = await run_to_end(command, folder=tmp_path)

    assert ended.code == 1
    assert ended.errors.count("\n") == 1
    assert "RECOLLECT_NEO4J_URI is not set" in ended.errors


@pytest.mark.parametrize("command", ["serve", "worker"])
async def test_a_graph_that_does_not_answer_is_one_clear_line(tmp_path, command) -> None:
    settings = {"RECOLLECT_NEO4J_URI": "bolt://127.0.0.1:1", "RECOLLECT_REDIS_URL": "redis://127.0.0.1:1"}

    ended = await run_to_end(command, folder=tmp_path, RECOLLECT_PORT=str(free_port()), **settings)

    assert ended.code == 1
    assert ended.errors.count("\n") == 1
    assert "does not answer" in ended.errors
