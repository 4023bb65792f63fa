"""``recollect bench kinds``: further kinds of memories, each a small set written by hand in ``sets``.

A person's notes, agents' logs, code decisions, documents by section, two friends who write to each other, three pairs
who do in few words (``messages``), a person who talks with an assistant, and one who works on projects with one. The
sections are memories that bear their document's title, as recall ranks memories only; a document's own chunks are found
by search.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from graph.memories.models import MemoryDraft
from tests.bench.asking import Asked, by_category
from tests.bench.metrics import VALUE_NAMES, Interval, Score, summarise
from tests.bench.rankings import Basis, Weights, as_vector, legs_and_fusions
from tests.bench.retrieval import MODEL, Outcome, gold_in
from tests.bench.script import Ask, DataSet, Save, Script
from tests.bench.tables import Table, scores_row

FOLDER = Path(__file__).with_name("sets")
KINDS = (
    "notes", "logs", "decisions", "documents", "friends", "messages", "assistant", "projects",
)  # fmt: skip
_OF_A_TURN = ("speaker", "source_conversation_id", "session_id")
SERVICE = "the service"
_COMPARED = (SERVICE, "vector only", "RRF, k = 60")
_SHOWN = ("recall@10", "MRR")


def load_kinds(folder: Path = FOLDER) -> dict[str, DataSet]:
    """Read every kind: ``KIND/KIND.jsonl`` in the import format, its questions in ``KIND/KIND.q.json``.

    Raises:
        FileNotFoundError: The folder lacks a kind.
        ValueError: A question's gold is no key of its kind.
    """
    return {kind: _load(folder / kind / f"{kind}.jsonl") for kind in KINDS}


def judge_kinds(asked: Mapping[str, Sequence[Asked]], weights: Weights) -> Outcome:
    """Return the tables about all kinds: the service beside its legs, and the same for each category."""
    ways = {kind: ways_of(of_kind, weights) for kind, of_kind in asked.items()}
    tables = [ranked_by(kind, asked[kind], ways[kind]) for kind in asked]
    categories = Table(
        f"per category: {' / '.join(_SHOWN)}",
        ["kind and category", "questions", "gold in the pool", *_COMPARED],
    )
    figures = {}
    for kind, of_kind in asked.items():
        figures[kind] = {"all": {name: means_of(scores) for name, scores in ways[kind].items()}}
        for category, group in by_category(of_kind).items():
            of_category = ways_of(group, weights)
            figures[kind][category] = {name: means_of(scores) for name, scores in of_category.items()}
            cells = [_cell(summarise(of_category[name])) for name in _COMPARED]
            coverage = f"{gold_in(group, linked=True):.3f}"
            categories.rows.append([f"{kind}: {category}", str(len(group)), coverage, *cells])
    return Outcome([*tables, categories], figures)


def _load(file: Path) -> DataSet:
    memories = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    questions = json.loads(file.with_suffix(".q.json").read_text(encoding="utf-8"))
    keys = [memory["key"] for memory in memories]
    for each in questions:
        if unknown := set(each["gold"]) - set(keys):
            raise ValueError(f"{file.stem}: gold of {each['q']!r} is no key: {sorted(unknown)}")
    drafts = [
        MemoryDraft(
            content=memory["content"],
            timestamp=datetime.fromisoformat(memory["timestamp"]),
            metadata=memory.get("metadata"),
            **{name: memory[name] for name in _OF_A_TURN if name in memory},
            source_type="imported",
            dedup=False,
        )
        for memory in memories
    ]
    asks = [Ask(each["q"], frozenset(each["gold"]), each["cat"]) for each in questions]
    return DataSet(
        file.stem, "memories", [Script(file.stem, [Save(drafts, keys), *asks])], hits=20, targets={}
    )


def ways_of(asked: Sequence[Asked], weights: Weights) -> dict[str, list[Score]]:
    """Return each question's score by the service, by each leg and fusion, and by the given weights."""
    bases = [Basis.of(one) for one in asked]
    vector = as_vector(bases[0].names, weights)
    legs = [legs_and_fusions(one) for one in asked]
    return {
        SERVICE: [one.score for one in asked],
        **{name: [leg[name] for leg in legs] for name in legs[0]},
        MODEL: [basis.score(vector) for basis in bases],
    }


def ranked_by(kind: str, asked: Sequence[Asked], ways: Mapping[str, Sequence[Score]]) -> Table:
    """Return the table of one set: the service beside its legs and the usual fusions."""
    table = Table(
        f"{kind}: {len(asked)} questions",
        ["ranked by", "questions", *VALUE_NAMES],
        note=f"gold in the pool {gold_in(asked, linked=True):.3f}; "
        f"served by {', '.join(sorted({one.tier for one in asked}))}",
    )
    table.rows.extend(scores_row(name, len(scores), summarise(scores)) for name, scores in ways.items())
    return table


def _cell(values: Mapping[str, Interval]) -> str:
    return " / ".join(f"{values[name].mean:.3f}" for name in _SHOWN)


def means_of(scores: Sequence[Score]) -> dict[str, float]:
    """Return the mean of each value over questions, for the file of figures."""
    return {name: round(interval.mean, 4) for name, interval in summarise(scores).items()}
