"""``recollect memories``: list, show, change, delete and restore memories."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_json, print_table
from app.cli.remote import User, Workspace, fail, first_nodes, payload, run_in, scope_of
from graph.memories.changes.relative_times import text_time, with_day
from graph.memories.models import MemoryType

if TYPE_CHECKING:
    from app.client.generated import MemoryFields, RecollectClient

_SHOWN = 120

Id = Annotated[str, typer.Argument(metavar="ID")]
Tags = Annotated[list[str] | None, typer.Option("--tag", "-t", help="Tag; may be repeated.")]
Type = Annotated[MemoryType | None, typer.Option("--type", case_sensitive=False, help="Type of memory.")]


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="List, show, change, delete and restore memories.")
    group.command("list")(list_memories)
    group.command("get")(get_memory)
    group.command("update")(update_memory)
    group.command("delete")(delete_memory)
    group.command("restore")(restore_memory)
    cli.add_typer(group, name="memories")


def list_memories(
    *,
    text: Annotated[str | None, typer.Option(help="Only memories that contain this text.")] = None,
    tag: Tags = None,
    type_: Type = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 50,
    user: User = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List memories, the newest first."""
    filter_ = payload(text=text, allTags=tag or None, types=[type_.name] if type_ else None)

    async def some(client: "RecollectClient", workspace_id: str | None) -> "list[MemoryFields]":
        return await first_nodes(
            limit, client.memories, filter_, workspace_id=workspace_id, scope=scope_of(user)
        )

    found = run_in(workspace, some)
    if json:
        typer.echo(as_json(found))
        return
    rows = (
        (
            memory.id,
            memory.key or "",
            memory.type_.value.lower(),
            str(memory.created_at)[:10],
            " ".join(printable(with_day(memory.content, text_time(memory))).split())[:_SHOWN],
        )
        for memory in found
    )
    print_table(
        ("id", "key", "type", "saved", "content"),
        rows,
        if_empty="no memory fits; `recollect save` adds one",
    )


def get_memory(id_: Id, *, workspace: Workspace = None, json: Json = False) -> None:
    """Show one memory with all of its fields."""
    found = run_in(workspace, lambda client, workspace_id: client.memory(id_, workspace_id=workspace_id))
    if found is None:
        fail(f"there is no memory {id_}; see `recollect memories list`")
    _show(found, json=json)


def update_memory(
    id_: Id,
    *,
    content: Annotated[str | None, typer.Option(help="New text; - reads standard input.")] = None,
    key: Annotated[str | None, typer.Option(help="New key; an empty text removes it.")] = None,
    category: Annotated[str | None, typer.Option(help="New category; an empty text removes it.")] = None,
    type_: Type = None,
    tag: Tags = None,
    importance: Annotated[float | None, typer.Option(help="0 to 1.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Change the given fields of a memory; new tags replace the old ones."""
    change: dict[str, Any] = payload(
        content=sys.stdin.read() if content == "-" else content,
        type=type_ and type_.name,
        tags=tag or None,
        importance=importance,
    )
    named = {"key": key, "category": category}
    change |= {name: value or None for name, value in named.items() if value is not None}
    if not change:
        fail("say what to change: --content, --key, --category, --type, --tag or --importance")
    changed = run_in(
        workspace, lambda client, workspace_id: client.update_memory(id_, _input(change), workspace_id)
    )
    _show(changed, json=json)


def delete_memory(
    id_: Id,
    *,
    hard: Annotated[bool, typer.Option("--hard", help="Delete permanently.")] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Delete a memory; without --hard you can restore it."""
    if not run_in(workspace, lambda client, workspace_id: client.delete_memory(id_, hard, workspace_id)):
        fail(f"there is no memory {id_} to delete; see `recollect memories list`")
    if json:
        print_json({"deleted": id_, "hard": hard})
    else:
        typer.echo(f"deleted {id_}")


def restore_memory(
    id_: Id,
    *,
    version: Annotated[int | None, typer.Option(min=1, help="Version of the text to restore.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Restore a deleted memory, or an earlier text of a memory."""
    restored = run_in(
        workspace, lambda client, workspace_id: client.restore_memory(id_, version, workspace_id)
    )
    _show(restored, json=json)


def _input(change: dict[str, Any]) -> Any:
    return change


def _show(memory: "MemoryFields", *, json: bool) -> None:
    if json:
        typer.echo(as_json(memory))
        return
    for name, value in memory.model_dump(by_alias=True, mode="json").items():
        if value not in (None, [], {}):
            shown = ", ".join(value) if isinstance(value, list) else value
            typer.echo(f"{name}: {printable(str(shown))}")
