"""Probes of relevance: questions with evidence in a workspace, and foreign ones without.

Each conversation is a workspace. Its probes are its own questions, questions of other conversations and of
other sets, and small talk in several languages. MADial's two children are two conversations. Its notes have
the same ids in English and Chinese, so each child also has questions in the other language.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from graph.operations.services import Services
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.relevance import Calibration, Unrelated
from tests.bench.asking import Recorder, play
from tests.bench.facts import load_facts
from tests.bench.kinds import load_kinds
from tests.bench.locomo import load_locomo
from tests.bench.madial import load_children, load_short
from tests.bench.realmem import load_realmem
from tests.bench.script import Ask, Save, Script

_SEED = 12
_FIRST = 5
_SMALL_TALK = Path(__file__).with_name("small_talk.json")
ACROSS = "across languages"
_KINDS = ("notes", "assistant", "projects", "messages")
# Templates of short questions, which no Chinese set has.
_SHORT = {"madial en": "Do you remember when I {}?", "madial zh": "你还记得我{}吗？"}


class Kind(StrEnum):
    """Origin of a question, relative to the workspace in which it is asked."""

    OWN = "own"
    CONVERSATION = "another conversation"
    SET = "another set"
    SMALL_TALK = "small talk"


@dataclass(frozen=True)
class Probe:
    """One question asked of one workspace through recall.

    Attributes:
        group: Set to whose figures the question contributes.
        script: Name of the conversation.
        first: Ids of the first five hits, best first.
        gold: Ids of the evidence among the candidates; empty for foreign questions.
        half: 0 or 1; small talk of half 0 is for fitting, of half 1 for judging.
        unrelated: Cosines of the embedder between unrelated texts.
    """

    group: str
    script: str
    kind: Kind
    question: ParsedQuery
    pool: Pool
    first: Sequence[str]
    gold: frozenset[str]
    embedder: str | None
    half: int = 0
    unrelated: Unrelated | None = None

    @property
    def is_own(self) -> bool:
        """True if the question belongs to this workspace."""
        return self.kind is Kind.OWN


@dataclass(frozen=True)
class Foreign:
    """A question without evidence in the workspace."""

    query: str
    group: str
    kind: Kind
    half: int = 0


@dataclass(frozen=True)
class Conversation:
    """One workspace: saves and own questions in order, then foreign questions.

    Attributes:
        own: Saves and questions; a question's category is its group.
    """

    name: str
    group: str
    own: Sequence[Save | Ask]
    foreign: Sequence[Foreign]

    @property
    def steps(self) -> int:
        """Number of steps to play."""
        return len(self.own) + len(self.foreign)


def load_conversations(data: Path, *, sample: int) -> list[Conversation]:
    """Return all conversations with their own and foreign questions.

    Args:
        data: Folder with the layout in the README of the data.
        sample: Approximate number of own questions per set, and of foreign ones.
    """
    sets = _sets(data, sample)
    talk = json.loads(_SMALL_TALK.read_text(encoding="utf-8"))
    conversations = []
    for group, scripts in sets.items():
        for script in scripts:
            foreign = _foreign(group, script, sets, sample // len(scripts))
            foreign += [
                Foreign(text, group, Kind.SMALL_TALK, half=number % 2)
                for texts in talk.values()
                for number, text in enumerate(texts)
            ]
            conversations.append(Conversation(script.name, group, script.steps, foreign))
    return conversations


def _sets(data: Path, sample: int) -> dict[str, list[Script]]:
    """Return the scripts of each set, reduced to their share of the sample."""
    locomo = load_locomo(data / "locomo-dev.json").scripts
    realmem = load_realmem(data / "realmem-dev").scripts
    facts, kinds = load_facts(), load_kinds()
    sets = {
        "locomo": [_sampled(script, "locomo", sample // len(locomo)) for script in locomo],
        "realmem": [_cut(script, "realmem", sample // len(realmem)) for script in realmem],
        "facts": [_sampled(script, "facts", sample // len(facts)) for script in facts],
        **{name: [_sampled(script, name, sample) for script in kinds[name].scripts] for name in _KINDS},
    }
    english, chinese = data / "madial-en", data / "madial-zh"
    for group, notes, other in (("madial en", english, chinese), ("madial zh", chinese, english)):
        own = load_children(notes, notes, children=chinese)
        short = load_short(notes, children=chinese, template=_SHORT[group])
        across = load_children(notes, other, children=chinese)
        sets[group] = [
            Script(
                one.name,
                [
                    *_sampled(one, group, sample // len(own)).steps,
                    *_asks(_sampled(two, ACROSS, sample // (2 * len(own)))),
                    *_asks(_sampled(three, f"short {group[-2:]}", sample // (2 * len(own)))),
                ],
            )
            for one, two, three in zip(own, across, short, strict=True)
        ]
    return sets


def _foreign(group: str, script: Script, sets: Mapping[str, Sequence[Script]], count: int) -> list[Foreign]:
    """Return foreign questions: two thirds from other conversations of the set, the rest from other sets."""
    beside = [ask for other in sets[group] if other.name != script.name for ask in _asks(other)]
    elsewhere = [
        ask
        for name, scripts in sets.items()
        if name.partition(" ")[0] != group.partition(" ")[0]
        for other in scripts
        for ask in _asks(other)
    ]
    return [
        *(
            Foreign(ask.query, ask.category, Kind.CONVERSATION)
            for ask in _drawn(beside, count, f"{script.name} beside")
        ),
        *(Foreign(ask.query, group, Kind.SET) for ask in _drawn(elsewhere, count // 2, script.name)),
    ]


def _asks(script: Script) -> list[Ask]:
    return [step for step in script.steps if isinstance(step, Ask)]


def _sampled(script: Script, group: str, count: int) -> Script:
    """Return all saves of a script, then ``count`` sampled questions; not for sets that interleave them."""
    saves = [step for step in script.steps if isinstance(step, Save)]
    chosen = _drawn(_asks(script), count, script.name)
    return Script(script.name, [*saves, *(Ask(ask.query, ask.gold, group) for ask in chosen)])


def _cut(script: Script, group: str, count: int) -> Script:
    """Return the beginning of a script, up to its ``count``-th question."""
    steps: list[Save | Ask] = []
    for step in script.steps:
        steps.append(Ask(step.query, step.gold, group) if isinstance(step, Ask) else step)
        count -= isinstance(step, Ask)
        if count == 0:
            break
    return Script(script.name, steps)


def _drawn(asks: Sequence[Ask], count: int, name: str) -> list[Ask]:
    chosen = random.Random(f"{_SEED} {name}").sample(range(len(asks)), min(count, len(asks)))
    return [asks[number] for number in sorted(chosen)]


async def play_conversations(
    services: Services, conversations: Sequence[Conversation], on_step: Callable[[str], None]
) -> list[Probe]:
    """Send the questions of all conversations to recall and return them with the results."""
    recorder, calibration = Recorder.of(services), Calibration(services.vectors.embeddings)

    async def ask(workspace_id: str, step: Ask | Foreign, labels: Mapping[str, str], *, script: str) -> Probe:
        result = await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=step.query, limit=_FIRST, dry_run=True)
        )
        assert recorder.last is not None
        question, pool = recorder.last
        wanted = step.gold if isinstance(step, Ask) else frozenset()
        return Probe(
            group=step.category if isinstance(step, Ask) else step.group,
            script=script,
            kind=Kind.OWN if isinstance(step, Ask) else step.kind,
            question=question,
            pool=pool,
            first=[hit.memory.id for hit in result.hits],
            gold=frozenset(each.id for each in pool.candidates if labels[each.id] in wanted),
            embedder=result.resolution.embedder,
            half=0 if isinstance(step, Ask) else step.half,
            unrelated=await calibration.measured(),
        )

    probes: list[Probe] = []
    for each in conversations:
        name = f"{each.group} {each.name}"
        steps = [*each.own, *each.foreign]
        probes += await play(services, name, steps, partial(ask, script=name), on_step)
    return probes
