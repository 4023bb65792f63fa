"""``recollect ontology``: types of entities and relations in and out of a file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.printing import Json, as_json, print_json
from app.cli.remote import fail, payload
from graph.knowledge.exchange.models import OntologyFormat

if TYPE_CHECKING:
    from app.client.generated import ImportOntologyImportOntology

_TIMEOUT_SECONDS = 120.0  # schema.org takes some seconds to write
_MOST_BYTES = 16_000_000
_SHOWN = 10
_ENDINGS = {
    ".json": OntologyFormat.JSON,
    ".ttl": OntologyFormat.TURTLE,
    ".nt": OntologyFormat.TURTLE,
    ".jsonld": OntologyFormat.JSON_LD,
}


def register(cli: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(name="ontology", help="Types of entities and of relations.", no_args_is_help=True)
    group.command("import")(import_file)
    group.command("export")(export)
    cli.add_typer(group)


def import_file(
    path: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True)],
    *,
    workspace: Workspace = None,
    format_: Annotated[
        OntologyFormat | None, typer.Option("--format", "-f", help="Default: by the ending.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="A type to take, with those above it; may be given several times."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would change.")] = False,
    json: Json = False,
) -> None:
    """Take over an ontology: JSON, or an RDFS, OWL or schema.org vocabulary in Turtle or JSON-LD."""
    chosen = format_ or _ENDINGS.get(path.suffix.lower())
    if chosen is None:
        fail(f"{path}: the ending does not tell the format; give --format {', '.join(OntologyFormat)}")
    if path.stat().st_size > _MOST_BYTES:
        fail(f"{path}: more than {_MOST_BYTES} bytes")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        fail(f"{path}: {error}")
    ontology = payload(content=content, format=chosen.name, only=only or None, dryRun=dry_run)
    report = run_in(workspace, lambda client, workspace_id: client.import_ontology(ontology, workspace_id))
    if json:
        typer.echo(as_json(report))
    else:
        _show(Console(highlight=False, soft_wrap=True), report)


def export(
    *,
    workspace: Workspace = None,
    format_: Annotated[
        OntologyFormat, typer.Option("--format", "-f", help="What to write.")
    ] = OntologyFormat.JSON,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file; default: standard output.")
    ] = None,
    json: Json = False,
) -> None:
    """Write the types of a workspace as JSON, Turtle or JSON-LD, which can be imported again.

    With --json, format and content, or the file, are printed as JSON.
    """
    named: Any = format_.name
    exported = run_in(
        workspace,
        lambda client, workspace_id: client.export_ontology(named, workspace_id),
        timeout_seconds=_TIMEOUT_SECONDS,
    )
    if output is None and json:
        typer.echo(as_json(exported))
        return
    if output is None:
        typer.echo(exported.content, nl=False)
        return
    try:
        output.write_text(exported.content, encoding="utf-8")
    except OSError as error:
        fail(f"{output}: {error}")
    if json:
        print_json({"format": format_.name, "file": str(output)})


def _show(console: Console, report: "ImportOntologyImportOntology") -> None:
    if report.dry_run:
        console.print("dry run: nothing was changed")
    for kind, changed in (("entity types", report.entity_types), ("relation types", report.relation_types)):
        changes = changed.model_dump()
        counts = ", ".join(f"{len(changes[name])} {name}" for name in ("created", "updated", "unchanged"))
        console.print(f"{kind}: {counts}")
        for name in ("created", "updated"):
            if changes[name]:
                more = ", …" if len(changes[name]) > _SHOWN else ""
                console.print(f"  {name} {', '.join(changes[name][:_SHOWN])}{more}")
    for note in report.notes:
        console.print(f"  note: {escape(note)}")
