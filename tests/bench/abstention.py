"""``recollect bench abstention``: how many questions with evidence are kept, and how many without let through.

One function for each part, recall and ask; the command prints both.
"""

import asyncio
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from graph.retrieval.recall.relevance import WORDS, RelevanceModel, feature_names, models
from tests.bench.engine import engine, servers
from tests.bench.probes import Conversation, Kind, Probe, Prober, load_conversations
from tests.bench.relevance_fit import (
    LEAST_OWN,
    MOST_FOREIGN,
    Example,
    Logistic,
    as_logistic,
    best_of,
    fit,
    is_for_fitting,
    threshold_of,
)
from tests.bench.remembering import remembered_vectors
from tests.bench.retrieval import Kept, Outcome
from tests.bench.tables import Table

SAMPLE = 150
_CURVE = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_FOREIGN = (Kind.CONVERSATION, Kind.SET, Kind.SMALL_TALK)


def recall_part(data: Path, sample: int, kept: Kept, console: Console) -> Outcome:
    """Measure which hits of recall pass the relevance that is asked of what is given unasked."""
    return judge(gather_probes(data, sample, kept, console))


def gather_probes(data: Path, sample: int, kept: Kept, console: Console) -> list[Probe]:
    """Return every question asked of every conversation: from the file of pools if there is one, else by the engine."""
    file = kept.pools / f"probes-{sample}.pickle" if kept.pools else None
    if file and file.exists():
        console.print(f"the pools of {file}")
        known: list[Probe] = pickle.loads(file.read_bytes())
        return known
    probes = asyncio.run(_play(load_conversations(data, sample=sample), kept, console))
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(probes))
    return probes


def judge(probes: Sequence[Probe]) -> Outcome:
    """Return the tables: rates at the default threshold, the curves, and what is left where words alone serve."""
    names = feature_names()
    committed = models()
    signature = next((probe.embedder for probe in probes if probe.embedder in committed), None)
    tables: list[Table] = []
    figures: dict[str, Any] = {}
    if signature is not None:
        examples = [Example.of(probe, names) for probe in probes]
        rates, curves = _judge(signature, committed[signature], examples, names)
        tables += [*rates, *curves]
        figures[signature] = _figures(committed[signature], examples, names)
    by_words = [Example.of(probe, names, by_words=True) for probe in probes]
    tables += _judge(WORDS, committed[WORDS], by_words, names)[0]
    figures[WORDS] = _figures(committed[WORDS], by_words, names)
    return Outcome(tables, figures)


def _judge(
    name: str, model: RelevanceModel, examples: Sequence[Example], names: Sequence[str]
) -> tuple[list[Table], list[Table]]:
    """Return the tables of rates, then those of the curves."""
    logistic, threshold = as_logistic(names, model), model.threshold
    rates = [_rates(f"relevance by {name}, threshold {threshold:.3f}", [(examples, logistic, threshold)])]
    left_out = list(_sets_left_out(examples, names))
    rates.append(_rates(f"relevance by {name}, each set left out of the fit and of the threshold", left_out))
    return rates, [
        _curves(f"relevance by {name}: own kept / foreign let through", examples, logistic),
        _left_out_curves(f"relevance by {name}, the set left out: own kept / foreign let through", left_out),
    ]


Judged = tuple[Sequence[Example], Logistic, float]


def _sets_left_out(examples: Sequence[Example], names: Sequence[str]) -> list[Judged]:
    """Return each set with a model and a threshold that know neither it nor the small talk it is asked."""
    judged = []
    for group in _groups(examples):
        others = [each for each in examples if each.probe.group != group and is_for_fitting(each.probe)]
        own = [
            each
            for each in examples
            if each.probe.group == group
            and (each.probe.kind is not Kind.SMALL_TALK or not is_for_fitting(each.probe))
        ]
        model = fit(others, names)
        judged.append((own, model, threshold_of(model, others)))
    return judged


