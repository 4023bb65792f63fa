"""Runs a lane: installs, checks, tests, and tries the cases that failed once more. ``make test`` calls it.

``python3 -m tests.lanes test`` runs the lane ``test``; paths behind its name restrict the tests. Only the standard
library is imported here, because nothing is installed yet.

The run is green if each case passed at the first or the second try. It is red without a second try if more than three
causes failed, if a case did not run, or if pytest itself failed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from tests.processor_time import ProcessorTime

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = str(ROOT / ".venv" / "bin" / "python")
MOST_CAUSES: Final = 3
"""Largest number of causes that a second try may excuse."""
CASES_FAILED: Final = 1
"""Exit code of pytest if it ran to the end and a case failed."""


class Lane(NamedTuple):
    """The definition of a lane: three lists of make targets, and options of pytest."""

    install: Sequence[str]
    build: Sequence[str]
    checks: Sequence[str]
    options: Sequence[str]


# Files side by side, as many as there are cores, the longest first; each worker has servers of its own.
_PARALLEL: Final = ("-n", "logical", "--dist", "loadfile", "--no-loadscope-reorder", "--durations=10")
LANES: Final = {
    "test": Lane(["install-test"], ["studio"], ["check"], ["-m", "not proof and not outside", *_PARALLEL]),
    "test-all": Lane(
        ["install-test-all"], ["studio"], ["check", "studio-check"], ["-m", "not outside", *_PARALLEL]
    ),
    "test-outside": Lane(["install-test-outside"], ["studio"], [], ["-m", "outside", *_PARALLEL]),
}


@dataclass(frozen=True)
class Outcomes:
    """The outcomes of one run of pytest, as ``tests/outcomes.py`` writes them.

    Attributes:
        exit_code: Exit code of pytest.
        collected: Node ids of the collected cases.
        ran: Node ids of the cases that ran or were skipped.
        skipped: Node ids of the skipped cases.
        failed: The last line and the cause of each failure, by node id.
    """

    exit_code: int
    collected: Sequence[str] = ()
    ran: Sequence[str] = ()
    skipped: Sequence[str] = ()
    failed: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def passed(self) -> int:
        """Number of passed cases."""
        return len(self.ran) - len(self.skipped) - len(self.failed)

    @property
    def causes(self) -> list[str]:
        """Files, lost workers and lost servers to which the failures are attributed."""
        return sorted({failure["cause"] for failure in self.failed.values()})

    def defect(self) -> str | None:
        """Return why the run proves nothing, or None."""
        if self.exit_code not in (0, CASES_FAILED):
            return f"pytest ended with exit code {self.exit_code}"
        if not self.collected:
            return "no case was collected"
        if missing := sorted(set(self.collected) - set(self.ran)):
            return f"{len(missing)} of {len(self.collected)} cases did not run, such as {missing[0]}"
        if self.exit_code == CASES_FAILED and not self.failed:
            return "pytest ended with exit code 1, but no case failed"
        return None


@dataclass(frozen=True)
class Verdict:
    """The result of a lane.

    Attributes:
        lines: One line for each case that failed at the first try.
        passed: Number of cases that passed at the first or the second try.
        failed: Number of cases that failed.
        skipped: Number of skipped cases.
        defect: Why the run is red, apart from cases that failed twice.
    """

    lines: Sequence[str]
    passed: int
    failed: int
    skipped: int
    defect: str | None = None

    @property
    def is_green(self) -> bool:
        """True if no failure and no defect remains."""
        return self.failed == 0 and self.defect is None

    def closing_lines(self) -> list[str]:
        """Return the failures, the defect, and last the counts in the form that CI reads."""
        counts = f"{self.passed} passed, {self.failed} failed"
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return [*self.lines, *([f"red: {self.defect}"] if self.defect else []), f"{counts}{skipped}"]


class Stopwatch:
    """Measures the seconds of each part of a run."""

    def __init__(self, **seconds: float) -> None:
        self.seconds: dict[str, float] = dict(seconds)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Add the duration of the block to a part."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0) + time.monotonic() - began


def main() -> int:
    """Run the lane that the command line names and return the exit code."""
    given = parsed(sys.argv[1:])
    lane = LANES[given.lane]
    processor_time, stopwatch = ProcessorTime(), Stopwatch(install=given.installed_in)
    processor_time.start()
    prepared = 0.0
    try:
        prepare(lane, stopwatch)
        prepared = sum(processor_time.so_far())
        verdict = run_lane(lane, given.paths, stopwatch)
    finally:
        parts = ", ".join(f"{name} {seconds:,.0f} s" for name, seconds in stopwatch.seconds.items())
        user, system = processor_time.stop()
        print(
            f"took: {parts}; processor {user + system:,.0f} s (user {user:,.0f}, system {system:,.0f}), "
            f"{prepared:,.0f} s of it for installing and for the Studio's build"
        )
    print(*verdict.closing_lines(), sep="\n", flush=True)
    return 0 if verdict.is_green else 1


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the lane, the paths and the seconds already spent on installing."""
    parser = argparse.ArgumentParser(description="Run a lane of tests.")
    parser.add_argument("lane", choices=LANES)
    parser.add_argument("paths", nargs="*", help="files and folders; all tests if there are none")
    parser.add_argument("--installed-in", type=float, default=0, help="seconds already spent on installing")
    return parser.parse_intermixed_args(arguments)


