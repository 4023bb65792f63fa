"""The data folder: one process uses it at a time, and a second process learns which one."""

import os
import stat
import subprocess
import sys

import pytest

from app.cli.doctor import CheckState
from app.cli.examination import check_ports
from app.cli.profile import address_of, is_named, running_port
from app.embedded.data_folder import Holder, data_folder, find_holder, hold
from app.embedded.errors import DataFolderHeld
from app.settings import Settings

HOLDER = """
import sys
from pathlib import Path
from app.embedded.data_folder import hold

with hold(Path(sys.argv[1])) as held:
    held.announce(8123)
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def other_process(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_process_learns_pid_and_port_of_the_first(folder, other_process):
    with (
        pytest.raises(DataFolderHeld, match=rf"held by process {other_process.pid}, .* port 8123"),
        hold(folder),
    ):
        pytest.fail("two processes held the folder")

    assert find_holder(folder) == Holder(other_process.pid, 8123)


def test_a_killed_process_releases_the_folder(folder, other_process):
    other_process.kill()
    other_process.wait()

    assert find_holder(folder) is None
    with hold(folder):
        assert find_holder(folder) == Holder(os.getpid(), None)


def test_a_folder_is_free_again_afterwards(folder):
    with hold(folder):
        pass

    assert find_holder(folder) is None
    assert sorted(entry.name for entry in folder.iterdir()) in ([], ["lock"])


def test_a_new_folder_is_for_its_owner_only(folder):
    with hold(folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_nobody_holds_a_folder_that_does_not_exist(folder):
    assert find_holder(folder) is None
    assert not folder.exists()


def test_outside_the_checkout_the_default_is_the_folder_beside_the_installation(tmp_path, monkeypatch):
    """Issue "Nothing lost, nothing misleading": a folder here, or an absolute path, overrides it."""
    elsewhere, installed = tmp_path / "elsewhere", tmp_path / "checkout" / ".recollect"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "checkout" / ".venv"))
    chosen = Settings(_env_file=None).data_dir

    before = data_folder(chosen)
    installed.mkdir(parents=True)
    assert (before, data_folder(chosen)) == (elsewhere / ".recollect", installed)
    assert data_folder(tmp_path / "absolute") == tmp_path / "absolute"
    (elsewhere / ".recollect").mkdir()
    assert data_folder(chosen) == elsewhere / ".recollect"


def test_commands_use_the_running_service_whatever_its_port(folder, other_process):
    """Issue "Nothing lost, nothing misleading": unless the settings set a port; doctor accepts its port."""
    here, named = (Settings(_env_file=None, data_dir=folder, **port) for port in ({}, {"port": 8200}))

    assert (running_port(here), running_port(named)) == (8123, None)
    assert address_of(here) == "http://127.0.0.1:8123"
    assert address_of(named) == "http://127.0.0.1:8200"
    assert not is_named(here, "http://127.0.0.1:8123")
    (port, *_) = check_ports(here, find_holder(folder), 8123, is_served=False)
    assert port.state is CheckState.FOUND
