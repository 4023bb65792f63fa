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
from tests.bench.rankings import Basis, Weights, as_vector, legs_and_fusions, using_weights, without_mentions
from tests.bench.remembering import remembered_vectors
from tests.bench.script import DataSet
from tests.bench.tables import Table, against, scores_row, with_bounds

MODEL = "fitted model"


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
    methods = {name: [leg[name] for leg in legs] for name in legs[0]} | {MODEL: modelled}
    service = summarise([one.score for one in asked])
    categories = {name: summarise([one.score for one in group]) for name, group in by_category(asked).items()}
    words = mean(one.words for one in asked)
    removed = _removals(bases, vector, modelled)
    added = added_by_mentions(
        asked, modelled, [Basis.of(without_mentions(one)).score(vector) for one in asked]
    )
    tables = [
        _headline(data, asked, service, categories, words),
        _categories(asked, categories),
        _methods(methods),
        _mentions(added),
        _ablations(removed),
    ]
    figures = {
        "set": data.name,
        "questions": len(asked),
        "service": _plain(service),
        "words_in_first_ten": words,
        "categories": {name: _plain(values) for name, values in categories.items()},
        "methods": {name: _plain(summarise(scores)) for name, scores in methods.items()},
        "added by mentions": {
            name: {"questions": group.questions, "gold": group.gold, **_plain(group.change)}
            for name, group in added.items()
        },
        "without": {name: _plain(values) for name, values in removed.items()},
    }
    return Outcome(tables, figures)


@dataclass(frozen=True)
class Added:
    """What mentions add for a group of questions.

    Attributes:
        gold: Share of the gold that is in the pool without mentions, and with them.
        change: Of each value of the fitted model's ranking.
    """

    questions: int
    gold: tuple[float, float]
    change: Mapping[str, Interval]


def added_by_mentions(
    asked: Sequence[Asked], linked: Sequence[Score], unlinked: Sequence[Score]
) -> dict[str, Added]:
    """Return what mentions add for all questions, for those that name an entity, and for each category."""
    numbers = range(len(asked))
    groups = {"all": list(numbers), "naming an entity": [n for n in numbers if asked[n].pool.named]}
    for category in sorted({one.category for one in asked}):
        groups[category] = [n for n in numbers if asked[n].category == category]
    return {
        name: _added([asked[n] for n in group], [linked[n] for n in group], [unlinked[n] for n in group])
        for name, group in groups.items()
        if group
    }


def _added(asked: Sequence[Asked], linked: Sequence[Score], unlinked: Sequence[Score]) -> Added:
    differences = np.array([score.values for score in linked]) - np.array(
        [score.values for score in unlinked]
    )
    change = {value: bootstrap(differences[:, column]) for column, value in enumerate(VALUE_NAMES)}
    return Added(len(asked), (gold_in(asked, linked=False), gold_in(asked, linked=True)), change)


def gold_in(asked: Sequence[Asked], *, linked: bool) -> float:
    """Return which share of the gold is in the pool, on average."""
    shares = []
    for one in asked:
        pool = one.pool if linked else one.unlinked_pool
        found = {one.labels[candidate.id] for candidate in pool.candidates}
        shares.append(len(one.gold & found) / len(one.gold))
    return mean(shares)


def _mentions(added: Mapping[str, Added]) -> Table:
    table = Table(
        "what mentions add to the fitted model's ranking: their candidates and the words they cover",
        ["questions", "number", "gold in the pool", "recall@10 [95 %]", "MRR [95 %]"],
    )
    for name, group in added.items():
        changes = [with_bounds(group.change[value], signed=True) for value in ("recall@10", "MRR")]
        before, after = group.gold
        table.rows.append([name, str(group.questions), f"{before:.3f} → {after:.3f}", *changes])
    return table


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
    coverage = gold_in(asked, linked=True)
    table = Table(
        f"{data.name}: {len(asked)} questions, evidence {data.evidence}, through the service",
        ["figure", "value [95 %]", "target"],
        note=f"gold in the pool {coverage:.3f} of {mean(len(one.pool.candidates) for one in asked):.0f} candidates; "
        f"recall p50 {median(one.seconds for one in asked) * 1000:.0f} ms; served by "
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
