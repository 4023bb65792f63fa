"""``recollect bench languages``: notes in Chinese, and notes that a dialogue in another language should bring back.

MADial has the same notes and dialogues, under the same ids, in English and in Chinese.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.asking import Asked
from tests.bench.kinds import SERVICE, means_of, ranked_by, ways_of
from tests.bench.madial import load_asked
from tests.bench.metrics import summarise
from tests.bench.rankings import Weights
from tests.bench.retrieval import Outcome
from tests.bench.script import DataSet
from tests.bench.tables import Table, against, with_bounds

_TARGETS_OF_CHINESE = {"recall@10": 0.55, "MRR": 0.50}
_TARGETS_ACROSS = {"recall@10": 0.35}


def load_languages(data: Path) -> dict[str, DataSet]:
    """Read the set in Chinese, and the notes of each language with the dialogues of the other."""
    english, chinese = data / "madial-en", data / "madial-zh"
    return {
        name: load_asked(name, notes, dialogues, targets)
        for name, notes, dialogues, targets in (
            ("Chinese", chinese, chinese, _TARGETS_OF_CHINESE),
            ("Chinese notes, English dialogues", chinese, english, _TARGETS_ACROSS),
            ("English notes, Chinese dialogues", english, chinese, _TARGETS_ACROSS),
        )
    }


def judge_languages(
    sets: Mapping[str, DataSet], asked: Mapping[str, Sequence[Asked]], weights: Weights
) -> Outcome:
    """Return what is reached, and for each set the service beside its legs."""
    ways = {name: ways_of(of_set, weights) for name, of_set in asked.items()}
    reached = Table("through the service", ["set", "figure", "value [95 %]", "target"])
    for name, data in sets.items():
        service = summarise(ways[name][SERVICE])
        for figure, target in data.targets.items():
            value = service[figure]
            reached.rows.append([name, figure, with_bounds(value), against(value.mean, target)])
    figures = {
        name: {way: means_of(scores) for way, scores in of_set.items()} for name, of_set in ways.items()
    }
    return Outcome([reached, *(ranked_by(name, asked[name], ways[name]) for name in asked)], figures)
