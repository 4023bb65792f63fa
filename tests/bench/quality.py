"""Quality of recall: share of a question's evidence found, on every set, compared with common rankings."""

import asyncio
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import mean, median

from graph.retrieval.recall import ranking as scoring
from tests.bench.asking import Asked, GoldShare, by_category, play_set
from tests.bench.beam import load_beam
from tests.bench.engine import engine, servers
from tests.bench.kinds import KINDS, load_kind
from tests.bench.locomo import load_locomo
from tests.bench.madial import LANGUAGES, load_language, load_madial
from tests.bench.metrics import VALUE_NAMES, Score, summarise
from tests.bench.progress import Progress, say
from tests.bench.rankings import Basis, as_vector, legs_and_fusions
from tests.bench.realmem import load_realmem
from tests.bench.remembering import remembered_vectors
from tests.bench.results import Table, against, scores_row, with_bounds
from tests.bench.script import DataSet

_SERVICE, _MODEL = "the service", "fitted model"


def _of_kind(kind: str, _: Path) -> DataSet:
    return load_kind(kind)


FITTED: Mapping[str, Callable[[Path], DataSet]] = {
    "locomo": lambda data: load_locomo(data / "locomo-dev.json"),
    "realmem": lambda data: load_realmem(data / "realmem-dev"),
    "madial": lambda data: load_madial(data / "madial-en"),
    "beam": lambda data: load_beam(data / "beam-dev"),
    **{kind: partial(_of_kind, kind) for kind in KINDS},
}
"""Sets that the ranking is fitted to, as functions of the data folder."""
SETS: Mapping[str, Callable[[Path], DataSet]] = {
    **FITTED,
    "hops": partial(_of_kind, "hops"),
    **{name: partial(load_language, name) for name in LANGUAGES},
}


@dataclass(frozen=True)
class Kept:
    """Caches between runs, for faster experiments; published figures must not use them.

    Attributes:
        pools: Folder of gathered pools; a set with a file in it is not gathered again.
        vectors: File of text vectors.
    """

    pools: Path | None = None
    vectors: Path | None = None


def measure_quality(data: Path, names: Sequence[str], *, limit: int | None, kept: Kept) -> list[Table]:
    """Measure recall on the named sets, with at most ``limit`` questions per set."""
    sets = {name: SETS[name](data).first(limit) for name in names}
    asked = {name: gather(loaded, kept) for name, loaded in sets.items()}
    return [
        _through_the_service(sets, asked),
        *(_ways(name, of_set) for name, of_set in asked.items()),
        _categories(asked),
    ]


def gather(data: DataSet, kept: Kept) -> list[Asked]:
    """Return the answered questions of a set, from the cached file if there is one, else from the engine."""
    file = kept.pools / f"{data.name}-{data.questions}.pickle" if kept.pools else None
    if file and file.exists():
        say(f"{data.name}: the pools of {file}; the service's own figures are those of that run")
        asked: list[Asked] = pickle.loads(file.read_bytes())
        return asked
    asked = asyncio.run(_play(data, kept))
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(asked))
    return asked


async def _play(data: DataSet, kept: Kept) -> list[Asked]:
    say(f"{data.name}: starting Neo4j")
    progress = Progress(data.name, sum(len(script.steps) for script in data.scripts))
    with remembered_vectors(kept.vectors):
        async with servers() as settings, engine(settings) as runtime:
            return await play_set(runtime.services, data, progress.step)


def _through_the_service(sets: Mapping[str, DataSet], asked: Mapping[str, Sequence[Asked]]) -> Table:
    table = Table(
        "recall through the service",
        [
            "set", "evidence", "questions", "recall@5", "recall@10 [95 %]", "recall@20", "MRR [95 %]",
            "gold in the pool", "gold of what passes", "gold of the context's text", "words of ten hits", "p50 ms",
            "FAST: recall@10 / MRR", "FAST: p50 ms", "targets",
        ],
    )  # fmt: skip
    for name, data in sets.items():
        of_set = asked[name]
        found = summarise([one.score for one in of_set])
        fast = summarise([one.fast for one in of_set])
        words = mean(one.words for one in of_set)
        means = {figure: interval.mean for figure, interval in found.items()}
        for category, group in by_category(of_set).items():
            of_category = summarise([one.score for one in group])
            means |= {f"{category} {figure}": interval.mean for figure, interval in of_category.items()}
        targets = [
            f"{figure} {against(means[figure], target)}"
            for figure, target in data.targets.items()
            if figure in means
        ]
        if data.most_words is not None:
            targets.append(f"words {against(words, data.most_words, at_most=True)}")
        table.rows.append(
            [
                name,
                data.evidence,
                str(len(of_set)),
                f"{found['recall@5'].mean:.3f}",
                with_bounds(found["recall@10"]),
                f"{found['recall@20'].mean:.3f}",
                with_bounds(found["MRR"]),
                f"{gold_in(of_set):.3f}",
                _share(one.passing for one in of_set),
                _share(one.in_context for one in of_set),
                f"{words:.0f}",
                f"{median(one.seconds for one in of_set) * 1000:.0f}",
                f"{fast['recall@10'].mean:.3f} / {fast['MRR'].mean:.3f}",
                f"{median(one.fast_seconds for one in of_set) * 1000:.0f}",
                "; ".join(targets),
            ]
        )
    return table


def _share(shares: Iterable[GoldShare]) -> str:
    """Return how much of all that was returned is gold, and for how many questions anything was."""
    returned = [share for share in shares if share.total]
    gold = sum(share.gold for share in returned) / max(1, sum(share.total for share in returned))
    return f"{gold:.3f} of {len(returned)}"


def _ways(name: str, asked: Sequence[Asked]) -> Table:
    """Compare the service with each leg, common fusions and the fitted weights on the same pools."""
    bases = [Basis.of(one) for one in asked]
    vector = as_vector(bases[0].names, scoring.weights(asked[0].embedder))
    legs = [legs_and_fusions(one) for one in asked]
    ways: dict[str, list[Score]] = {
        _SERVICE: [one.score for one in asked],
        **{way: [leg[way] for leg in legs] for way in legs[0]},
        _MODEL: [basis.score(vector) for basis in bases],
    }
    table = Table(
        f"{name}: rankings of the same pools", ["ranked by", "questions", *VALUE_NAMES], is_detail=True
    )
    table.rows.extend(scores_row(way, len(scores), summarise(scores)) for way, scores in ways.items())
    return table


def _categories(asked: Mapping[str, Sequence[Asked]]) -> Table:
    table = Table(
        "through the service, by category",
        ["set and category", "questions", *VALUE_NAMES, "gold in the pool"],
        is_detail=True,
    )
    for name, of_set in asked.items():
        for category, group in by_category(of_set).items():
            scores = summarise([one.score for one in group])
            row = scores_row(f"{name}: {category}", len(group), scores)
            table.rows.append([*row, f"{gold_in(group):.3f}"])
    return table


def gold_in(asked: Sequence[Asked]) -> float:
    """Return the mean share of gold labels in the pool."""
    shares = []
    for one in asked:
        found = {one.labels[candidate.id] for candidate in one.pool.candidates}
        shares.append(len(one.gold & found) / len(one.gold))
    return mean(shares)
