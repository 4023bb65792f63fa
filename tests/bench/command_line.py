"""The commands of ``recollect bench``: what each measures is in ``commands.py``."""

import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tests.bench import commands

_File = typer.Option("--data", exists=True, dir_okay=False, readable=True, help="The file of the set.")
_Folder = typer.Option("--data", exists=True, file_okay=False, readable=True, help="The folder of the set.")
Limit = Annotated[int | None, typer.Option(min=1, help="Only so many questions, for a quick look.")]
Weights = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="Rank with these instead of weights.json.")
]
Pools = Annotated[
    Path | None,
    typer.Option(
        file_okay=False, help="Folder that keeps gathered pools; a set in it is not gathered again."
    ),
]
Vectors = Annotated[
    Path | None,
    typer.Option(dir_okay=False, help="File that keeps texts' vectors, to try things out faster."),
]
Json = Annotated[Path | None, typer.Option("--json", dir_okay=False, help="Write all figures there.")]
Write = Annotated[bool, typer.Option("--write", help="Write the section in tests/bench/RESULTS.md.")]
Sample = Annotated[
    int, typer.Option(min=10, help="About how many own questions of each set, and as many foreign ones.")
]
Store = Annotated[
    Path | None,
    typer.Option(file_okay=False, help="Folder that keeps the loaded store; a filled one is used again."),
]
Memories = Annotated[int, typer.Option(min=100, help="How many memories the store holds.")]
Workspaces = Annotated[int, typer.Option(min=3, help="In how many workspaces they lie.")]

bench = typer.Typer(
    name="bench", help="Measure recall, speed and memory.", no_args_is_help=True, add_completion=False
)


def _add_retrieval(name: str, option: Any, about: str) -> None:
    """Add the command that measures one set of questions."""

    @bench.command(name, help=about)
    def measure(
        data: Annotated[Path, option],
        limit: Limit = None,
        weights: Weights = None,
        pools: Pools = None,
        vectors: Vectors = None,
        json: Json = None,
        *,
        write: Write = False,
    ) -> None:
        commands.retrieval(
            name,
            data,
            limit=limit,
            weights_file=weights,
            kept=commands.Kept(pools, vectors),
            output=_output(json, write=write),
        )


_add_retrieval("locomo", _File, "Recall of evidence turns in long conversations between two people (LoCoMo).")
_add_retrieval(
    "realmem", _Folder, "Recall of evidence sessions of people who talk with an assistant (RealMem)."
)
_add_retrieval("madial", _Folder, "Recall of notes that a dialogue should bring back (MADial).")
_add_retrieval("beam", _Folder, "Recall of messages of long chats with an assistant (BEAM).")


