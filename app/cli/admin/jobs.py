"""``recollect jobs``: list unfinished background jobs, and retry them."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.printing import Json, as_json, print_json, print_table
from app.cli.remote import Workspace, fail, nodes, run_in
from app.client.transport import ApiError

if TYPE_CHECKING:
    from app.client.generated import JobFields, RecollectClient


class JobStatus(StrEnum):
    """State of an unfinished job, as the command line names it."""

    PENDING = "pending"
    RUNNING = "running"
    PARKED = "parked"

    @property
    def named(self) -> str:
        """Name of the state in the API."""
        return "FAILED" if self is JobStatus.PARKED else self.value.upper()

    @classmethod
    def of(cls, named: str) -> "JobStatus":
        """Return the state for its name in the API."""
        return cls.PARKED if named == "FAILED" else cls(named.lower())


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Show background jobs, and retry parked ones.")
    group.command("list")(list_jobs)
    group.command("retry")(retry_jobs)
    cli.add_typer(group, name="jobs")


def list_jobs(
    *,
    state: Annotated[JobStatus | None, typer.Option("--state", "-s", help="Only jobs in this state.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List unfinished jobs, newest first, with the errors of parked ones. Times are in UTC."""
    named = state and state.named
    jobs = run_in(workspace, lambda client, workspace_id: _list(client, workspace_id, named))
    if json:
        typer.echo(as_json(jobs))
        return
    rows = (
        (
            job.id,
            job.kind.value,
            job.subject_id,
            JobStatus.of(job.state.value).value,
            str(job.attempts),
            str(job.created_at)[:19],
            str(job.due_at or "")[:19],
            job.error or "",
        )
        for job in jobs
    )
    print_table(
        ("id", "kind", "of", "state", "attempts", "asked for", "due", "why"), rows, if_empty="no jobs"
    )


def retry_jobs(
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    *,
    all_parked: Annotated[
        bool, typer.Option("--all-parked", help="Every parked job of the workspace instead.")
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Make waiting or parked jobs due immediately, and reset their attempts."""
    if bool(ids) is all_parked:
        fail("name the jobs to be tried again, or give --all-parked")
    retried, unknown = run_in(workspace, lambda client, workspace_id: _retry(client, workspace_id, ids))
    if json:
        print_json({"due": retried, "unknown": unknown})
    else:
        typer.echo("".join(f"due {id_}\n" for id_ in retried), nl=False)
    if all_parked:
        typer.echo(f"{len(retried)} parked jobs are due again", err=True)
    elif unknown:
        fail(f"not in this workspace, or done by now: {', '.join(unknown)}; see `recollect jobs list`")


async def _list(client: "RecollectClient", workspace_id: str | None, state: Any) -> "list[JobFields]":
    return [job async for job in nodes(partial(client.jobs, state, workspace_id=workspace_id))]


async def _retry(
    client: "RecollectClient", workspace_id: str | None, ids: Sequence[str] | None
) -> tuple[list[str], list[str]]:
    """Retry jobs, or all parked ones if ``ids`` is None; return the ids of retried and of unknown jobs."""
    job_ids = ids or [job.id for job in await _list(client, workspace_id, JobStatus.PARKED.named)]
    retried, unknown = [], []
    for id_ in job_ids:
        try:
            await client.retry_job(id_, workspace_id)
        except ApiError as error:
            if (error.code, error.field) != ("NOT_FOUND", "id"):
                raise
            unknown.append(id_)
        else:
            retried.append(id_)
    return retried, unknown
