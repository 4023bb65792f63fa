"""``recollect bulk`` and ``recollect compact``: change, delete or summarise many memories at once."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, read_scalar
from app.cli.remote import Workspace, fail, payload, run_in
from graph.core.exact import read_untyped_time
from graph.core.time import last_moment
from graph.memories.compaction.service import CompactionMode
from graph.memories.models import MemoryType
from graph.memories.policy import SourceType

if TYPE_CHECKING:
    from app.client.generated import BulkReportFields
if TYPE_CHECKING:
    from app.client.generated import CompactMemoriesCompactMemories


def _moment(text: str) -> datetime:
    try:
        return read_untyped_time(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Ids = Annotated[list[str] | None, typer.Option("--id", help="Id of a memory; may be repeated.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="Only memories with all of these tags.")]
Types = Annotated[
    list[MemoryType] | None,
    typer.Option("--type", case_sensitive=False, help="Only memories of one of these types."),
]
Metadata = Annotated[
    list[str] | None,
    typer.Option(
        "--metadata",
        help="NAME=VALUE that the metadata has at its top. true, false, null and numbers are JSON's; a text that "
        "looks like one stands in quotes of JSON.",
    ),
]
Since = Annotated[
    datetime | None,
    typer.Option(
        parser=_moment,
        metavar="TIME",
        help="Only what happened at this time or later; UTC without an offset. A year or month is its beginning.",
    ),
]
Until = Annotated[
    datetime | None,
    typer.Option(
        parser=_moment,
        metavar="TIME",
        help="Only what happened at this time or before; UTC without an offset. A year or month is its end.",
    ),
]
Source = Annotated[
    list[SourceType] | None,
    typer.Option("--source", case_sensitive=False, help="Only memories of these sources."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only count the selected memories.")]


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Change or delete many memories at once.")
    group.command("delete")(delete)
    group.command("change")(change)
    cli.add_typer(group, name="bulk")
    cli.command("compact")(compact)


def delete(
    *,
    id_: Ids = None,
    tag: Tags = None,
    type_: Types = None,
    metadata: Metadata = None,
    since: Since = None,
    until: Until = None,
    source: Source = None,
    hard: Annotated[bool, typer.Option("--hard", help="Permanently.")] = False,
    dry_run: DryRun = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Delete the memories that match all options; without --hard you can restore them."""
    selection = _selection(id_, tag, type_, metadata, since, until, source)
    report = run_in(
        workspace,
        lambda client, workspace_id: client.delete_memories(selection, hard, dry_run, workspace_id),
    )
    _show(report, "deleted", json=json)


