"""The benches that `make bench` starts; each prints its progress to a pipe."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.__main__ import BENCHES, parser
from tests.bench.progress import Progress

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_needs_no_option(name: str) -> None:
    args = parser().parse_args([name])

    assert (args.name, args.json, args.write) == (name, None, False)
    assert {option.removeprefix("--").replace("-", "_") for option in BENCHES[name].options} <= vars(
        args
    ).keys()


def test_without_a_name_the_benches_are_listed() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "tests.bench"], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert all(f"    {name}" in shown.stdout for name in BENCHES)


def test_progress_prints_the_first_and_the_last_step(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("fill", 3)

    for _ in range(3):
        progress.step("large")

    lines = capsys.readouterr().err.splitlines()
    assert [line.split(" ", 1)[1] for line in (lines[0], lines[-1])] == [
        "fill: 1 of 3, large",
        "fill: 3 of 3, large",
    ]
