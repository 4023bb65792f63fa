"""A pytest plugin that writes the outcome of each case to a file, for ``tests/lanes.py``.

``--outcomes FILE`` names the file. ``--only FILE`` restricts a run to the node ids in a JSON file, which may
contain any characters. Under xdist only the controlling process writes; a worker adds the name of the server
that it lost.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

_SERVERS = pytest.StashKey[dict[str, Callable[[], bool]]]()
"""For each server of a worker: a function that tells whether its first process has ended."""
_LOST_WORKER = "???"
"""Phase in xdist's report on a case whose worker ended."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path, help="write the outcome of each case to this file")
    parser.addoption("--only", type=Path, help="run only the node ids listed in this JSON file")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("outcomes") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Outcomes(config.getoption("outcomes")))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("only"):
        wanted = set(json.loads(config.getoption("only").read_text()))
        items[:] = [item for item in items if item.nodeid in wanted]


@contextmanager
def watched(config: pytest.Config, name: str, server: Any) -> Iterator[None]:
    """Attribute failures to the loss of ``server`` once its present process has ended."""
    servers = config.stash.setdefault(_SERVERS, {})
    first = server.pid
    servers[name] = lambda: server.pid != first
    try:
        yield
    finally:
        del servers[name]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: Any = yield
    servers = item.config.stash.get(_SERVERS, {})
    if report.failed and (lost := [name for name, has_ended in servers.items() if has_ended()]):
        worker = getattr(item.config, "workerinput", {}).get("workerid", "this process")
        report.lost_server = f"lost server: {' and '.join(lost)} of {worker}"
    return report


class _Outcomes:
    """Collects outcomes and writes them at the end of the run."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._collected: set[str] = set()
        self._ran: set[str] = set()
        self._skipped: set[str] = set()
        self._failed: dict[str, dict[str, str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self._collected.update(item.nodeid for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self._collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when in ("teardown", _LOST_WORKER):
            self._ran.add(report.nodeid)
        if report.skipped:
            self._skipped.add(report.nodeid)
        elif report.failed and report.nodeid not in self._failed:
            self._failed[report.nodeid] = {"last_line": _last_line(report), "cause": _cause(report)}

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        outcomes = {
            "collected": sorted(self._collected),
            "ran": sorted(self._ran),
            "skipped": sorted(self._skipped - self._failed.keys()),
            "failed": self._failed,
        }
        self._file.write_text(json.dumps(outcomes))


def _last_line(report: pytest.TestReport) -> str:
    """Return the last line of a failure: the place and the exception with its message."""
    last = (report.longreprtext.strip().splitlines() or ["no message"])[-1]
    crash = getattr(report.longrepr, "reprcrash", None)
    first_line = crash.message.partition("\n")[0] if crash else ""
    message = first_line.removeprefix(last.rpartition(": ")[2]).removeprefix(": ")
    return f"{last}: {message}" if message and message not in last else last


def _cause(report: pytest.TestReport) -> str:
    """Return the cause of a failure: a lost worker, a lost server, or the file."""
    if report.when == _LOST_WORKER:
        return f"lost worker: {report.longreprtext.strip()}"
    return getattr(report, "lost_server", None) or report.nodeid.partition("::")[0]
