"""Command line of the benches: ``make bench NAME=… ARGS="…"``; without a name, it lists them."""

import argparse
import asyncio
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.abstention import gather_probes, judge
from tests.bench.abstention_asking import measure_asking
from tests.bench.cases import PLAYS, measure_cases
from tests.bench.changes import HALVES, measure_changes
from tests.bench.entities import measure_entities
from tests.bench.extraction import measure_extraction
from tests.bench.fit_report import WEIGHTS_FILE, Fit
from tests.bench.memory_use import measure_memory
from tests.bench.peers.comparing import measure_peers
from tests.bench.phrasings import measure_phrasings
from tests.bench.progress import say
from tests.bench.quality import FITTED, SETS, Kept, gather, measure_quality
from tests.bench.relative_dates import measure_relative_dates
from tests.bench.relevance_fit import RELEVANCE_FILE, fitted_models, write_models
from tests.bench.results import Table, write_section
from tests.bench.scaling import measure_scale
from tests.bench.speed import measure_speed
from tests.bench.stalling import measure_stalls
from tests.bench.told import measure_told
from tests.bench.world import Size

# Higher weights of small sets: long messages with single messages as evidence, and messages between people.
_SET_WEIGHTS = {
    "beam": 3.0,
    "assistant": 3.0,
    "projects": 2.0,
    "friends": 2.0,
    "messages": 2.0,
    "madial-zh": 1.5,
    "madial-zh-en": 0.5,
    "madial-en-zh": 0.5,
}
_SIZES = (10_000, 100_000, 1_000_000)
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "--data": {"type": Path, "default": Path("../shared/data"), "help": "Folder of the sets of others."},
    "--set": {
        "action": "append",
        "choices": list(SETS),
        "metavar": "NAME",
        "help": "A set; may be repeated. Default: all, for `fit` the first twelve. " + ", ".join(SETS),
    },
    "--case": {
        "action": "append",
        "choices": list(PLAYS),
        "help": "Own cases; may be repeated. Default: all.",
    },
    "--limit": {"type": int, "help": "Only so many questions of each set, for a quick look."},
    "--pools": {"type": Path, "help": "Folder of gathered pools; a set in it is not gathered again."},
    "--vectors": {"type": Path, "help": "File of vectors; a text in it is not embedded again."},
    "--sample": {"type": int, "help": "About how many own questions of each set, and as many foreign ones."},
    "--set-weight": {"action": "append", "help": "How much each question of a set counts: realmem=1.5."},
    "--ablations": {"action": "store_true", "help": "Fit again without each feature."},
    "--keep": {"action": "store_true", "help": "Write what was fitted beside graph/retrieval/recall."},
    "--store": {"type": Path, "help": "Folder of the loaded store; a filled one is used again."},
    "--folder": {"type": Path, "help": "Folder of stores or environments for the next run."},
    "--memories": {"type": int, "action": "append", "help": "Memories of a store; `scale` takes several."},
    "--workspaces": {"type": int, "help": "In how many workspaces they are."},
    "--queries": {"type": int, "default": 200, "help": "Queries for each workspace."},
    "--rounds": {"type": int, "default": 2, "help": "How often each job is done."},
    "--half": {
        "choices": (*HALVES, "c", "d", "e", "f", "g"),
        "default": "all",
        "help": "Half of the set: a, which the rules were fitted on, b, or all; phrasings and entities have c and d, "
        "phrasings e, f and g.",
    },
    "--json": {"type": Path, "help": "Write all tables there."},
    "--write": {"action": "store_true", "help": "Write the section of tests/bench/RESULTS.md."},
}


@dataclass(frozen=True)
class Bench:
    """One bench: description, function, and options besides ``--json`` and ``--write``."""

    about: str
    run: Callable[[argparse.Namespace], Sequence[Table]]
    options: Sequence[str]
    defaults: Mapping[str, Any]


def _quality(args: argparse.Namespace) -> list[Table]:
    names = args.set or list(SETS)
    return measure_quality(args.data, names, limit=args.limit, kept=_kept(args))


def _fit(args: argparse.Namespace) -> list[Table]:
    sets = {name: SETS[name](args.data) for name in args.set or FITTED}
    asked = {name: gather(loaded, _kept(args)) for name, loaded in sets.items()}
    pairs = (entry.partition("=") for entry in args.set_weight or ())
    given = {name: float(value) for name, _, value in pairs}
    fitted = Fit(asked, _SET_WEIGHTS | given)
    tables = fitted.report(ablations=args.ablations)
    if args.keep:
        fitted.write()
        say(f"wrote {WEIGHTS_FILE}")
    return tables


def _relevance(args: argparse.Namespace) -> list[Table]:
    """Fit models for the configured embedder and for words alone; ``--keep`` adds them to the stored ones."""
    models = fitted_models(gather_probes(args.data, args.sample, _kept(args)))
    print(json.dumps(models, indent=2))
    if args.keep:
        write_models(models)
        say(f"wrote {RELEVANCE_FILE}")
    return []


def _size(args: argparse.Namespace) -> Size:
    return Size(args.memories[0] if args.memories else 100_000, args.workspaces)


def _kept(args: argparse.Namespace) -> Kept:
    return Kept(args.pools, args.vectors)


