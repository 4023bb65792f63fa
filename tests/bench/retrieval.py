"""``recollect bench locomo | realmem | madial``: how much of the evidence recall finds, and through what."""

import asyncio
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from tests.bench.asking import Asked, Player, by_category
from tests.bench.engine import engine, servers
from tests.bench.metrics import VALUE_NAMES, Interval, Score, bootstrap, summarise
from tests.bench.rankings import Basis, Weights, as_vector, legs_and_fusions, using_weights
from tests.bench.remembering import remembered_vectors
from tests.bench.script import DataSet
from tests.bench.tables import Table, against, scores_row, with_bounds

_MODEL = "fitted model"


@dataclass(frozen=True)
class Outcome:
    """What one set gave: tables to read, and the same as data."""

    tables: Sequence[Table]
    figures: Mapping[str, Any]


@dataclass(frozen=True)
class Kept:
    """What is kept between runs, to try something out faster; none of it for figures that are published.

    Attributes:
        pools: Folder of gathered pools; a set that lies there is not gathered again.
        vectors: File of texts' vectors; a text in it is not embedded again.
    """

    pools: Path | None = None
    vectors: Path | None = None


def gather(data: DataSet, weights: Weights, kept: Kept, console: Console) -> list[Asked]:
    """Return every question of the set answered: from the file of pools if there is one, else by the engine."""
    file = kept.pools / f"{data.name}-{data.questions}.pickle" if kept.pools else None
    if file and file.exists():
        console.print(f"{data.name}: the pools of {file}; the service's own figures are those of that run")
        asked: list[Asked] = pickle.loads(file.read_bytes())
        return asked
    asked = asyncio.run(_play(data, weights, kept, console))
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(asked))
    return asked


def judge(data: DataSet, asked: Sequence[Asked], weights: Weights) -> Outcome:
    """Return all tables about one set."""
    bases = [Basis.of(one) for one in asked]
    vector = as_vector(bases[0].names, weights)
    modelled = [basis.score(vector) for basis in bases]
    legs = [legs_and_fusions(one) for one in asked]
    methods = {name: [leg[name] for leg in legs] for name in legs[0]} | {_MODEL: modelled}
    service = summarise([one.score for one in asked])
    categories = {name: summarise([one.score for one in group]) for name, group in by_category(asked).items()}
    words = mean(one.words for one in asked)
    removed = _removals(bases, vector, modelled)
    tables = [
        _headline(data, asked, service, categories, words),
        _categories(asked, categories),
        _methods(methods),
        _ablations(removed),
    ]
    figures = {
        "set": data.name,
        "questions": len(asked),
        "service": _plain(service),
        "words_in_first_ten": words,
        "categories": {name: _plain(values) for name, values in categories.items()},
        "methods": {name: _plain(summarise(scores)) for name, scores in methods.items()},
        "without": {name: _plain(values) for name, values in removed.items()},
    }
    return Outcome(tables, figures)


async def _play(data: DataSet, weights: Weights, kept: Kept, console: Console) -> list[Asked]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    total = sum(len(script.steps) for script in data.scripts)
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting Neo4j", total=total)

        def on_step(script: str) -> None:
            progress.update(task, description=f"{data.name}: {script}", advance=1)

        with using_weights(weights), remembered_vectors(kept.vectors):
            async with servers() as settings, engine(settings) as runtime:
                return await Player(runtime.services, data, on_step).play()


def _headline(
    data: DataSet,
    asked: Sequence[Asked],
    service: Mapping[str, Interval],
    categories: Mapping[str, Mapping[str, Interval]],
    words: float,
) -> Table:
    named = {**service}
    for target in data.targets.keys() - service.keys():
        category, _, value = target.rpartition(" ")
        if category in categories:
            named[target] = categories[category][value]
    pool = [one.gold & set(one.labels.values()) for one in asked]
    coverage = mean(len(found) / len(one.gold) for found, one in zip(pool, asked, strict=True))
    table = Table(
        f"{data.name}: {len(asked)} questions, evidence {data.evidence}, through the service",
        ["figure", "value [95 %]", "target"],
        note=f"gold in the pool {coverage:.3f} of {mean(len(one.labels) for one in asked):.0f} candidates; recall "
        f"p50 {median(one.seconds for one in asked) * 1000:.0f} ms; served by "
        f"{', '.join(sorted({one.tier for one in asked}))}",
    )
    for name, interval in named.items():
        table.rows.append([name, with_bounds(interval), against(interval.mean, data.targets.get(name))])
    table.rows.append(
        ["words in the first ten hits", f"{words:.0f}", against(words, data.most_words, at_most=True)]
    )
    return table


def _categories(asked: Sequence[Asked], categories: Mapping[str, dict[str, Interval]]) -> Table:
    table = Table("per category", ["category", "questions", *VALUE_NAMES])
    groups = by_category(asked)
    table.rows.extend(scores_row(name, len(groups[name]), scores) for name, scores in categories.items())
    return table


def _methods(methods: Mapping[str, Sequence[Score]]) -> Table:
    table = Table("legs and fusions, from the same pools", ["ranked by", "questions", *VALUE_NAMES])
    for name, scores in methods.items():
        table.rows.append(scores_row(name, len(scores), summarise(scores)))
    return table


def _removals(
    bases: Sequence[Basis], weights: np.ndarray, modelled: Sequence[Score]
) -> dict[str, dict[str, Interval]]:
    """Return how each value changes when a feature's weight is set to 0, without refit."""
    names = bases[0].names
    removed = {}
    for feature in names:
        without = weights * np.array([name != feature for name in names])
        changed = [basis.score(without).values for basis in bases]
        differences = np.array(changed) - np.array([score.values for score in modelled])
        removed[feature] = {
            value: bootstrap(differences[:, column]) for column, value in enumerate(VALUE_NAMES)
        }
    return removed


def _ablations(removed: Mapping[str, Mapping[str, Interval]]) -> Table:
    table = Table(
        "the fitted model without one feature (weight 0, no refit): change",
        ["feature", "recall@10 [95 %]", "MRR [95 %]"],
    )
    for feature, changes in sorted(removed.items(), key=lambda item: item[1]["recall@10"].mean):
        table.rows.append(
            [feature, *(with_bounds(changes[value], signed=True) for value in ("recall@10", "MRR"))]
        )
    return table


def _plain(values: Mapping[str, Interval]) -> dict[str, list[float]]:
    return {
        name: [round(value.mean, 4), round(value.low, 4), round(value.high, 4)]
        for name, value in values.items()
    }
