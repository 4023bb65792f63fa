"""How often `ask` answers what it can, and what it cannot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from graph.operations.services import Services
from tests.bench.abstention_questions import Asked, Conversation, conversations, notes
from tests.bench.asking import play
from tests.bench.engine import engine, servers
from tests.bench.progress import Progress, say
from tests.bench.results import Table, against

_HALVES = ("tuned on", "reported", "both")
_MOST_ASSERTED = 0.03
_LEAST_SUPPORTED = 0.9


@dataclass(frozen=True)
class _Answered:
    """A question, whether it was to fit the rules by, and what came of it."""

    place: str
    asked: Asked
    is_for_tuning: bool
    is_supported: bool
    cites_gold: bool


async def measure_asking(file: Path) -> list[Table]:
    """Ask the questions of LoCoMo, each in its conversation's workspace, and those of the notes, without a model."""
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
    turns = [one for one in answered if one.place == "conversations"]
    return [
        _rates("ask in conversations (LoCoMo), no language model", turns),
        _kinds("the same by kind", turns),
        _kinds(
            "ask in short notes, half of the unanswerable ones near misses",
            [one for one in answered if one.place == "notes"],
        ),
    ]


async def _play(
    services: Services, number: int, conversation: Conversation, progress: Progress
) -> list[_Answered]:
    async def ask(workspace_id: str, asked: Asked, labels: Mapping[str, str]) -> _Answered:
        answer = await services.retrieval.answering.ask(workspace_id, asked.text)
        cited = {labels.get(citation.fact.id, "") for citation in answer.citations}
        return _Answered(
            conversation.place, asked, number % 2 == 0, answer.supported, bool(cited & asked.gold)
        )

    steps = [*conversation.saves, *conversation.asked]
    return await play(services, f"ask {conversation.name}", steps, ask, progress.step)


def _rates(title: str, answered: Sequence[_Answered]) -> Table:
    table = Table(
        title,
        [
            "half",
            "questions",
            "answerable supported",
            "of them citing a gold turn",
            "asserted without support",
        ],
    )
    for half in _HALVES:
        figures = _figures(answered, half)
        table.rows.append(
            [
                half,
                f"{figures['questions']:.0f}",
                f"{figures['supported']:.3f} {against(figures['supported'], _LEAST_SUPPORTED)}",
                f"{figures['gold']:.3f}",
                f"{figures['asserted']:.3f} {against(figures['asserted'], _MOST_ASSERTED, at_most=True)}",
            ]
        )
    return table


def _kinds(title: str, answered: Sequence[_Answered]) -> Table:
    table = Table(
        title,
        ["kind", "questions", "supported, tuned on", "supported, reported"],
        note="foreign: about another conversation's people; swapped: the same with this one's names, some of which "
        "happen to be true of them; adversarial: about one person what the other one said.",
    )
    for kind in dict.fromkeys(one.asked.kind for one in answered):
        of = [one for one in answered if one.asked.kind == kind]
        halves = ([one for one in of if one.is_for_tuning is tuned] for tuned in (True, False))
        table.rows.append(
            [kind, str(len(of)), *(f"{_share([one.is_supported for one in half]):.3f}" for half in halves)]
        )
    return table


def _figures(answered: Sequence[_Answered], half: str) -> dict[str, float]:
    of = [one for one in answered if half == "both" or one.is_for_tuning is (half == "tuned on")]
    own = [one for one in of if one.asked.is_answerable]
    return {
        "questions": float(len(of)),
        "supported": _share([one.is_supported for one in own]),
        "gold": _share([one.cites_gold for one in own]),
        "asserted": _share([one.is_supported for one in of if not one.asked.is_answerable]),
    }


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
