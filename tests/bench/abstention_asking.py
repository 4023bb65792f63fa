"""Rates of supported answers of `ask` to answerable and to unanswerable questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graph.operations.services import Services
from tests.bench.abstention_questions import Asked, Conversation, conversations, notes
from tests.bench.asking import play
from tests.bench.engine import engine, servers
from tests.bench.progress import Progress, say
from tests.bench.results import Table, against

_MOST_ASSERTED = 0.03
_LEAST_SUPPORTED = 0.9


@dataclass(frozen=True)
class Answered:
    """A question and its outcome; ``is_for_tuning`` marks the half that the rules were tuned on."""

    place: str
    asked: Asked
    is_for_tuning: bool
    is_supported: bool
    cites_gold: bool


async def measure_asking(file: Path) -> list[Table]:
    """Ask the questions of LoCoMo and of the notes without a model, one workspace per conversation."""
    sets = [conversations(file), notes()]
    progress = Progress("ask", sum(len(each.saves) + len(each.asked) for known in sets for each in known))
    say("ask: starting Neo4j")
    async with servers() as settings, engine(settings) as runtime:
        answered = [
            one
            for known in sets
            for number, each in enumerate(known)
            for one in await _play(runtime.services, number, each, progress)
        ]
    return [table_of(answered)]


async def _play(
    services: Services, number: int, conversation: Conversation, progress: Progress
) -> list[Answered]:
    async def ask(workspace_id: str, asked: Asked, labels: Mapping[str, str]) -> Answered:
        answer = await services.retrieval.answering.ask(workspace_id, asked.text)
        cited = {labels.get(citation.fact.id, "") for citation in answer.citations}
        return Answered(
            conversation.place, asked, number % 2 == 0, answer.supported, bool(cited & asked.gold)
        )

    steps = [*conversation.saves, *conversation.asked]
    return await play(services, f"ask {conversation.name}", steps, ask, progress.step)


def table_of(answered: Sequence[Answered]) -> Table:
    """Return the share of supported answers by kind of question."""
    table = Table(
        "ask without a language model: share of supported answers",
        ["questions", "number", "tuned on", "reported", "target, both halves"],
        note="adversarial: about one person what the other one said; foreign: about another conversation's people; "
        "swapped: the same with this one's names, some of which happen to be true of them. Half of the unanswerable "
        "questions about notes are near misses.",
    )
    turns = [one for one in answered if one.place == "conversations"]
    own = [one for one in turns if one.asked.is_answerable]
    others = [one for one in turns if not one.asked.is_answerable]
    supported, asserted = _supported(own), _supported(others)
    table.rows.append(_row("conversations: answerable", own, against(supported, _LEAST_SUPPORTED)))
    cited = [replace(one, is_supported=one.cites_gold) for one in own]
    table.rows.append(_row("of these citing a gold turn", cited))
    reached = against(asserted, _MOST_ASSERTED, at_most=True)
    table.rows.append(_row("conversations: unanswerable, so without support", others, reached))
    for place in ("conversations", "notes"):
        of_place = [one for one in answered if one.place == place]
        for kind in dict.fromkeys(one.asked.kind for one in of_place):
            if (place, kind) != ("conversations", "answerable"):
                of_kind = [one for one in of_place if one.asked.kind == kind]
                table.rows.append(_row(f"{place}: {kind}", of_kind))
    return table


def _row(name: str, answered: Sequence[Answered], target: str = "") -> list[str]:
    halves = ([one for one in answered if one.is_for_tuning is tuned] for tuned in (True, False))
    return [name, str(len(answered)), *(f"{_supported(half):.3f}" for half in halves), target]


def _supported(answered: Sequence[Answered]) -> float:
    return sum(one.is_supported for one in answered) / len(answered) if answered else 0.0
