"""``recollect doctor`` on a machine with problems: its findings, its remedies and its exit code."""

import json

import pytest

from app.cli.doctor import CheckState
from app.cli.examination import check_neo4j
from app.embedded.ports import LOOPBACK, free_port
from app.main import create_app
from app.settings import Neo4jSettings, Settings
from graph.core import database as server_version
from tests.fixtures.command_line import run_to_end
from tests.fixtures.upstream import listening


async def findings_of(folder, code: int, **settings: str) -> dict[str, dict]:
    ended = await run_to_end("doctor", "--json", folder=folder, **settings)
    assert ended.code == code, ended.errors
    return {finding["check"]: finding for finding in json.loads(ended.output)}


async def test_before_the_first_start_required_checks_pass(tmp_path) -> None:
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
        ("Redis", {"RECOLLECT_REDIS_URL": "redis://127.0.0.1:1"}),
    ],
    ids=lambda value: next(iter(value.values())) if isinstance(value, dict) else None,
)
async def test_a_required_check_that_fails_names_a_remedy(tmp_path, check, settings) -> None:
    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=str(free_port()), **settings)

    assert findings[check]["state"] == "wrong"
    assert findings[check]["remedy"]


async def test_wrong_credentials_are_distinguished_from_a_server_that_does_not_answer(
    tmp_path, neo4j_address
) -> None:
    settings = {"RECOLLECT_NEO4J_URI": neo4j_address.uri, "RECOLLECT_NEO4J_PASSWORD": "not the password"}

    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=str(free_port()), **settings)

    assert findings["Neo4j"]["found"] == f"{neo4j_address.uri} refuses user neo4j"
    assert "RECOLLECT_NEO4J_PASSWORD" in findings["Neo4j"]["remedy"]


async def test_an_older_neo4j_is_named_before_any_newer_statement_is_sent(monkeypatch, neo4j_address) -> None:
    """Its syntax error in the first statement looked like a server that does not answer."""
    monkeypatch.setattr(server_version, "OLDEST", (9999, 1))
    neo4j = Neo4jSettings(uri=neo4j_address.uri, user=neo4j_address.user, password=neo4j_address.password)

    found = [finding async for finding in check_neo4j(Settings(_env_file=None, neo4j=neo4j), None)]

    assert [(finding.check, finding.state, finding.remedy) for finding in found] == [
        ("Neo4j", CheckState.WRONG, "use Neo4j 9999.01 or later")
    ]
    assert found[0].found.startswith("Neo4j/2026.")
    assert found[0].found.endswith(f" at {neo4j_address.uri}")


async def test_a_port_used_by_another_program_is_an_error(tmp_path, neo4j_address) -> None:
    taken = neo4j_address.uri.removeprefix(f"bolt://{LOOPBACK}:")

    findings = await findings_of(tmp_path, 1, RECOLLECT_PORT=taken)

    assert findings["API port"]["state"] == "wrong"
    assert "RECOLLECT_PORT" in findings["API port"]["remedy"]


async def test_a_port_used_by_the_service_itself_is_no_error(
    tmp_path, services, neo4j_address, redis_url
) -> None:
    """Even if it runs as `recollect serve`, which locks no data folder."""
    async with listening(create_app(services)) as url:
        findings = await findings_of(
            tmp_path,
            0,
            RECOLLECT_PORT=url.rpartition(":")[2],
            RECOLLECT_NEO4J_URI=neo4j_address.uri,
            RECOLLECT_NEO4J_USER=neo4j_address.user,
            RECOLLECT_NEO4J_PASSWORD=neo4j_address.password,
            RECOLLECT_REDIS_URL=redis_url,
            RECOLLECT_EMBEDDING_SOURCE="none",
        )

    assert findings["API port"]["state"] == "found"
    assert findings["API port"]["found"].endswith("is in use by a service of Recollect")
    assert findings["Service"]["state"] == "found"


