"""Shares of own and of foreign questions with a hit at or above the relevance threshold.

Own questions have evidence in the workspace and should pass; foreign ones should not.
"""

import asyncio
import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graph.retrieval.recall.relevance import WORDS, Scale, feature_names, models, read_model
from tests.bench.engine import engine, servers
from tests.bench.probes import Conversation, Kind, Probe, load_conversations, play_conversations
from tests.bench.progress import Progress, say
from tests.bench.quality import Kept
from tests.bench.relevance_fit import (
    LEAST_OWN,
    MOST_FOREIGN,
    Example,
    as_stored,
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
        tables += _judge(Scale(committed[signature], signature), examples, names)
    by_words = [Example.of(probe, names, by_words=True) for probe in probes]
    return tables + _judge(Scale(committed[WORDS], WORDS), by_words, names)


def _judge(scale: Scale, examples: Sequence[Example], names: Sequence[str]) -> list[Table]:
    name = scale.model.name
    return [
        _rates(
            f"relevance by {name}, threshold {scale.threshold:.3f}",
            [(examples, scale)],
            is_detail=name == WORDS,
        ),
        _rates(
            f"relevance by {name}, each set left out of the fit and of the threshold",
            _sets_left_out(scale, examples, names),
            is_detail=True,
        ),
    ]


Judged = tuple[Sequence[Example], Scale]


def _sets_left_out(scale: Scale, examples: Sequence[Example], names: Sequence[str]) -> list[Judged]:
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
        stored = as_stored(names, model, threshold_of(model, others), scale.model.unrelated)
        judged.append((own, Scale(read_model(scale.model.name, stored), group)))
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
    for examples, scale in judged:
        judgements = [(each, _passes(each, scale)) for each in examples]
        parts = {
            group: [each for each in judgements if each[0].probe.group == group]
            for group in _groups(examples)
        }
        if len(judged) == 1:
            parts["all"] = judgements
        for name, part in parts.items():
            own = [passes for each, passes in part if each.has_evidence]
            foreign = [(each.probe.kind, passes) for each, passes in part if not each.probe.is_own]
            of_kinds = [[passes for of, passes in foreign if of is kind] for kind in _FOREIGN]
            rates = map(_share, (own, *of_kinds, [passes for _, passes in foreign]))
            table.rows.append([name, str(len(own)), *rates])
    return table


def _share(passed: Sequence[bool]) -> str:
    return f"{float(np.mean(passed)):.1%} of {len(passed)}" if passed else ""


def _passes(example: Example, scale: Scale) -> bool:
    """Tell whether the service lets a candidate pass; for an own question, evidence among the first five hits."""
    probe = example.probe
    relevance = scale.of(example.pool, probe.question)
    counted = probe.gold.intersection(probe.first) if probe.is_own else relevance
    return max((relevance.get(id_, 0.0) for id_ in counted), default=0.0) >= scale.threshold


async def _play(conversations: Sequence[Conversation], kept: Kept) -> list[Probe]:
    say("probes: starting Neo4j")
    progress = Progress("probes", sum(each.steps for each in conversations))
    with remembered_vectors(kept.vectors):
        async with servers() as settings, engine(settings) as runtime:
            return await play_conversations(runtime.services, conversations, progress.step)