def _groups(examples: Sequence[Example]) -> list[str]:
    return list(dict.fromkeys(each.probe.group for each in examples if each.has_evidence))


def _rates(title: str, judged: Sequence[Judged]) -> Table:
    """Return the rates of every set, and of all where one model and threshold judge them."""
    table = Table(
        title,
        ["set", "own with evidence", "kept", *(f"let through: {kind}" for kind in _FOREIGN), "all foreign"],
        note=f"targets: kept ≥ {LEAST_OWN:.0%}, let through ≤ {MOST_FOREIGN:.0%}. Own: questions with evidence among "
        "the first five hits, kept where one of these passes. Foreign: let through where any candidate passes.",
    )
    for examples, model, threshold in judged:
        parts = {
            group: [each for each in examples if each.probe.group == group] for group in _groups(examples)
        }
        if len(judged) == 1:
            parts["all"] = examples
        for name, part in parts.items():
            own = [each for each in part if each.has_evidence]
            foreign = [each for each in part if not each.probe.is_own]
            cells = [
                _share([each for each in foreign if each.probe.kind is kind], model, threshold)
                for kind in _FOREIGN
            ]
            table.rows.append(
                [
                    name,
                    str(len(own)),
                    _share(own, model, threshold),
                    *cells,
                    _share(foreign, model, threshold),
                ]
            )
    return table


def _curves(title: str, examples: Sequence[Example], model: Logistic) -> Table:
    groups = _groups(examples)
    table = Table(title, ["threshold", *groups])
    for threshold in _CURVE:
        cells = [
            _pair([each for each in examples if each.probe.group == group], model, threshold)
            for group in groups
        ]
        table.rows.append([f"{threshold:.2f}", *cells])
    return table


def _left_out_curves(title: str, judged: Sequence[Judged]) -> Table:
    table = Table(title, ["threshold", *(examples[0].probe.group for examples, _, _ in judged)])
    for threshold in _CURVE:
        table.rows.append(
            [f"{threshold:.2f}", *(_pair(examples, model, threshold) for examples, model, _ in judged)]
        )
    return table


def _pair(examples: Sequence[Example], model: Logistic, threshold: float) -> str:
    own = [each for each in examples if each.has_evidence]
    foreign = [each for each in examples if not each.probe.is_own]
    return f"{_passed(own, model, threshold):.0%} / {_passed(foreign, model, threshold):.0%}"


def _share(examples: Sequence[Example], model: Logistic, threshold: float) -> str:
    return f"{_passed(examples, model, threshold):.1%} of {len(examples)}" if examples else ""


def _passed(examples: Sequence[Example], model: Logistic, threshold: float) -> float:
    """Return which share of the questions something passes for; of own ones, evidence."""
    least = float(np.log(threshold / (1 - threshold)))
    return float(np.mean([best_of(model, each) >= least for each in examples])) if examples else 0.0


def _figures(
    model: RelevanceModel, examples: Sequence[Example], names: Sequence[str]
) -> Mapping[str, Mapping[str, float]]:
    logistic = as_logistic(names, model)
    return {
        group: {
            "kept": _passed([each for each in of_group if each.has_evidence], logistic, model.threshold),
            "let through": _passed(
                [each for each in of_group if not each.probe.is_own], logistic, model.threshold
            ),
        }
        for group in _groups(examples)
        if (of_group := [each for each in examples if each.probe.group == group])
    }


async def _play(conversations: Sequence[Conversation], kept: Kept, console: Console) -> list[Probe]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting Neo4j", total=sum(each.steps for each in conversations))

        def on_step(name: str) -> None:
            progress.update(task, description=name, advance=1)

        with remembered_vectors(kept.vectors):
            async with servers() as settings, engine(settings) as runtime:
                prober = Prober(runtime.services, on_step)
                return [probe for each in conversations for probe in await prober.play(each)]
