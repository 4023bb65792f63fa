"""``recollect login`` and ``logout``: the address and key of later commands."""

import asyncio
import stat
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import build


@pytest.fixture
def shell(api_url, tmp_path, monkeypatch):
    """Return a function that runs a command without an address or key in the environment."""
    for name in ("RECOLLECT_API_URL", "RECOLLECT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)

    async def shell(*arguments: str, stdin: str | None = None, **environment: str):
        runner = CliRunner(env={"XDG_CONFIG_HOME": str(tmp_path), "COLUMNS": "200", **environment})
        return await asyncio.to_thread(runner.invoke, build(), list(arguments), input=stdin)

    return shell


async def test_commands_use_the_stored_login(shell, cli, tmp_path) -> None:
    """Only the owner may read the file, and the key appears in no process list or shell history."""
    logged_in = await shell("login", "--url", cli.url, stdin=f"{cli.key}\n")
    (file,) = tmp_path.rglob("profile.json")

    assert logged_in.exit_code == 0, logged_in.output
    assert cli.key not in logged_in.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "workspaceId: " in (await shell("keys", "me")).stdout
    assert (await shell("logout")).exit_code == 0
    assert not file.exists()
    assert "`recollect login`" in (await shell("logout")).stderr


async def test_an_invalid_key_is_not_stored(shell, cli, tmp_path) -> None:
    refused = await shell("login", "--url", cli.url, "--key", "rk_nobody")

    assert refused.exit_code == 1
    assert "unknown" in refused.stderr
    assert list(tmp_path.rglob("profile.json")) == []


async def test_the_stored_key_is_sent_to_its_own_service_only(shell, cli, tmp_path) -> None:
    """The environment overrides the profile, and a key belongs to the service for which it was stored."""
    await shell("login", "--url", cli.url, "--key", cli.key)

    elsewhere = await shell("keys", "me", RECOLLECT_API_URL=cli.url.replace("127.0.0.1", "localhost"))
    with_own = await shell("keys", "me", RECOLLECT_API_KEY="rk_nobody")

    assert (elsewhere.exit_code, "run `recollect login`" in elsewhere.stderr) == (1, True)
    assert (with_own.exit_code, "unknown" in with_own.stderr) == (1, True)


async def test_a_broken_login_profile_is_reported_with_a_remedy(shell, tmp_path: Path) -> None:
    folder = tmp_path / "recollect"
    folder.mkdir()
    (folder / "profile.json").write_text("{}", encoding="utf-8")

    result = await shell("keys", "me")

    assert result.exit_code == 1
    assert "`recollect login` writes it again" in result.stderr
