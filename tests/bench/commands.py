"""What ``command_line.py`` calls: each function is one command."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from graph.retrieval.recall import scoring
from tests.bench import abstention as abstaining
from tests.bench.abstention_asking import asking_part
from tests.bench.archiving import measure_archive
from tests.bench.beam import load_beam
from tests.bench.completeness import measure_completeness
from tests.bench.extraction import measure_extraction
from tests.bench.fit_report import WEIGHTS_FILE, Fit, write_weights
from tests.bench.kinds import judge_kinds, load_kinds
from tests.bench.languages import judge_languages, load_languages
from tests.bench.locomo import load_locomo
from tests.bench.madial import load_madial
from tests.bench.memory_use import measure_memory
from tests.bench.peers.comparing import measure_peers
from tests.bench.promoting import measure_promotion
from tests.bench.proxying import measure_proxy
from tests.bench.realmem import load_realmem
from tests.bench.relevance_fit import RELEVANCE_FILE, fitted_models, write_models
from tests.bench.results import write_section
from tests.bench.retrieval import Kept, gather, judge
from tests.bench.scaling import measure_scale, plot
from tests.bench.speed import measure_speed
from tests.bench.stalling import measure_stalls
from tests.bench.tables import Table
from tests.bench.traversing import measure_traversal
from tests.bench.world import Size

_WIDTH = 120
_SMALL_STORE = 10_000
PLACES = {"locomo": "locomo-dev.json", "realmem": "realmem-dev", "madial": "madial-en", "beam": "beam-dev"}
# Small sets: those of long messages whose evidence is single messages, and those of people who write to each other.
SET_WEIGHTS = {"beam": 3.0, "assistant": 3.0, "projects": 2.0, "friends": 2.0, "messages": 2.0}
LOADERS = {"locomo": load_locomo, "realmem": load_realmem, "madial": load_madial, "beam": load_beam}


@dataclass(frozen=True)
class Output:
    """Where figures go besides the terminal: a JSON file, and ``RESULTS.md``."""

    command: str
    json_file: Path | None = None
    write: bool = False


def retrieval(
    name: str, data: Path, *, limit: int | None, weights_file: Path | None, kept: Kept, output: Output
) -> None:
    """Measure one set of questions."""
    console = _console()
    weights = json.loads(weights_file.read_text("utf-8")) if weights_file else scoring.weights()
    chosen = LOADERS[name](data).first(limit)
    outcome = judge(chosen, gather(chosen, weights, kept, console), weights)
    _hand_over(name, outcome.tables, outcome.figures, output, console)


def kinds(*, limit: int | None, weights_file: Path | None, kept: Kept, output: Output) -> None:
    """Measure the kinds of memories whose sets lie beside the benches."""
    console = _console()
    weights = json.loads(weights_file.read_text("utf-8")) if weights_file else scoring.weights()
    chosen = {kind: loaded.first(limit) for kind, loaded in load_kinds().items()}
    asked = {kind: gather(data, weights, kept, console) for kind, data in chosen.items()}
    outcome = judge_kinds(asked, weights)
    _hand_over("kinds", outcome.tables, outcome.figures, output, console)


def languages(data: Path, *, limit: int | None, kept: Kept, output: Output) -> None:
    """Measure notes in Chinese, and notes and dialogues of two languages, laid out as the data's README says."""
    console = _console()
    sets = {name: loaded.first(limit) for name, loaded in load_languages(data).items()}
    asked = {name: gather(loaded, scoring.weights(), kept, console) for name, loaded in sets.items()}
    outcome = judge_languages(sets, asked, scoring.weights())
    _hand_over("languages", outcome.tables, outcome.figures, output, console)


def fit(
    data: Path,
    *,
    set_weights: Sequence[str],
    ablations: bool,
    keep: bool,
    kept: Kept,
    output: Output,
) -> None:
    """Fit the ranking's weights to every set of a folder, laid out as the data's README says, and to the kinds."""
    console = _console()
    sets = {name: LOADERS[name](data / place) for name, place in PLACES.items()} | load_kinds()
    asked = {name: gather(loaded, scoring.weights(), kept, console) for name, loaded in sets.items()}
    given = {name: float(value) for name, _, value in (entry.partition("=") for entry in set_weights)}
    counts = SET_WEIGHTS | given
    fitted = Fit(asked, counts, scoring.weights())
    outcome = fitted.report(ablations=ablations)
    _hand_over("fit", outcome.tables, outcome.figures, output, console)
    if keep:
        write_weights(fitted.weights)
        console.print(f"wrote {WEIGHTS_FILE}")


def peers(data: Path, *, folder: Path | None, limit: int | None, output: Output) -> None:
    """Measure peers beside the service."""
    console = _console()
    outcome = asyncio.run(measure_peers(folder, data, limit, console))
    _hand_over("peers", outcome.tables, outcome.figures, output, console)