def change(
    *,
    id_: Ids = None,
    tag: Tags = None,
    type_: Types = None,
    metadata: Metadata = None,
    since: Since = None,
    until: Until = None,
    source: Source = None,
    add_tag: Annotated[list[str] | None, typer.Option(help="Tag to add; may be repeated.")] = None,
    remove_tag: Annotated[list[str] | None, typer.Option(help="Tag to remove; may be repeated.")] = None,
    expires_at: Annotated[
        datetime | None,
        typer.Option(parser=_moment, metavar="TIME", help="Their expiry; UTC without an offset."),
    ] = None,
    to_user: Annotated[
        str | None,
        typer.Option(help="Move them to this user; an empty text: to everybody. Requires --to-agent."),
    ] = None,
    to_agent: Annotated[
        str | None,
        typer.Option(help="Move them to this agent; an empty text: to every agent. Requires --to-user."),
    ] = None,
    dry_run: DryRun = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Tag, move, or set the expiry of the memories that match all options."""
    selection = _selection(id_, tag, type_, metadata, since, until, source)
    changes = payload(
        addTags=add_tag or None,
        removeTags=remove_tag or None,
        expiresAt=_time(expires_at),
        moveTo=_owner(to_user, to_agent),
    )
    report = run_in(
        workspace,
        lambda client, workspace_id: client.change_memories(selection, changes, dry_run, workspace_id),
    )
    _show(report, "changed", json=json)


def _selection(
    ids: list[str] | None,
    tags: list[str] | None,
    types: list[MemoryType] | None,
    metadata: list[str] | None,
    since: datetime | None,
    until: datetime | None,
    sources: list[SourceType] | None,
) -> Any:
    filter_ = payload(
        allTags=tags or None,
        types=[each.name for each in types] if types else None,
        since=_time(since),
        until=None if until is None else _time(last_moment(until)),
        sourceTypes=sources or None,
    )
    if not any((ids, filter_, metadata)):
        fail("say which memories are meant: --id, --tag, --type, --metadata, --since, --until or --source")
    return payload(ids=ids or None, filter=filter_ or None, metadata=_named(metadata or []) or None)


def _owner(user: str | None, agent: str | None) -> dict[str, str | None] | None:
    """Return the new owner of memories; None: do not move them.

    Both options are required: one alone would share a user's memories with everybody, or an agent's with all agents.
    """
    if user is None and agent is None:
        return None
    if user is None or agent is None:
        fail(
            "memories move to a user and an agent: give both --to-user and --to-agent, the one that is meant for "
            "everybody, or for every agent, as an empty text ('')"
        )
    return {"userId": user or None, "agentId": agent or None}


def _named(pairs: list[str]) -> dict[str, Any]:
    named = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            fail(f"--metadata takes NAME=VALUE, not {pair!r}")
        named[name] = read_scalar(value)
    return named


def _time(moment: datetime | None) -> str | None:
    """Return a time in UTC with its offset, in the form of the API."""
    return None if moment is None else (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()


def _show(report: "BulkReportFields", done: str, *, json: bool) -> None:
    if json:
        typer.echo(as_json(report))
        return
    if not report.matched:
        typer.echo(f"no memory has all of this, so nothing {'would be' if report.dry_run else 'was'} {done}")
        return
    verb = f"would be {done}" if report.dry_run else done
    typer.echo(f"{report.matched} selected, {report.changed} {verb}")
    for skipped in report.skipped:
        typer.echo(f"  left as it is: {skipped.id}, {printable(skipped.reason)}")


_COUNTS = "dry_run candidate_count tokens_before tokens_after tokens_saved".split()
_COMPACTION_SHOWN = dict.fromkeys((*_COUNTS, "texts", "candidates"), True) | {
    "summaries": {"__all__": {"id"}}
}


def compact(
    *,
    older_than: Annotated[
        int | None, typer.Option(min=0, help="Days: replace memories older than this by one summary.")
    ] = None,
    mode: Annotated[
        CompactionMode | None,
        typer.Option(
            case_sensitive=False,
            help="Without --older-than: truncate long memories, or condense all into one summary.",
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(help="Maximum number of tokens after truncate or condense; default 4000.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Only memories of this session.")] = None,
    api_key_id: Annotated[str | None, typer.Option(help="Only memories that this key saved.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show the candidates.")] = False,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Replace old memories by a summary; you can restore them. Compaction never runs automatically."""
    if older_than is None and mode is None:
        fail("say what to compact: --older-than DAYS, or --mode truncate or condense")
    request = payload(
        olderThanDays=older_than,
        mode=mode and mode.name,
        maxTokens=max_tokens,
        sessionId=session,
        apiKeyId=api_key_id,
        dryRun=dry_run,
    )
    report = run_in(workspace, lambda client, workspace_id: client.compact_memories(request, workspace_id))
    if json:
        typer.echo(as_json(report, _COMPACTION_SHOWN))
    else:
        _show_compaction(report)


def _show_compaction(report: "CompactMemoriesCompactMemories") -> None:
    verb = "would be compacted" if report.dry_run else "compacted"
    count = report.candidate_count
    typer.echo(f"{count} {'memory' if count == 1 else 'memories'} {verb}, {report.tokens_saved} tokens saved")
    for summary in report.summaries:
        typer.echo(f"summary {summary.id}")
    if report.dry_run:
        for memory in report.candidates:
            typer.echo(f"  {memory.id} {printable(memory.content)[:80]}")
