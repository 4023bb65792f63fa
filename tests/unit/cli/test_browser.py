"""``recollect browser``: where Neo4j Browser is, and which queries it prints to paste there."""

import json

import pytest
from click.testing import Result
from typer.testing import CliRunner

from app.cli import build
from app.embedded.data_folder import Holder
from cypher import FOR_PEOPLE, catalogue

QUERIES = [name for name, query in catalogue().items() if query.folder == FOR_PEOPLE]


@pytest.fixture
def folder(tmp_path):
    """Return a data folder in which an embedded Neo4j once ran."""
    neo4j = tmp_path / "neo4j"
    neo4j.mkdir()
    address = {
        "uri": "bolt://127.0.0.1:7690",
        "user": "neo4j",
        "browser_url": "http://127.0.0.1:7480/browser/",
    }
    (neo4j / "address.json").write_text(json.dumps(address))
    (neo4j / "password").write_text("do not print me")
    return tmp_path


def recollect(*arguments: str, **environment: str) -> Result:
    settings = {"COLUMNS": "200", **{f"RECOLLECT_{name}": value for name, value in environment.items()}}
    return CliRunner(env=settings).invoke(build(), ["browser", *arguments])


def test_browser_prints_the_address_and_the_password_file(folder, monkeypatch) -> None:
    """E17: one command leads to the graph."""
    monkeypatch.setattr("app.embedded.data_folder.find_holder", lambda _: Holder(pid=1, port=8000))

    shown = recollect(DATA_DIR=str(folder)).stdout

    for expected in (
        "http://127.0.0.1:7480/browser/",
        "bolt://127.0.0.1:7690",
        str(folder / "neo4j" / "password"),
    ):
        assert expected in shown.replace("\n", "")
    assert "do not print me" not in shown
    assert all(name in shown for name in QUERIES)


def test_browser_reports_that_no_service_runs(folder) -> None:
    result = recollect(DATA_DIR=str(folder))

    assert result.exit_code == 0
    assert "not running; `recollect up` starts it" in result.stdout


def test_a_remote_service_is_not_mistaken_for_a_local_one(folder, monkeypatch) -> None:
    """The command follows the same address as every other command."""
    monkeypatch.setattr("app.embedded.data_folder.find_holder", lambda _: Holder(pid=1, port=8000))

    elsewhere = recollect(DATA_DIR=str(folder), API_URL="https://memory.example").stdout
    another = recollect(DATA_DIR=str(folder), API_URL="http://127.0.0.1:8100").stdout
    own = recollect(DATA_DIR=str(folder), API_URL="http://127.0.0.1:8000").stdout

    assert "the graph behind https://memory.example" in elsewhere
    assert "the service on port 8000; RECOLLECT_DATA_DIR names that of http://127.0.0.1:8100" in another
    assert "http://127.0.0.1:7480/browser/" in own
    assert all("7480" not in shown for shown in (elsewhere, another))


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("bolt://graph.example:7687", "http://graph.example:7474/browser/"),
        ("neo4j+s://graph.example", "https://graph.example:7473/browser/, or for Aura in its console"),
    ],
)
def test_an_existing_server_has_the_usual_browser_address(uri, expected) -> None:
    shown = recollect(NEO4J_URI=uri, NEO4J_USER="ada", NEO4J_PASSWORD="do not print me").stdout

    assert expected in shown
    assert "ada" in shown
    assert "RECOLLECT_NEO4J_PASSWORD" in shown
    assert "do not print me" not in shown


def test_every_required_query_exists() -> None:
    """Histories, superseded chains, evidence of patterns, tag trees, entities, and documents."""
    wanted = {
        "memory_history",
        "superseded_chains",
        "pattern_evidence",
        "tag_tree",
        "entity_surroundings",
        "document_outline",
    }

    assert wanted <= set(QUERIES)
    assert all(name in recollect("queries").stdout for name in QUERIES)


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_comes_with_its_parameters(name) -> None:
    command, query = recollect("queries", name, "-p", 'workspace_id=ws_"1"').stdout.split("\n\n", 1)

    assert command.startswith(':param {workspace_id: "ws_\\"1\\""')
    assert [part.split(":")[0] for part in command[len(":param {") :].split(", ")] == [
        param.name for param in catalogue()[name].params
    ]
    assert query == catalogue()[name].text


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["queries", "memories"], "there is no query 'memories'"),
        (["queries", "tag_tree", "-p", "tags=x"], "with a name of workspace_id, tag, not 'tags=x'"),
        (["queries", "tag_tree", "-p", "tag"], "name=value"),
    ],
)
def test_a_missing_service_is_reported_in_one_line(arguments, expected) -> None:
    result = recollect(*arguments)

    assert result.exit_code == 1
    assert expected in result.stderr
    assert result.stdout == ""


def test_the_style_is_a_command_for_browser() -> None:
    assert recollect("style").stdout.startswith(":style node {")
