"""The bench of peers, which gives every store the same rows, vectors and questions."""

import json
import subprocess
import sys
from pathlib import Path

from tests.bench.metrics import Score
from tests.bench.peers.comparing import Measured, tables
from tests.bench.peers.workload import SMALL, Workload

_ECHO = """
from tests.bench.peers.processes.answering import answer

class Echo:
    def __init__(self, vectors):
        self._vectors = vectors
        self._rows = {}

    async def save(self, group, rows):
        print("what a peer prints is no answer")
        self._rows.setdefault(group, []).extend(rows)

    async def search(self, group, text, limit):
        assert self._vectors.of(f" {text} ") == [0.5]
        return [row.id for row in self._rows[group] if self._vectors.of(row.text) == [1.0]][:limit]

async def opened(store, vectors):
    return Echo(vectors)

answer(opened)
"""
_ROOT = Path(__file__).parents[3]


def test_a_peers_process_answers_each_request_by_a_line() -> None:
    store = {"uri": "", "user": "", "password": "", "folder": "", "dimension": 1}
    rows = [{"id": "a", "text": "one", "vector": [1.0]}, {"id": "b", "text": "two", "vector": [0.0]}]
    search = {"group": "g", "search": "which?", "vector": [0.5], "limit": 10}

    answers = _answers(store, {"group": "g", "save": rows}, search)

    assert [answer["ids"] for answer in answers] == [[], ["a"]]
    assert all(answer["seconds"] >= 0 for answer in answers)


def test_an_unmeasured_peer_has_a_reason() -> None:
    found = Score.of(["a"], {"a"})
    ours = Measured("1.0", {"locomo": [found], "beam": [found]}, [0.01], [0.02], 100.0, 10, 0, 300.0)

    quality, cost = tables(
        Workload([], {SMALL: []}, [], {}), {"recollect": ours}, {"mem0ai": "no such package"}
    )

    rows = {row[0]: row for row in quality.rows}
    assert list(rows["recollect"])[3:] == ["1.000 / 1.000", "1.000 / 1.000"]
    assert rows["mem0ai"][2] == "not measured: no such package"
    assert [row[0] for row in cost.rows] == ["recollect"]


def _answers(*requests: dict[str, object]) -> list[dict[str, object]]:
    lines = "\n".join(map(json.dumps, requests)) + "\n"
    done = subprocess.run(
        [sys.executable, "-c", _ECHO], cwd=_ROOT, input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]
