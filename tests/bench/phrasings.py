"""Rate at which `ask` answers three phrasings of a question alike, from memories and documents."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graph.knowledge.documents.models import DocumentDraft
from graph.memories.models import MemoryDraft
from graph.operations.services import Services
from tests.bench.engine import engine, servers, settle
from tests.bench.progress import Progress, say
from tests.bench.results import Table, against

_SET = Path(__file__).parent / "sets" / "phrasings"
_LEAST_AGREEING = 0.9


@dataclass(frozen=True)
class Asked:
    """A question and, for each phrasing, if its answer was supported and if it was right."""

    question: Mapping[str, Any]
    supported: Sequence[bool]
    right: Sequence[bool]


async def measure_phrasings(half: str) -> list[Table]:
    """Ask the questions of one half or of both without a language model, each half in its own workspace."""
    halves = ["a", "b"] if half == "all" else [half]
    say("phrasings: starting Neo4j")
    async with servers() as settings, engine(settings) as runtime:
        return [table_of(each, await _play(runtime.services, each)) for each in halves]


def lines_of(name: str, half: str) -> list[Mapping[str, Any]]:
    """Return the entries of one half in a file of the set."""
    lines = (_SET / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [entry for entry in map(json.loads, lines) if entry["half"] == half]


async def load(services: Services, half: str) -> str:
    """Store the memories and the documents of a half, with text, in a new workspace; return its id."""
    workspace = await services.tenancy.workspaces.create(f"phrasings {half}")
    await services.tenancy.workspaces.update(workspace.id, settings={"store_document_text": True})
    stored = lines_of("store", half)
    memories = [
        MemoryDraft(content=each["text"], speaker=each.get("speaker"))
        for each in stored
        if each["kind"] == "memory"
    ]
    await services.memories.store.save_all(workspace.id, memories)
    for each in stored:
        if each["kind"] == "document":
            await services.knowledge.documents.add(
                workspace.id, DocumentDraft(key=each["id"], content=each["text"])
            )
    await settle(services, workspace.id)
    return workspace.id


async def _play(services: Services, half: str) -> list[Asked]:
    workspace_id = await load(services, half)
    questions = lines_of("questions", half)
    progress = Progress("phrasings", len(questions))
    asked = []
    for question in questions:
        answers = [
            await services.retrieval.answering.ask(workspace_id, text) for text in question["phrasings"]
        ]
        asked.append(
            Asked(
                question,
                [answer.supported for answer in answers],
                [answer.supported and (question["answer"] or "") in answer.text for answer in answers],
            )
        )
        progress.step(half)
    return asked


def table_of(half: str, asked: Sequence[Asked]) -> Table:
    """Return the rates of questions whose phrasings all pass, for answerable and unanswerable ones."""
    table = Table(f"ask without a language model, half {half}", ["questions", "number", "share", "target"])
    can = [each for each in asked if each.question["answer"] is not None]
    cannot = [each for each in asked if each.question["answer"] is None]
    agreeing = _share([all(each.right) for each in can])
    rows = [
        ("all three phrasings hold the answer", len(can), agreeing, against(agreeing, _LEAST_AGREEING)),
        ("all three are supported", len(can), _share([all(each.supported) for each in can]), ""),
        *(
            (f"of {kind}", len(of_kind), _share([all(each.right) for each in of_kind]), "")
            for kind in ("memory", "document")
            if (of_kind := [each for each in can if each.question["source_kind"] == kind])
        ),
        (
            "single phrasings that hold the answer",
            3 * len(can),
            _share([r for e in can for r in e.right]),
            "",
        ),
        (
            "unanswerable, no phrasing is supported",
            len(cannot),
            _share([not any(e.supported) for e in cannot]),
            "",
        ),
        (
            "single unanswerable phrasings without support",
            3 * len(cannot),
            _share([not s for e in cannot for s in e.supported]),
            "",
        ),
    ]
    table.rows.extend([name, str(number), f"{share:.3f}", target] for name, number, share, target in rows)
    return table


def _share(found: Sequence[bool]) -> float:
    return sum(found) / len(found) if found else 0.0