def extraction(data: Path, *, output: Output) -> None:
    """Measure extraction without a language model."""
    outcome = asyncio.run(measure_extraction(data))
    _hand_over("extraction", outcome.tables, outcome.figures, output, _console())


def asking(data: Path, *, output: Output) -> None:
    """Measure how often `ask` answers what it can, and what it cannot."""
    outcome = asking_part(data)
    _hand_over("asking", outcome.tables, outcome.figures, output, _console())


def relevance(data: Path, *, sample: int, keep: bool, kept: Kept) -> None:
    """Fit the relevance of hits, for the embedder that the settings name and for words alone.

    With another embedder than the default, its models are added.
    """
    console = _console()
    models = fitted_models(abstaining.gather_probes(data, sample, kept, console))
    console.print_json(data=models)
    if keep:
        write_models(models)
        console.print(f"wrote {RELEVANCE_FILE}")


def abstention(data: Path, *, sample: int, kept: Kept, output: Output) -> None:
    """Measure what is given for questions with evidence and for those without, by recall and by `ask`."""
    console = _console()
    parts = {
        "recall": abstaining.recall_part(data, sample, kept, console),
        "ask": asking_part(data / PLACES["locomo"]),
    }
    tables = [table for outcome in parts.values() for table in outcome.tables]
    figures = {name: outcome.figures for name, outcome in parts.items()}
    _hand_over("abstention", tables, figures, output, console)


def ann(store: Path | None, *, size: Size, queries: int, output: Output) -> None:
    """Measure how complete the vector leg is at size."""
    outcome = asyncio.run(measure_completeness(store, size, queries))
    _hand_over("ann", outcome.tables, outcome.figures, output, _console())


def archive(store: Path | None, *, size: Size, queries: int, output: Output) -> None:
    """Measure a workspace that goes out as a file and into another deployment."""
    outcome = asyncio.run(measure_archive(store, size, queries))
    _hand_over("archive", outcome.tables, outcome.figures, output, _console())


def scale(
    folder: Path | None, *, memories: Sequence[int], workspaces: int, queries: int, output: Output
) -> None:
    """Measure stores of several sizes; the plots are drawn where the section is written."""
    outcome = asyncio.run(measure_scale(folder, memories, workspaces, queries))
    _hand_over("scale", outcome.tables, outcome.figures, output, _console())
    if output.write:
        plot(outcome)


def speed(store: Path | None, *, size: Size, queries: int, peer_python: Path | None, output: Output) -> None:
    """Measure requests over HTTP at size."""
    outcome = asyncio.run(measure_speed(store, size, queries, peer_python))
    name = "speed" if size.memories >= _SMALL_STORE else "speed of a small store"
    _hand_over(name, outcome.tables, outcome.figures, output, _console())


def memory(store: Path | None, *, size: Size, output: Output) -> None:
    """Measure the memory of the service and of Neo4j at size."""
    outcome = asyncio.run(measure_memory(store, size))
    _hand_over("memory", outcome.tables, outcome.figures, output, _console())


def reembed(store: Path | None, *, size: Size, output: Output) -> None:
    """Measure a change of the embedder under load."""
    from tests.bench.reembedding import measure_reembedding  # noqa: PLC0415 - needs the extra `static`

    outcome = asyncio.run(measure_reembedding(store, size))
    _hand_over("reembed", outcome.tables, outcome.figures, output, _console())


def traversal(*, entities: int, relations: int, queries: int, output: Output) -> None:
    """Measure traversals of a large ontology."""
    outcome = asyncio.run(measure_traversal(entities, relations, queries))
    _hand_over("traversal", outcome.tables, outcome.figures, output, _console())


def proxy(*, memories: int, turns: int, output: Output) -> None:
    """Measure what the chat proxy adds before the first byte."""
    outcome = asyncio.run(measure_proxy(memories, turns))
    _hand_over("proxy", outcome.tables, outcome.figures, output, _console())


def telemetry(*, actions: int, rounds: int, output: Output) -> None:
    """Measure promotion on top of a history."""
    outcome = asyncio.run(measure_promotion(actions, rounds))
    _hand_over("telemetry", outcome.tables, outcome.figures, output, _console())


def stalls(*, rounds: int, output: Output) -> None:
    """Measure how long background jobs keep the event loop."""
    outcome = asyncio.run(measure_stalls(rounds))
    _hand_over("stalls", outcome.tables, outcome.figures, output, _console())


def _hand_over(
    name: str, tables: Sequence[Table], figures: Mapping[str, Any], output: Output, console: Console
) -> None:
    for table in tables:
        table.show(console)
    if output.json_file:
        output.json_file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    if output.write:
        write_section(name, output.command, tables)


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=_WIDTH)
