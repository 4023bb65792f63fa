"""Shares of own and of foreign questions with a hit at or above the relevance threshold.

Own questions have evidence in the workspace and should pass; foreign ones should not.
"""

import asyncio
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graph.retrieval.recall.relevance import WORDS, RelevanceModel, feature_names, models
from tests.bench.engine import engine, servers
from tests.bench.probes import Conversation, Kind, Probe, load_conversations, play_conversations
from tests.bench.progress import Progress, say
from tests.bench.quality import Kept
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
from tests.bench.results import Table

_FOREIGN = (Kind.CONVERSATION, Kind.SET, Kind.SMALL_TALK)


def gather_probes(data: Path, sample: int, kept: Kept) -> list[Probe]:
    """Return the probes of all conversations, from the cached file if there is one, else from the engine."""
    file = kept.pools / f"probes-{sample}.pickle" if kept.pools else None
    if file and file.exists():
        say(f"probes: the pools of {file}")
        known: list[Probe] = pickle.loads(file.read_bytes())
        return known
    probes = asyncio.run(_play(load_conversations(data, sample=sample), kept))
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(probes))
    return probes


def judge(probes: Sequence[Probe]) -> list[Table]:
    """Return the rates with the stored models and with each set held out, by vectors and by words alone."""
    names = feature_names()
    committed = models()
    signature = next((probe.embedder for probe in probes if probe.embedder in committed), None)
    tables: list[Table] = []
    if signature is not None:
        examples = [Example.of(probe, names) for probe in probes]
        tables += _judge(signature, committed[signature], examples, names)
    by_words = [Example.of(probe, names, by_words=True) for probe in probes]
    return tables + _judge(WORDS, committed[WORDS], by_words, names)


def _judge(
    name: str, model: RelevanceModel, examples: Sequence[Example], names: Sequence[str]
) -> list[Table]:
    logistic, threshold = as_logistic(names, model), model.threshold
    return [
        _rates(
            f"relevance by {name}, threshold {threshold:.3f}",
            [(examples, logistic, threshold)],
            is_detail=name == WORDS,
        ),
        _rates(
            f"relevance by {name}, each set left out of the fit and of the threshold",
            _sets_left_out(examples, names),
            is_detail=True,
        ),
    ]


Judged = tuple[Sequence[Example], Logistic, float]


def _sets_left_out(examples: Sequence[Example], names: Sequence[str]) -> list[Judged]:
    """Return each set with a model and a threshold fitted without it and without its small talk."""
    judged: list[Judged] = []
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


def _rates(title: str, judged: Sequence[Judged], *, is_detail: bool) -> Table:
    """Return the rates of each set, and of all sets if they share one model and threshold."""
    table = Table(
        title,
        ["set", "own with evidence", "kept", *(f"let through: {kind}" for kind in _FOREIGN), "all foreign"],
        note=f"targets: kept ≥ {LEAST_OWN:.0%}, let through ≤ {MOST_FOREIGN:.0%}. Own: questions with evidence among "
        "the first five hits, kept where one of these passes. Foreign: let through where any candidate passes.",
        is_detail=is_detail,
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


def _share(examples: Sequence[Example], model: Logistic, threshold: float) -> str:
    return f"{_passed(examples, model, threshold):.1%} of {len(examples)}" if examples else ""


def _passed(examples: Sequence[Example], model: Logistic, threshold: float) -> float:
    """Return the share of questions for which a candidate passes; for own questions, evidence must pass."""
    least = float(np.log(threshold / (1 - threshold)))
    return float(np.mean([best_of(model, each) >= least for each in examples])) if examples else 0.0


async def _play(conversations: Sequence[Conversation], kept: Kept) -> list[Probe]:
    say("probes: starting Neo4j")
    progress = Progress("probes", sum(each.steps for each in conversations))
    with remembered_vectors(kept.vectors):
        async with servers() as settings, engine(settings) as runtime:
            return await play_conversations(runtime.services, conversations, progress.step)
