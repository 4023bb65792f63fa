"""``recollect ontology``: import and export types of entities and relations."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from app.cli.printing import Json, as_json, print_json
from app.cli.remote import Workspace, fail, payload, run_in

if TYPE_CHECKING:
    from app.client.generated import ImportOntologyImportOntology

_MOST_BYTES = 16_000_000
_SHOWN = 10


def register(cli: typer.Typer) -> None:
    """Add the group."""
    group = typer.Typer(
        name="ontology", help="Import and export types of entities and relations.", no_args_is_help=True
    )
    group.command("import")(import_file)
    group.command("export")(export)
    cli.add_typer(group)


def import_file(
    path: Annotated[Path, typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True)],
    *,
    workspace: Workspace = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="Type to import, with its supertypes; may be repeated."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the changes.")] = False,
    json: Json = False,
) -> None:
    """Import an ontology from a JSON file."""
    if path.stat().st_size > _MOST_BYTES:
        fail(f"{path}: more than {_MOST_BYTES} bytes")
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        fail(f"{path}: {error}")
    ontology = payload(content=content, only=only or None, dryRun=dry_run)
    report = run_in(workspace, lambda client, workspace_id: client.import_ontology(ontology, workspace_id))
    if json:
        typer.echo(as_json(report))
    else:
        _show(Console(highlight=False, soft_wrap=True), report)


def export(
    *,
    workspace: Workspace = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: standard output.")
    ] = None,
    json: Json = False,
) -> None:
    """Write the types of a workspace as JSON, for an import.

    With --json it prints an object with the content or the name of the file.
    """
    exported = run_in(workspace, lambda client, workspace_id: client.export_ontology(workspace_id))
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
        print_json({"file": str(output)})


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