def prepare(lane: Lane, stopwatch: Stopwatch) -> None:
    """Install what the lane needs, and build the Studio unless it is built.

    Raises:
        SystemExit: A target of the Makefile failed.
    """
    with stopwatch.part("install"):
        _make(lane.install)
    with stopwatch.part("build"):
        _make(lane.build)


def run_lane(lane: Lane, paths: Sequence[str], stopwatch: Stopwatch) -> Verdict:
    """Check and test.

    Raises:
        SystemExit: A target of the Makefile failed.
    """
    with stopwatch.part("checks"):
        _make(lane.checks)
    return run_tests([PYTHON, "-m", "pytest"], [*lane.options, *paths], ROOT, stopwatch)


def run_tests(pytest: Sequence[str], arguments: Sequence[str], folder: Path, stopwatch: Stopwatch) -> Verdict:
    """Run tests; run those that failed once more, in a fresh process with servers of its own.

    Args:
        pytest: Command that starts pytest.
        arguments: Options and paths of the first try.
        folder: Working directory.
        stopwatch: Measures both tries.
    """
    with stopwatch.part("tests"):
        first = _run_pytest([*pytest, *arguments], folder)
    defect = first.defect()
    if defect is None and len(first.causes) > MOST_CAUSES:
        defect = f"{len(first.causes)} causes failed, at most {MOST_CAUSES} get a second try"
    if defect or not first.failed:
        lines = [f"failed: {case}: {failure['last_line']}" for case, failure in first.failed.items()]
        return Verdict(lines, first.passed, len(first.failed), len(first.skipped), defect)

    print(f"second try of {len(first.failed)} cases", flush=True)
    with stopwatch.part("second try"):
        second = _run_pytest(pytest, folder, only=list(first.failed))
    passed = set(second.ran) - second.failed.keys() - set(second.skipped)
    lines = [
        f"{'passed at the second try' if case in passed else 'failed twice'}: {case}: {failure['last_line']}"
        for case, failure in first.failed.items()
    ]
    failed = len(first.failed) - len(passed)
    return Verdict(lines, first.passed + len(passed), failed, len(first.skipped), second.defect())


def _run_pytest(command: Sequence[str], folder: Path, only: Sequence[str] | None = None) -> Outcomes:
    with tempfile.TemporaryDirectory(prefix="recollect-lane-") as temporary:
        written, wanted = Path(temporary, "outcomes.json"), Path(temporary, "only.json")
        options = ["-p", "tests.outcomes", f"--outcomes={written}"]
        if only is not None:
            wanted.write_text(json.dumps(only))
            options += [f"--only={wanted}", *sorted({case.partition("::")[0] for case in only})]
        exit_code = subprocess.run(
            [*command, *options], cwd=folder, stdin=subprocess.DEVNULL, check=False
        ).returncode
        if not written.is_file():  # pytest ended before it could write
            return Outcomes(exit_code)
        return Outcomes(exit_code, **json.loads(written.read_text()))


def _make(targets: Sequence[str]) -> None:
    if not targets:
        return
    command = ["make", "--no-print-directory", *targets]
    if exit_code := subprocess.run(command, cwd=ROOT, check=False).returncode:
        raise SystemExit(exit_code)


if __name__ == "__main__":
    raise SystemExit(main())
