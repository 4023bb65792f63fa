"""``recollect keys`` and ``audit``: API keys of a workspace, and the audit log of the deployment."""

from typing import Annotated, Any

import typer

from app.cli.printing import Json, as_json, print_json, print_table
from app.cli.remote import Workspace, fail, payload, run, run_in
from graph.core.models import AuditAction
from graph.tenancy.models import Scope


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Create, list, rotate and revoke API keys.")
    group.command("create")(create_key)
    group.command("list")(list_keys)
    group.command("me")(show_own_key)
    group.command("rotate")(rotate_key)
    group.command("revoke")(revoke_key)
    cli.add_typer(group, name="keys")
    cli.command("audit")(show_audit)


def create_key(
    name: Annotated[str, typer.Argument(help="Name of the key.")],
    *,
    scope: Annotated[
        list[Scope] | None,
        typer.Option("--scope", "-s", case_sensitive=False, help="Default: read and write."),
    ] = None,
    per_minute: Annotated[
        int | None,
        typer.Option(
            help="Maximum number of requests in a minute, 0 for no limit; default: the deployment's."
        ),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Bind it to one user's memory.")] = None,
    agent: Annotated[str | None, typer.Option(help="Bind it to one agent's memory.")] = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Create a key and print its secret, this one time only."""
    scopes = [each.name for each in scope or (Scope.READ, Scope.WRITE)]
    fields = {
        "name": name, "scopes": scopes, "requestsPerMinute": per_minute, "userId": user, "agentId": agent,
    }  # fmt: skip
    created = run_in(
        workspace,
        lambda client, workspace_id: client.create_api_key(payload(**fields, workspaceId=workspace_id)),
    )
    if json:
        typer.echo(as_json(created))
        return
    typer.echo(f"id: {created.key.id}", err=True)
    typer.echo(created.secret)


def list_keys(*, workspace: Workspace = None, json: Json = False) -> None:
    """List the live keys of a workspace, without their secrets."""
    keys = run_in(workspace, lambda client, workspace_id: client.api_keys(workspace_id))
    if json:
        typer.echo(as_json(keys))
        return
    rows = (
        (
            key.id,
            key.name,
            key.prefix,
            ", ".join(key.scopes).lower(),
            str(key.created_at)[:10],
            str(key.last_used_at or "never")[:10],
        )
        for key in keys
    )
    print_table(("id", "name", "begins with", "scopes", "created", "last used"), rows)


def show_own_key(*, json: Json = False) -> None:
    """Show the name, workspace and scopes of the key in use."""
    me = run(lambda client: client.me())
    if json:
        typer.echo(as_json(me))
        return
    for name, value in me.model_dump(by_alias=True).items():
        typer.echo(f"{name}: {', '.join(value) if isinstance(value, list) else value}")


def rotate_key(
    id_: Annotated[str, typer.Argument(metavar="ID")],
    *,
    grace: Annotated[int, typer.Option(help="Seconds for which the old secret stays valid.")] = 3600,
    json: Json = False,
) -> None:
    """Replace the secret of a key and print the new one; the old one stays valid for a while."""
    rotated = run(lambda client: client.rotate_api_key(id_, grace))
    if json:
        typer.echo(as_json(rotated))
        return
    typer.echo(f"id: {rotated.key.id}", err=True)
    typer.echo(rotated.secret)


def revoke_key(id_: Annotated[str, typer.Argument(metavar="ID")], *, json: Json = False) -> None:
    """Revoke a key, which is then no longer valid."""
    if not run(lambda client: client.revoke_api_key(id_)):
        fail(f"there is no key {id_}; see `recollect keys list`")
    if json:
        print_json({"revoked": id_})
    else:
        typer.echo(f"revoked {id_}")


_WITHOUT_KEY = {"SIGN_IN_FAILED": "nobody's"}


def show_audit(
    *,
    action: Annotated[
        list[AuditAction] | None,
        typer.Option("--action", "-a", case_sensitive=False, help="Only this action, such as key_created."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of entries.")] = 50,
    json: Json = False,
) -> None:
    """Show created and revoked keys, sign-ins, failed sign-ins, changes and deletions, latest first.

    Times are in UTC.
    """
    actions: Any = [each.name for each in action] if action else None
    entries = [edge.node for edge in run(lambda client: client.audit_log(actions, limit)).edges]
    if json:
        typer.echo(as_json(entries))
        return
    rows = (
        (
            str(entry.at)[:19],
            entry.action.lower(),
            entry.actor_key_id or _WITHOUT_KEY.get(entry.action, "the service"),
            entry.workspace_id,
            entry.subject_id or "",
            str(entry.count),
        )
        for entry in entries
    )
    print_table(("when", "what", "by key", "workspace", "to", "count"), rows)
