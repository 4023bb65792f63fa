"""``recollect login`` where there is a keyring: the real library, with a keyring of the tests (issue 16, point 11)."""

import asyncio
import json
import stat
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.fixtures.clean_environment import clean_environment, install

ROOT = Path(__file__).parents[3]
RUN = "from app.cli import main; main()"
OURS = "tests.fixtures.keyring_backend.Keyring"


@pytest.fixture(scope="module")
async def library(tmp_path_factory) -> Path:
    """The folder in which ``keyring`` is, apart from the environment of the tests."""
    python = await clean_environment(tmp_path_factory.mktemp("keyring") / "environment")
    await install(python, "keyring>=25.7")
    (folder,) = python.parents[1].glob("lib/python*/site-packages")
    return folder


@pytest.fixture
def shell(library, tmp_path):
    """A function that runs a command with a keyring and returns its exit code and what it wrote."""

    async def shell(*arguments: str, keyring: str = OURS, stdin: str = "") -> tuple[int, str]:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", RUN, *arguments,
            cwd=tmp_path, stdin=PIPE, stdout=PIPE, stderr=PIPE,
            env={
                "PYTHONPATH": f"{ROOT}:{library}",
                "PYTHON_KEYRING_BACKEND": keyring,
                "TEST_KEYRING": str(tmp_path / "keyring.json"),
                "XDG_CONFIG_HOME": str(tmp_path),
                "HOME": str(tmp_path),
                "COLUMNS": "200",
            },
        )  # fmt: skip
        output, errors = await process.communicate(stdin.encode())
        return process.returncode or 0, (output + errors).decode()

    return shell


def passwords(folder: Path) -> dict[str, str]:
    return json.loads((folder / "keyring.json").read_text())


async def test_the_key_is_kept_in_the_keyring_and_not_in_the_file(shell, cli, tmp_path) -> None:
    code, said = await shell("login", "--url", cli.url, "--key", cli.key)
    file = tmp_path / "recollect" / "profile.json"

    assert code == 0, said
    assert "kept in the system's keyring" in said
    assert passwords(tmp_path) == {f"recollect {cli.url}": cli.key}
    assert json.loads(file.read_text()) == {"url": cli.url, "key": None}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "workspaceId: " in (await shell("keys", "me"))[1]
    assert (await shell("logout"))[0] == 0
    assert passwords(tmp_path) == {}
    assert not file.exists()


async def test_a_new_login_leaves_no_other_key_in_the_keyring(shell, cli, tmp_path) -> None:
    other = cli.url.replace("127.0.0.1", "localhost")

    await shell("login", "--url", cli.url, "--key", cli.key)
    await shell("login", "--url", other, "--key", cli.key)

    assert passwords(tmp_path) == {f"recollect {other}": cli.key}


@pytest.mark.parametrize("keyring", ["keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"])
async def test_without_a_keyring_that_keeps_it_the_key_is_in_the_file(shell, cli, tmp_path, keyring) -> None:
    code, said = await shell("login", "--url", cli.url, "--key", cli.key, keyring=keyring)
    file = tmp_path / "recollect" / "profile.json"

    assert code == 0, said
    assert json.loads(file.read_text()) == {"url": cli.url, "key": cli.key}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "workspaceId: " in (await shell("keys", "me", keyring=keyring))[1]


async def test_a_key_that_the_keyring_lost_is_asked_for_again(shell, cli, tmp_path) -> None:
    await shell("login", "--url", cli.url, "--key", cli.key)
    (tmp_path / "keyring.json").write_text("{}")

    code, said = await shell("keys", "me")

    assert code == 1
    assert f"the system's keyring has no key of {cli.url} any more" in said
    assert "`recollect login` writes it again" in said
