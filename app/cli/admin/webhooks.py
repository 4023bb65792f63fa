"""``recollect webhooks``: register addresses to receive the events of a workspace."""

from enum import StrEnum
from typing import Annotated

import typer

from app.cli.printing import Json, as_json, print_json, print_table
from app.cli.remote import Workspace, fail, payload, run_in

Id = Annotated[str, typer.Argument(metavar="ID")]


class Event(StrEnum):
    """Event types of a webhook, with the names in deliveries."""

    MEMORY_SAVED = "memory.saved"
    MEMORY_UPDATED = "memory.updated"
    MEMORY_DELETED = "memory.deleted"
    PATTERN_PROMOTED = "pattern.promoted"
    JOB_FAILED = "job.failed"


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Register, list, test and delete webhooks.")
    group.command("create")(create_webhook)
    group.command("list")(list_webhooks)
    group.command("test")(try_webhook)
    group.command("delete")(delete_webhook)
    cli.add_typer(group, name="webhooks")


def create_webhook(
    url: Annotated[
        str, typer.Argument(help="Address that receives the events; it must begin with https://.")
    ],
    *,
    event: Annotated[
        list[Event] | None, typer.Option("--event", "-e", help="Event to deliver; default: all.")
    ] = None,
    description: Annotated[str | None, typer.Option(help="Purpose of the webhook.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Register an address and print its secret, this one time only."""
    fields = payload(url=url, events=[each.name for each in event or Event], description=description)
    created = run_in(workspace, lambda client, workspace_id: client.create_webhook(fields, workspace_id))
    if json:
        typer.echo(as_json(created))
        return
    typer.echo(f"id: {created.webhook.id}", err=True)
    typer.echo(created.secret)


def list_webhooks(*, workspace: Workspace = None, json: Json = False) -> None:
    """List the webhooks of a workspace, without their secrets. Times are in UTC."""
    webhooks = run_in(workspace, lambda client, workspace_id: client.webhooks(workspace_id))
    if json:
        typer.echo(as_json(webhooks))
        return
    rows = (
        (
            webhook.id,
            webhook.url,
            ", ".join(Event[each.value].value for each in webhook.events),
            str(webhook.last_delivered_at or "never")[:19],
            str(webhook.last_failed_at or "never")[:19],
            webhook.last_error or "",
        )
        for webhook in webhooks
    )
    print_table(
        ("id", "url", "events", "delivered", "failed", "why"),
        rows,
        if_empty="no webhook; `recollect webhooks create` registers one",
    )


def try_webhook(id_: Id, *, workspace: Workspace = None, json: Json = False) -> None:
    """Deliver an event of the type webhook.test."""
    event_id = run_in(workspace, lambda client, workspace_id: client.test_webhook(id_, workspace_id))
    if json:
        print_json({"eventId": event_id})
    else:
        typer.echo(f"will be delivered as {event_id}")


def delete_webhook(id_: Id, *, workspace: Workspace = None, json: Json = False) -> None:
    """Delete a webhook with its undelivered events."""
    if not run_in(workspace, lambda client, workspace_id: client.delete_webhook(id_, workspace_id)):
        fail(f"there is no webhook {id_}; see `recollect webhooks list`")
    if json:
        print_json({"deleted": id_})
    else:
        typer.echo(f"deleted {id_}")
