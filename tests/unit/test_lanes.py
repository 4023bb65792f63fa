"""A lane's verdict on failures, with real runs of pytest on small folders."""

import sys
from pathlib import Path

import pytest

from tests.lanes import ROOT, Stopwatch, Verdict, parsed, run_tests

PASSES = "def test_passes():\n    pass\n"
FAILS = "def test_fails():\n    assert 1 == 2\n"
FAILS_AT_FIRST = """
from pathlib import Path

def test_fails_at_first():
    met = Path(__file__).with_suffix(".met")
    if not met.exists():
        met.touch()
        raise RuntimeError("the first time")
"""
ENDS_ITS_PROCESS_AT_FIRST = FAILS_AT_FIRST.replace(
    'raise RuntimeError("the first time")', "import os; os._exit(3)"
)
LOSES_A_SERVER = """
import pytest
from types import SimpleNamespace
from tests.outcomes import watched

server = SimpleNamespace(pid=1)

@pytest.fixture(scope="session", autouse=True)
def watched_server(request):
    with watched(request.config, "Neo4j", server):
        yield server
"""
NEEDS_THE_SERVER = "def test_needs_it(watched_server):\n    watched_server.pid = 2\n    assert False\n"


@pytest.fixture
def verdict(tmp_path, monkeypatch):
    """Return a function that runs the lane on files with the given contents."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def verdict(*options: str, **contents: str) -> Verdict:
        for name, content in contents.items():
            Path(tmp_path, f"{name}.py").write_text(content)
        command = [sys.executable, "-m", "pytest"]
        return run_tests(command, ["-p", "xdist", *options], tmp_path, Stopwatch())

    return verdict


def test_a_run_without_failures_is_green(verdict) -> None:
    result = verdict(
        test_a=PASSES, test_b="import pytest\n\n@pytest.mark.skip(reason='why')\ndef test(): pass"
    )

    assert result.is_green
    assert result.closing_lines() == ["1 passed, 0 failed, 1 skipped"]


def test_a_broken_case_fails_twice_and_turns_the_run_red(verdict) -> None:
    result = verdict(test_a=PASSES, test_b=FAILS)

    assert (result.passed, result.failed, result.is_green) == (1, 1, False)
    assert result.closing_lines() == [
        "failed twice: test_b.py::test_fails: test_b.py:2: AssertionError: assert 1 == 2",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize("options", [[], ["-n", "2"]])
def test_a_case_that_passes_at_the_second_try_is_named(verdict, options) -> None:
    result = verdict(*options, test_a=PASSES, test_b=FAILS_AT_FIRST)

    assert (result.passed, result.failed, result.is_green) == (2, 0, True)
    (line,) = result.lines
    assert line.startswith("passed at the second try: test_b.py::test_fails_at_first: ")
    assert line.endswith("RuntimeError: the first time")


def test_three_causes_are_tried_again_and_four_are_not(verdict) -> None:
    three = verdict(**{f"test_{number}": FAILS_AT_FIRST for number in range(3)})
    four = verdict(**{f"test_{number}": FAILS_AT_FIRST for number in range(3, 7)})

    assert (three.passed, three.failed, three.is_green) == (3, 0, True)
    assert (four.passed, four.failed, four.is_green) == (3, 4, False)
    assert four.defect == "4 causes failed, at most 3 get a second try"


def test_failures_of_one_file_are_one_cause(verdict) -> None:
    many = "\n".join(
        FAILS_AT_FIRST.replace("_first", f"_{number}").replace(".met", f".{number}") for number in range(4)
    )

    result = verdict(test_a=many)

    assert (result.passed, result.failed, result.is_green) == (4, 0, True)


def test_failures_behind_a_lost_server_are_one_cause(verdict) -> None:
    result = verdict(conftest=LOSES_A_SERVER, **{f"test_{number}": NEEDS_THE_SERVER for number in range(4)})

    assert (result.passed, result.failed, result.is_green) == (0, 4, False)
    assert {line.partition(":")[0] for line in result.lines} == {"failed twice"}


def test_a_worker_that_ends_is_one_cause(verdict) -> None:
    result = verdict("-n", "1", test_a=PASSES, test_b=ENDS_ITS_PROCESS_AT_FIRST, test_c=PASSES)

    assert (result.passed, result.failed, result.is_green) == (3, 0, True)
    (line,) = result.lines
    assert "worker 'gw0' crashed" in line


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("import nothing_of_this_name", "pytest ended with exit code 2"),
        ("import os\n\ndef test():\n    os._exit(0)", "no case was collected"),
        ("", "pytest ended with exit code 5"),
        ("import pytest\n\ndef test():\n    pytest.exit('enough', returncode=0)", "1 of 1 cases did not run"),
    ],
)
def test_a_run_that_proves_nothing_is_red(verdict, content, reason) -> None:
    result = verdict(test_a=content)

    assert not result.is_green
    assert result.defect is not None
    assert result.defect.startswith(reason)


def test_paths_restrict_a_lane() -> None:
    given = parsed(["test", "--installed-in", "12", "tests/unit", "tests/api"])

    assert (given.lane, given.installed_in, given.paths) == ("test", 12, ["tests/unit", "tests/api"])