BENCHES: Mapping[str, Bench] = {
    "quality": Bench(
        "Recall of the evidence of questions, on every set.",
        _quality,
        ("--data", "--set", "--limit", "--pools", "--vectors"),
        {},
    ),
    "fit": Bench(
        "Fit the ranking to all sets, cross-validate, and leave each set out.",
        _fit,
        ("--data", "--set", "--set-weight", "--pools", "--vectors", "--ablations", "--keep"),
        {},
    ),
    "relevance": Bench(
        "Calibrate the relevance of hits for the embedder that the settings name.",
        _relevance,
        ("--data", "--sample", "--pools", "--vectors", "--keep"),
        {"sample": 60},
    ),
    "abstention": Bench(
        "Own questions that recall keeps, and foreign ones that it lets through.",
        lambda args: judge(gather_probes(args.data, args.sample, _kept(args))),
        ("--data", "--sample", "--pools", "--vectors"),
        {"sample": 150},
    ),
    "ask": Bench(
        "Questions that `ask` answers, and those that it must not.",
        lambda args: asyncio.run(measure_asking(args.data / "locomo-dev.json")),
        ("--data",),
        {},
    ),
    "phrasings": Bench(
        "Whether `ask` finds one answer to three phrasings of a question.",
        lambda args: asyncio.run(measure_phrasings(args.half)),
        ("--half",),
        {"half": "all"},
    ),
    "extraction": Bench(
        "Precision and recall of extraction without a language model.",
        lambda args: asyncio.run(measure_extraction(args.data / "realmem-dev")),
        ("--data",),
        {},
    ),
    "entities": Bench(
        "Names that linking recognises in English, German and Chinese texts.",
        lambda args: measure_entities(args.half),
        ("--half",),
        {},
    ),
    "changes": Bench(
        "Changes told in other words that end what was so, and pairs that must not.",
        lambda args: measure_changes(args.half),
        ("--half",),
        {},
    ),
    "told": Bench(
        "Facts that extraction keeps of statements, passing remarks and fiction.",
        lambda args: measure_told(args.half),
        ("--half",),
        {},
    ),
    "relative_dates": Bench(
        "Relative times that become the date they mean, in English and Chinese.",
        lambda args: measure_relative_dates(args.half),
        ("--half",),
        {},
    ),
    "cases": Bench(
        "Words that callers gave, near duplicates, memory for requests, thirteen languages.",
        lambda args: asyncio.run(measure_cases(args.half, args.case or list(PLAYS))),
        ("--half", "--case"),
        {},
    ),
    "speed": Bench(
        "Recall and save over HTTP in workspaces of three sizes, and the local models.",
        lambda args: asyncio.run(measure_speed(args.store, _size(args), args.queries)),
        ("--store", "--memories", "--workspaces", "--queries"),
        {"workspaces": 200},
    ),
    "memory": Bench(
        "Memory of the service process and of Neo4j under load.",
        lambda args: asyncio.run(measure_memory(args.store, _size(args))),
        ("--store", "--memories", "--workspaces"),
        {"workspaces": 200},
    ),
    "stalls": Bench(
        "How long a background job keeps the event loop from everybody else.",
        lambda args: asyncio.run(measure_stalls(args.rounds)),
        ("--rounds",),
        {},
    ),
    "scale": Bench(
        "How recall, memory and disk grow from 10,000 to 1,000,000 memories.",
        lambda args: asyncio.run(
            measure_scale(args.folder, args.memories or _SIZES, args.workspaces, args.queries)
        ),
        ("--folder", "--memories", "--workspaces", "--queries"),
        {"workspaces": 2000},
    ),
    "peers": Bench(
        "neo4j-graphrag, neo4j-agent-memory, graphiti-core and mem0 beside the service.",
        lambda args: asyncio.run(measure_peers(args.folder, args.data, args.limit)),
        ("--data", "--folder", "--limit"),
        {},
    ),
}


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    whole = argparse.ArgumentParser(prog="make bench", description="Measure recall, speed and memory.")
    benches = whole.add_subparsers(dest="name", metavar="NAME", required=True)
    for name, bench in BENCHES.items():
        of_bench = benches.add_parser(name, help=bench.about, description=bench.about)
        for option in (*bench.options, "--json", "--write"):
            of_bench.add_argument(option, **_OPTIONS[option])
        of_bench.set_defaults(**bench.defaults)
    return whole


def main(arguments: Sequence[str]) -> None:
    """Run one bench, print its tables and, if requested, write them."""
    args = parser().parse_args(arguments)
    say(f"{args.name}: started")
    tables = BENCHES[args.name].run(args)
    print("\n\n".join(table.markdown() for table in tables), flush=True)
    if args.json:
        shown = [{"title": each.title, "columns": each.columns, "rows": each.rows} for each in tables]
        args.json.write_text(json.dumps(shown, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    if args.write:
        write_section(args.name, _command(args.name, arguments[1:]), tables)


def _command(name: str, options: Sequence[str]) -> str:
    given = f' ARGS="{shlex.join(options)}"' if options else ""
    return f"make bench NAME={name}{given}"


if __name__ == "__main__":
    main(sys.argv[1:] or ["--help"])
