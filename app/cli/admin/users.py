"""``recollect users`` and ``recollect erase``: list users, and erase one."""

import asyncio
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.printing import Json, as_json, print_json, print_table, progress_bar
from app.cli.remote import Workspace, fail, nodes, run_in

if TYPE_CHECKING:
    from app.client.generated import EraseUserEraseUser, JobFields, RecollectClient, UserFields

_KINDS = (
    "memories",
    "versions",
    "passages",
    "conversations",
    "messages",
    "episodes",
    "summaries",
    "distillations",
    "sequences",
    "actions",
    "prompt_runs",
    "api_keys",
)
_COUNTED = {
    "memories": "memories",
    "deleted": "deleted_memories",
    "conversations": "conversations",
    "runs": "runs",
}
"""Columns of counts, and the field of each."""
_POLL_SECONDS = 0.5
_JOB = "ERASE"


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    users = typer.Typer(invoke_without_command=True, help="List the users of a workspace.")
    users.callback()(show_users)
    users.command("list")(list_users)
    cli.add_typer(users, name="users")
    cli.command("erase")(erase_user)


def show_users(context: typer.Context, *, workspace: Workspace = None, json: Json = False) -> None:
    """List the users of a workspace with their counts, first and last use."""
    if context.invoked_subcommand is None:
        list_users(workspace=workspace, json=json)


def list_users(*, workspace: Workspace = None, json: Json = False) -> None:
    """List the users of a workspace with their counts, first and last use."""

    async def every(client: "RecollectClient", workspace_id: str | None) -> "list[UserFields]":
        return [user async for user in nodes(partial(client.users, workspace_id=workspace_id))]

    users = run_in(workspace, every)
    if json:
        typer.echo(as_json(users))
        return
    rows = (
        (
            user.id,
            *(str(getattr(user, field)) for field in _COUNTED.values()),
            str(user.since or "")[:10],
            str(user.last_used_at or "never")[:10],
        )
        for user in users
    )
    print_table(
        ("id", *_COUNTED, "since", "last used"),
        rows,
        right=tuple(_COUNTED),
        if_empty="no memory or conversation names a user; `recollect save --user ada …` does",
    )


def erase_user(
    *,
    user: Annotated[str, typer.Option("--user", "-u", help="User to erase.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    dry_run: Annotated[bool, typer.Option(help="Only count.")] = False,
    wait: Annotated[
        bool, typer.Option("--wait/--no-wait", help="Wait until the erasure is complete.")
    ] = True,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Erase all data of a user permanently; needs an administrator's key.

    The command first counts the data. It revokes the user's keys immediately, and a job deletes the rest.
    """

    async def count(client: "RecollectClient", workspace_id: str | None) -> "EraseUserEraseUser":
        return await client.erase_user(user, dry_run=True, workspace_id=workspace_id)

    async def erase(client: "RecollectClient", workspace_id: str | None) -> bool:
        started = await client.erase_user(user, dry_run=False, workspace_id=workspace_id)
        return not wait or await _erased(client, user, workspace_id, started.total)

    found = run_in(workspace, count)
    _print_erasure(found, as_json=json, dry_run=dry_run)
    if dry_run:
        return
    if not yes and not typer.confirm(f"Erase all of this of {user}, permanently?"):
        raise typer.Exit(1)
    if not run_in(workspace, erase):
        fail("the job failed and is parked; see `recollect jobs list --state parked`")
    typer.echo(f"erased {user}" if wait else f"{user} is being erased", err=json)


def _print_erasure(found: "EraseUserEraseUser", *, as_json: bool, dry_run: bool) -> None:
    counts = {kind: getattr(found, kind) for kind in _KINDS}
    if as_json:
        print_json({**counts, "total": found.total, "dryRun": dry_run})
        return
    for kind, number in counts.items():
        if number:
            typer.echo(f"{number} {kind.replace('_', ' ')}")
    if dry_run:
        typer.echo(f"{found.total} in all; nothing was changed")


async def _erased(client: "RecollectClient", user: str, workspace_id: str | None, total: int) -> bool:
    """Show the progress of the job until it ends; return False if it is parked."""
    with progress_bar() as progress:
        task = progress.add_task("erasing", total=total)
        since: datetime | None = None
        while True:
            job = await _job_of(client, user, workspace_id, since)
            if job is not None and job.state == "FAILED":
                return False
            left = await client.erase_user(user, dry_run=True, workspace_id=workspace_id)
            progress.update(task, completed=max(0, total - left.total))
            if job is None:
                return True
            since = job.created_at
            await asyncio.sleep(_POLL_SECONDS)


async def _job_of(
    client: "RecollectClient", user: str, workspace_id: str | None, since: datetime | None
) -> "JobFields | None":
    """Return the unfinished job of the erasure, created at ``since`` if known; None after it is done."""
    job: JobFields
    async for job in nodes(partial(client.jobs, workspace_id=workspace_id)):
        if job.kind == _JOB and job.subject_id == user:
            return job
        if since is not None and job.created_at < since:
            return None  # jobs are sorted, newest first
    return None
