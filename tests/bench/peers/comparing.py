"""Comparison of the service with peers, on the same chats, questions and vectors."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tests.bench.metrics import VALUE_NAMES, Interval, Score, summarise
from tests.bench.peers.environment import NotInstalled
from tests.bench.peers.stores import CONTENDERS, Contender, PeerFailed, Store
from tests.bench.peers.workload import CROWD_QUERY, SETS, SMALL, Workload, workload
from tests.bench.progress import Progress, say
from tests.bench.results import Table
from tests.bench.service import Timings

_HITS = 20
_SMALL_HITS = 10
_SINGLES = 100
_WARM_UP = 20  # searches; a new Java server is slow at first
_SHOWN = ("recall@10", "MRR")


@dataclass(frozen=True)
class Measured:
    """Measurements of one store.

    Attributes:
        searches: Latency of each question in seconds.
        singles: Latency of each single save in seconds.
        rows_per_second: Rate of rows saved a hundred at a time.
        small: Number of hits, of ten requested, in a small group among similar large ones.
        foreign: Number of these hits from another group.
        megabytes: Memory of the process.
    """

    version: str
    scores: Mapping[str, Sequence[Score]]
    searches: Sequence[float]
    singles: Sequence[float]
    rows_per_second: float
    small: int
    foreign: int
    megabytes: float


async def measure_peers(folder: Path | None, data: Path, limit: int | None) -> list[Table]:
    """Measure each store in turn, each with its own servers.

    Args:
        folder: Folder that keeps environments for the next run; None: a temporary one.
        data: Folder of the sets.
        limit: Maximum number of questions per set.
    """
    say("peers: embedding every text")
    work = await workload(data, limit=limit, singles=_SINGLES)
    measured: dict[str, Measured] = {}
    why_not: dict[str, str] = {}
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-peers-")))
        for contender in CONTENDERS:
            say(f"{contender.name}: {contender.way}")
            try:
                measured[contender.name] = await _measured(contender, place, work)
            except (NotInstalled, PeerFailed) as error:
                why_not[contender.name] = str(error)
    return tables(work, measured, why_not)


async def _measured(contender: Contender, folder: Path, work: Workload) -> Measured:
    async with contender.opened(folder, work) as (store, version):
        for group in work.groups:
            say(f"peers: filling {group.name}")
            await store.fill(group)
        await _warm_up(store, work)
        scores, searches = await _asked(store, work)
        singles = [await store.save("singles", [row]) for row in work.singles]
        crowd = [await store.save(group, rows) for group, rows in work.crowd.items()]
        found = await store.search(SMALL, CROWD_QUERY, _SMALL_HITS)
        return Measured(
            version=version,
            scores=scores,
            searches=searches,
            singles=singles,
            rows_per_second=sum(map(len, work.crowd.values())) / sum(crowd),
            small=len(found.ids),
            foreign=sum(not each.startswith(f"{SMALL}-") for each in found.ids),
            megabytes=store.megabytes(),
        )


async def _warm_up(store: Store, work: Workload) -> None:
    questions = [(group.name, ask.query) for group in work.groups for ask in group.asks]
    for group, query in questions[:_WARM_UP]:
        await store.search(group, query, _HITS)


async def _asked(store: Store, work: Workload) -> tuple[Mapping[str, Sequence[Score]], Sequence[float]]:
    scores: dict[str, list[Score]] = {name: [] for name in SETS}
    searches = []
    progress = Progress("peers: searches", sum(len(group.asks) for group in work.groups))
    for group in work.groups:
        for ask in group.asks:
            answer = await store.search(group.name, ask.query, _HITS)
            searches.append(answer.seconds)
            scores[group.set_name].append(Score.of(answer.ids, ask.gold))
            progress.step(group.name)
    return scores, searches


def tables(work: Workload, measured: Mapping[str, Measured], why_not: Mapping[str, str]) -> list[Table]:
    """Return the tables of quality and of cost.

    Args:
        work: The workload.
        measured: Measurements by store name.
        why_not: Reasons by name of the stores that could not be measured.
    """
    return [_quality(work, measured, why_not), _cost(measured)]


def _quality(work: Workload, measured: Mapping[str, Measured], why_not: Mapping[str, str]) -> Table:
    asked = ", ".join(f"{name} {work.questions(name)}" for name in SETS)
    ways = {contender.name: contender.way for contender in CONTENDERS}
    table = Table(
        f"evidence found ({asked} questions): {' / '.join(_SHOWN)}",
        ["store", "version", "what is asked", *SETS],
        note=f"All have vectors of the same model and the first {_HITS} hits are looked at. No language model: what "
        "peers extract with one, they do not have here; their rows are the turns, as `speaker: text`.",
    )
    for contender in CONTENDERS:
        if contender.name in why_not:
            reason = f"not measured: {why_not[contender.name]}"
            table.rows.append([contender.name, "", reason, *("" for _ in SETS)])
        if contender.name in measured:
            one = measured[contender.name]
            cells = [_cell(summarise(one.scores[name])) for name in SETS]
            table.rows.append([contender.name, one.version, ways[contender.name], *cells])
    return table


def _cost(measured: Mapping[str, Measured]) -> Table:
    table = Table(
        "what it costs: p50 / p95 ms, one client",
        [
            "store",
            "search",
            "one save",
            "rows a second",
            "a small group's hits of 10 (foreign)",
            "process MB",
        ],
        note="Peers are called in their own process with the vector given; the service over HTTP, the query's vector "
        "in its cache, a saved text's not: it embeds what is saved, and rows a second are those embedded and linked. "
        "Its process holds the model, which no peer has here.",
    )
    for name, one in measured.items():
        table.rows.append(
            [
                name,
                _p50_p95(one.searches),
                _p50_p95(one.singles),
                f"{one.rows_per_second:.0f}",
                f"{one.small} ({one.foreign})",
                f"{one.megabytes:.0f}",
            ]
        )
    return table


def _cell(values: Mapping[str, Interval]) -> str:
    return " / ".join(f"{values[name].mean:.3f}" for name in VALUE_NAMES if name in _SHOWN)


def _p50_p95(seconds: Sequence[float]) -> str:
    return f"{Timings(seconds).ms(50):.1f} / {Timings(seconds).ms(95):.1f}"