@bench.command()
def kinds(
    limit: Limit = None,
    weights: Weights = None,
    pools: Pools = None,
    vectors: Vectors = None,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Recall of further kinds: notes, logs, code decisions, documents, two friends, a person with an assistant."""
    commands.kinds(
        limit=limit,
        weights_file=weights,
        kept=commands.Kept(pools, vectors),
        output=_output(json, write=write),
    )


@bench.command()
def languages(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of all sets.")],
    limit: Limit = None,
    pools: Pools = None,
    vectors: Vectors = None,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Recall of notes in Chinese, and of notes in one language by a dialogue in another (MADial)."""
    kept = commands.Kept(pools, vectors)
    commands.languages(data, limit=limit, kept=kept, output=_output(json, write=write))


@bench.command()
def fit(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of all sets.")],
    set_weight: Annotated[
        list[str] | None, typer.Option(help="How much each question of a set counts, as in realmem=1.5.")
    ] = None,
    pools: Pools = None,
    vectors: Vectors = None,
    json: Json = None,
    *,
    ablations: Annotated[bool, typer.Option("--ablations", help="Refit without each feature.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Write weights.json of graph/retrieval/recall.")
    ] = False,
    write: Write = False,
) -> None:
    """Fit the ranking to all sets, cross-validate and leave each set out."""
    commands.fit(
        data,
        set_weights=set_weight or [],
        ablations=ablations,
        keep=keep,
        kept=commands.Kept(pools, vectors),
        output=_output(json, write=write),
    )


@bench.command()
def relevance(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of all sets.")],
    sample: Sample = 60,
    pools: Pools = None,
    vectors: Vectors = None,
    *,
    keep: Annotated[
        bool, typer.Option("--keep", help="Write relevance.json of graph/retrieval/recall.")
    ] = False,
) -> None:
    """Calibrate what the relevance of hits means with the embedder that the settings name."""
    commands.relevance(data, sample=sample, keep=keep, kept=commands.Kept(pools, vectors))


@bench.command()
def peers(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of all sets.")],
    folder: Annotated[
        Path | None, typer.Option(help="Keeps the environments that peers are installed in for the next run.")
    ] = None,
    limit: Limit = None,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """neo4j-graphrag, neo4j-agent-memory, graphiti-core and mem0 beside the service, without a language model."""
    commands.peers(data, folder=folder, limit=limit, output=_output(json, write=write))


@bench.command()
def extraction(data: Annotated[Path, _Folder], json: Json = None, *, write: Write = False) -> None:
    """Precision and recall of extraction without a language model (RealMem and labelled sentences)."""
    commands.extraction(data, output=_output(json, write=write))


@bench.command()
def asking(data: Annotated[Path, _File], json: Json = None, *, write: Write = False) -> None:
    """Questions of LoCoMo and of short notes that `ask` answers, and those that it must not."""
    commands.asking(data, output=_output(json, write=write))


@bench.command()
def abstention(
    data: Annotated[Path, typer.Option(exists=True, file_okay=False, help="The folder of all sets.")],
    sample: Sample = 150,
    pools: Pools = None,
    vectors: Vectors = None,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Own questions kept and foreign ones let through: of conversations, sets and languages, and small talk."""
    commands.abstention(
        data,
        sample=sample,
        kept=commands.Kept(pools, vectors),
        output=_output(json, write=write),
    )


@bench.command()
def archive(
    store: Store = None,
    memories: Memories = 50_000,
    queries: Annotated[int, typer.Option(min=1, help="Recalls that are compared.")] = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """A workspace out as an archive, into another deployment, and the recalls of both compared."""
    size = commands.Size(memories, workspaces=1)
    commands.archive(store, size=size, queries=queries, output=_output(json, write=write))


@bench.command()
def ann(
    store: Store = None,
    memories: Memories = 100_000,
    workspaces: Workspaces = 200,
    queries: Annotated[int, typer.Option(min=1, help="Queries for each workspace.")] = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Completeness of the vector index against exact cosine, in large and small workspaces of one store."""
    size = commands.Size(memories, workspaces)
    commands.ann(store, size=size, queries=queries, output=_output(json, write=write))


@bench.command()
def scale(
    folder: Annotated[
        Path | None, typer.Option(file_okay=False, help="Keeps the stores, one a size, for the next run.")
    ] = None,
    memories: Annotated[list[int] | None, typer.Option(min=1000, help="A size; may be given often.")] = None,
    workspaces: Workspaces = 2000,
    queries: Annotated[int, typer.Option(min=1, help="Queries for each workspace.")] = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """How recall, memory and disk grow from 10,000 to 1,000,000 memories."""
    sizes = memories or [10_000, 100_000, 1_000_000]
    output = _output(json, write=write)
    commands.scale(folder, memories=sizes, workspaces=workspaces, queries=queries, output=output)


@bench.command()
def speed(
    store: Store = None,
    memories: Memories = 100_000,
    workspaces: Workspaces = 200,
    queries: Annotated[int, typer.Option(min=1, help="Queries for each workspace.")] = 200,
    peer: Annotated[
        Path | None,
        typer.Option(
            help="An interpreter that has neo4j-graphrag; left out: one is installed beside the store."
        ),
    ] = None,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Recall and save over HTTP, in large and small workspaces of one store, and the model beside its reference."""
    size = commands.Size(memories, workspaces)
    commands.speed(store, size=size, queries=queries, peer_python=peer, output=_output(json, write=write))


@bench.command()
def memory(
    store: Store = None,
    memories: Memories = 100_000,
    workspaces: Workspaces = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Memory of the service process and of Neo4j under load."""
    size = commands.Size(memories, workspaces)
    commands.memory(store, size=size, output=_output(json, write=write))


@bench.command()
def reembed(
    store: Store = None,
    memories: Memories = 20_000,
    workspaces: Workspaces = 40,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """A change of the embedder under a steady stream of recalls and saves; a store used for it is changed."""
    size = commands.Size(memories, workspaces)
    commands.reembed(store, size=size, output=_output(json, write=write))


@bench.command()
def traversal(
    entities: Annotated[int, typer.Option(min=100, help="How many entities the ontology has.")] = 100_000,
    relations: Annotated[
        int, typer.Option(min=100, help="How many relations, the hub's included.")
    ] = 1_000_000,
    queries: Annotated[int, typer.Option(min=1, help="Traversals from anywhere, and from the hub.")] = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Two hops through a large ontology, from anywhere and from a hub."""
    output = _output(json, write=write)
    commands.traversal(entities=entities, relations=relations, queries=queries, output=output)


@bench.command()
def proxy(
    memories: Annotated[int, typer.Option(min=100, help="How many memories the workspace has.")] = 2000,
    turns: Annotated[int, typer.Option(min=1, help="How many turns are measured.")] = 200,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """What the chat proxy adds before the first byte of a streamed answer."""
    output = _output(json, write=write)
    commands.proxy(memories=memories, turns=turns, output=output)


@bench.command()
def telemetry(
    actions: Annotated[int, typer.Option(min=1000, help="How many actions the history has.")] = 1_000_000,
    rounds: Annotated[int, typer.Option(min=1, help="How often 1,000 new actions come at each size.")] = 10,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """Promotion of 1,000 new actions at 1 %, 10 % and 100 % of a history."""
    output = _output(json, write=write)
    commands.telemetry(actions=actions, rounds=rounds, output=output)


@bench.command()
def stalls(
    rounds: Annotated[int, typer.Option(min=1, help="How often each job is done.")] = 2,
    json: Json = None,
    *,
    write: Write = False,
) -> None:
    """How long any background job keeps the event loop from everybody else."""
    output = _output(json, write=write)
    commands.stalls(rounds=rounds, output=output)


def _output(json_file: Path | None, *, write: bool) -> commands.Output:
    return commands.Output(f"recollect {shlex.join(sys.argv[1:])}", json_file, write)
