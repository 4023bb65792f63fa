"""Unknown variables in the environment and in ``.env``."""

import pytest
import typer

from app.cli.remote import read_settings, service
from app.settings import Settings
from app.settings.names import UnknownSetting


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("RECOLLECT_NEO4J_TIMEOUT_SECOND", "RECOLLECT_NEO4J_TIMEOUT_SECONDS"),
        ("RECOLLECT_ADMINKEY", "RECOLLECT_ADMIN_KEY"),
        ("RECOLLECT_QDRANT", "RECOLLECT_QDRANT_PORT"),
        ("recollect_port", None),
        ("OTHER_PROGRAMS_KEY", None),
        ("RECOLLECTION", None),
    ],
)
def test_a_misspelt_variable_is_refused_with_the_nearest_name(monkeypatch, tmp_path, name, nearest) -> None:
    """C21: in the environment and in the file."""
    file = tmp_path / ".env"
    file.write_text(f"{name}=1\n")

    if nearest is None:
        Settings(_env_file=file)
        return
    with pytest.raises(UnknownSetting, match=f"{name} is not a setting; the nearest is {nearest}$"):
        Settings(_env_file=file)
    monkeypatch.setenv(name, "1")
    with pytest.raises(UnknownSetting, match=f"the nearest is {nearest}$"):
        Settings(_env_file=None)


LINKS = {
    "RECOLLECT_SERVICE_HOST": "10.0.0.7",
    "RECOLLECT_SERVICE_PORT": "8000",
    "RECOLLECT_SERVICE_PORT_HTTP": "8000",
    "RECOLLECT_PORT": "tcp://10.0.0.7:8000",
    "RECOLLECT_PORT_8000_TCP": "tcp://10.0.0.7:8000",
    "RECOLLECT_PORT_8000_TCP_PROTO": "tcp",
    "RECOLLECT_PORT_8000_TCP_PORT": "8000",
    "RECOLLECT_PORT_8000_TCP_ADDR": "10.0.0.7",
    "RECOLLECT_REDIS_SERVICE_HOST": "10.0.0.8",
    "RECOLLECT_REDIS_PORT": "tcp://10.0.0.8:6379",
    "RECOLLECT_REDIS_PORT_6379_TCP": "tcp://10.0.0.8:6379",
    "RECOLLECT_QDRANT_PORT": "tcp://10.0.0.9:6333",
    "RECOLLECT_QDRANT_SERVICE_PORT_GRPC": "6334",
}
"""Variables that Kubernetes sets for the services recollect, recollect-redis and recollect-qdrant."""


def test_service_variables_of_kubernetes_are_not_settings(monkeypatch) -> None:
    """C21: formerly a service with the name of this program kept every pod from starting."""
    for name, value in LINKS.items():
        monkeypatch.setenv(name, value)

    settings = Settings(_env_file=None)

    assert (settings.port, settings.qdrant.port, settings.redis.url) == (8000, 6333, None)


def test_a_port_that_is_a_number_is_still_a_setting(monkeypatch) -> None:
    monkeypatch.setenv("RECOLLECT_PORT", "8123")
    monkeypatch.setenv("RECOLLECT_QDRANT_PORT", "6444")

    settings = Settings(_env_file=None)

    assert (settings.port, settings.qdrant.port) == (8123, 6444)


@pytest.mark.parametrize("value", ["foo", "1", "[]", "{", "{}", '{"uri": "bolt://127.0.0.1:1"}'])
def test_a_variable_of_several_settings_is_refused_in_one_line(monkeypatch, capsys, tmp_path, value) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RECOLLECT_NEO4J", value)

    with pytest.raises(typer.Exit):
        read_settings()

    told = capsys.readouterr().err
    assert told.startswith("error: RECOLLECT_NEO4J is not a setting; the nearest is RECOLLECT_NEO4J_")
    assert told.count("\n") == 1


@pytest.mark.parametrize("place", ["environment", "file"])
def test_an_empty_setting_is_unset(monkeypatch, tmp_path, place) -> None:
    """``.env.example`` promises it for numbers, choices, addresses and keys."""
    names = (
        "PORT",
        "ADMIN_KEY",
        "MCP_PROFILE",
        "NEO4J_URI",
        "NEO4J_HEAP_MB",
        "LLM_URL",
        "LLM_MODEL",
        "REDIS_URL",
        "NEO4J",
    )
    file = tmp_path / ".env"
    file.write_text("".join(f"RECOLLECT_{name}=\n" for name in names if place == "file"))
    for name in names if place == "environment" else ():
        monkeypatch.setenv(f"RECOLLECT_{name}", "")

    assert Settings(_env_file=file) == Settings(_env_file=None)
    assert Settings(_env_file=file).port == 8000


HERE, ELSEWHERE = "http://127.0.0.1:8000", "https://elsewhere.example"


@pytest.mark.parametrize(
    ("environment", "file", "expected"),
    [
        ({"API_KEY": "rk_mine"}, {"API_URL": ELSEWHERE}, (HERE, "rk_mine")),
        ({"api_key": "rk_mine"}, {"api_url": ELSEWHERE}, (HERE, "rk_mine")),
        ({"API_KEY": "rk_mine"}, {"API_URL": ELSEWHERE, "API_KEY": "rk_theirs"}, (HERE, "rk_mine")),
        ({"API_KEY": "rk_mine", "API_URL": ELSEWHERE}, {"API_URL": HERE}, (ELSEWHERE, "rk_mine")),
        ({"API_URL": ELSEWHERE}, {"API_KEY": "rk_theirs"}, (ELSEWHERE, "rk_theirs")),
        ({}, {"API_URL": ELSEWHERE, "API_KEY": "rk_theirs"}, (ELSEWHERE, "rk_theirs")),
        ({"API_KEY": ""}, {"API_URL": ELSEWHERE, "API_KEY": "rk_theirs"}, (ELSEWHERE, "rk_theirs")),
    ],
    ids=[
        *("address of the file", "in small letters", "both of the file", "both of the environment"),
        *("key of the file", "only the file", "an empty key"),
    ],
)
def test_an_environment_key_is_not_sent_to_a_files_address(
    monkeypatch, tmp_path, environment, file, expected
) -> None:
    """I16: a cloned repository may contain a ``.env`` with an address that must not receive the key."""
    for name in ("RECOLLECT_API_URL", "RECOLLECT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("".join(f"RECOLLECT_{name}={value}\n" for name, value in file.items()))
    for name, value in environment.items():
        monkeypatch.setenv(f"RECOLLECT_{name}" if name.isupper() else f"recollect_{name}", value)

    assert service() == expected


def test_a_file_in_another_encoding_is_named_in_one_line(monkeypatch, capsys, tmp_path) -> None:
    """Notepad and PowerShell write such files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("RECOLLECT_PORT=8123\n", encoding="utf-16")

    with pytest.raises(typer.Exit):
        read_settings()

    assert capsys.readouterr().err == f"error: {tmp_path / '.env'} is not in UTF-8\n"