async def test_doctor_checks_the_service_that_commands_use(tmp_path) -> None:
    """Local servers say nothing about a service on another machine."""
    here = await findings_of(
        tmp_path, 1, RECOLLECT_PORT=str(free_port()), RECOLLECT_API_URL=f"http://{LOOPBACK}:1"
    )
    elsewhere = await findings_of(tmp_path, 1, RECOLLECT_API_URL="http://127.0.0.2:1")

    assert (here["Service"]["state"], "`recollect login`" in here["Service"]["remedy"]) == ("missing", True)
    assert elsewhere.keys() == {"Python", "Packages", "Service"}
    assert elsewhere["Service"]["found"].startswith("http://127.0.0.2:1 does not answer")


async def test_no_notice_of_the_driver_stands_among_the_findings(tmp_path, neo4j_address) -> None:
    """Issue 35 point C: a new store lacks properties that queries read."""
    ended = await run_to_end(
        "doctor",
        "--json",
        folder=tmp_path,
        RECOLLECT_PORT=str(free_port()),
        RECOLLECT_NEO4J_URI=neo4j_address.uri,
        RECOLLECT_NEO4J_PASSWORD=neo4j_address.password,
    )

    assert ended.errors == ""


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
async def test_a_deployment_command_without_a_graph_names_the_setting(tmp_path, command) -> None:
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


@pytest.mark.parametrize("command", ["serve", "worker"])
@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"RECOLLECT_NEO4J_PASSWORD": "not the password"}, "refuses the login"),
        ({"RECOLLECT_NEO4J_DATABASE": "nosuchdatabase"}, "no database of the name"),
    ],
    ids=["password", "database"],
)
async def test_a_refusal_of_the_graph_is_one_clear_line(
    tmp_path, neo4j_address, command, wrong, reason
) -> None:
    settings = {
        "RECOLLECT_NEO4J_URI": neo4j_address.uri,
        "RECOLLECT_NEO4J_USER": neo4j_address.user,
        "RECOLLECT_NEO4J_PASSWORD": neo4j_address.password,
        "RECOLLECT_REDIS_URL": "redis://127.0.0.1:1",
        "RECOLLECT_EMBEDDING_SOURCE": "none",
    }

    ended = await run_to_end(
        command, folder=tmp_path, RECOLLECT_PORT=str(free_port()), **{**settings, **wrong}
    )

    assert ended.code == 1
    assert ended.errors.count("\n") == 1
    assert reason in ended.errors
    assert next(iter(wrong)) in ended.errors


async def test_a_missing_database_is_named(tmp_path, neo4j_address) -> None:
    findings = await findings_of(
        tmp_path,
        1,
        RECOLLECT_PORT=str(free_port()),
        RECOLLECT_NEO4J_URI=neo4j_address.uri,
        RECOLLECT_NEO4J_PASSWORD=neo4j_address.password,
        RECOLLECT_NEO4J_DATABASE="nosuchdatabase",
    )

    assert findings["Neo4j"]["state"] == "wrong"
    assert "RECOLLECT_NEO4J_DATABASE" in findings["Neo4j"]["remedy"]


async def test_no_password_of_an_address_is_printed(tmp_path, redis_url) -> None:
    """N7: users paste the output into tickets."""
    path = redis_url.removeprefix("unix://")
    for url in ("redis://user:hunter2@127.0.0.1:1/0?password=hunter2", f"unix://user:hunter2@{path}"):
        ended = await run_to_end(
            "doctor",
            "--json",
            folder=tmp_path,
            RECOLLECT_PORT=str(free_port()),
            RECOLLECT_REDIS_URL=url,
            RECOLLECT_LLM_URL="http://user:hunter2@127.0.0.1:1/v1",
            RECOLLECT_LLM_MODEL="m",
        )

        assert ended.code == 1
        assert "hunter2" not in ended.output + ended.errors
        assert {"Redis", "Language model"} <= {finding["check"] for finding in json.loads(ended.output)}
