"""``recollect demo``: imports a sample conversation, asks questions about it and prints the answers.

With ``--scenario ops`` a failing agent gets a warning before it acts again (``app.cli.demo.operations``). With
``--scenario assistant`` an assistant remembers facts from earlier sessions (``app.cli.demo.assistant``).
"""

from collections.abc import Sequence
from enum import StrEnum
from importlib.resources import as_file, files
from json import loads
from typing import TYPE_CHECKING, Annotated, Any

import httpx
import typer
from pydantic import BaseModel, ConfigDict, TypeAdapter
from rich.console import Console
from rich.rule import Rule

from app.cli.data.importing import import_contents, show_report
from app.cli.data.recall_view import RECALL_SHOWN, show_recall
from app.cli.demo import assistant, operations
from app.cli.importers.jsonl import read_jsonl
from app.cli.importers.models import UploadReport
from app.cli.printing import Json, fields_of, print_json
from app.cli.remote import ensure_workspace, read_settings, run, service
from app.settings import Settings
from graph.memories.policy import MOST_TURN_CHARS

if TYPE_CHECKING:
    from app.client.generated import RecallRecall, RecollectClient

WORKSPACE = "demo"
HITS_SHOWN = 3


class Scenario(StrEnum):
    """Demonstration to run."""

    CONVERSATION = "conversation"
    OPS = "ops"
    ASSISTANT = "assistant"


_WHERE = {
    Scenario.CONVERSATION: (WORKSPACE, "What does Piet drink?"),
    Scenario.OPS: (operations.WORKSPACE, "Who raises the quota?"),
    Scenario.ASSISTANT: (assistant.WORKSPACE, "Where do I move to?"),
}
"""Workspace of each scenario, and a question about its data."""


class DemoQuestion(BaseModel):
    """A question about the conversation, and the keys of the turns that answer it."""

    model_config = ConfigDict(frozen=True)

    question: str
    expected: frozenset[str]


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("demo")(demo)


def demo(
    scenario: Annotated[
        Scenario,
        typer.Option(
            help="conversation: recall of a conversation; ops: a warning for a failing agent; assistant: facts from "
            "three sessions in the fourth."
        ),
    ] = Scenario.CONVERSATION,
    *,
    json: Json = False,
) -> None:
    """Demonstrate the service with sample data.

    By default the command imports a conversation of 87 turns, asks eight questions about it and explains the answers.
    With --scenario ops an agent deploys a service in nine sessions, fails the same way in six of them, and gets a
    warning before the tenth. With --scenario assistant a person plans a move in three sessions with an assistant. The
    service extracts the lasting facts, and the fourth session begins with them.
    """
    console = Console()
    if scenario is Scenario.OPS:
        deployed = run(operations.play)
        print_json(operations.fields(deployed)) if json else operations.show(console, deployed)
    elif scenario is Scenario.ASSISTANT:
        result = run(assistant.play)
        print_json(assistant.fields(result)) if json else assistant.show(console, result)
    else:
        played = run(_play)
        print_json(_fields(*played)) if json else _show_conversation(console, *played)
    if not json:
        _show_addresses(console, *_WHERE[scenario])


def _fields(report: UploadReport, answers: "Sequence[tuple[DemoQuestion, RecallRecall]]") -> dict[str, Any]:
    questions = [
        {
            "question": question.question,
            "isAnswered": _is_answered(question, result),
            "recall": fields_of(result, RECALL_SHOWN),
        }
        for question, result in answers
    ]
    return {"workspace": WORKSPACE, "import": report.fields, "questions": questions}


def _show_conversation(
    console: Console, report: UploadReport, answers: "Sequence[tuple[DemoQuestion, RecallRecall]]"
) -> None:
    show_report(console, report)
    for question, result in answers:
        console.print(Rule(question.question, align="left"))
        show_recall(console, result, expected=question.expected)
    found = sum(_is_answered(question, result) for question, result in answers)
    console.print(Rule())
    console.print(
        f"{found} of {len(answers)} questions found their turn (✓) among the first {HITS_SHOWN} hits."
    )


def read_questions() -> list[DemoQuestion]:
    """Return the questions that go with the conversation."""
    text = files("app.cli.demo").joinpath("questions.json").read_text(encoding="utf-8")
    return TypeAdapter(list[DemoQuestion]).validate_python(loads(text))


async def _play(
    client: "RecollectClient",
) -> "tuple[UploadReport, list[tuple[DemoQuestion, RecallRecall]]]":
    from app.client.generated import RecallInput

    with as_file(files("app.cli.demo").joinpath("conversation.jsonl")) as path:
        contents = read_jsonl(path, MOST_TURN_CHARS)
        report = await import_contents(client, WORKSPACE, contents, wait=True)
    workspace_id = await ensure_workspace(client, WORKSPACE)
    answers = []
    for question in read_questions():
        request = RecallInput(query=question.question, limit=HITS_SHOWN)
        answers.append((question, await client.recall(request, workspace_id)))
    return report, answers


def _is_answered(question: DemoQuestion, result: "RecallRecall") -> bool:
    return any(hit.memory.key in question.expected for hit in result.hits)


def _browser(settings: Settings, url: str) -> str:
    """Return the address of Neo4j Browser, if the service runs on this machine with the same data folder."""
    # Imported here, because it imports the driver, which takes a second.
    from app.embedded.data_folder import data_folder, find_holder
    from app.embedded.neo4j import read_address

    folder = data_folder(settings.data_dir)
    holder = find_holder(folder)
    address = read_address(folder / "neo4j")
    if address is None or holder is None or httpx.URL(url).port != holder.port:
        return "the address that `recollect up` printed"
    return address.browser_url


def _show_addresses(console: Console, workspace: str, question: str) -> None:
    settings = read_settings()
    url = service()[0].rstrip("/")
    id_ = run(lambda client: ensure_workspace(client, workspace))
    for line in (
        "Look at it next:",
        f"  Studio         {url}/studio/memories?workspace={id_}",
        f"  GraphiQL       {url}/graphql",
        f"  Neo4j Browser  {_browser(settings, url)}",
        f'  command line   recollect recall "{question}" --workspace {workspace}',
    ):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
