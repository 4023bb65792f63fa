"""Builds what decides who may enter: keys, the sessions of those who signed in with one, and limits."""

from dataclasses import dataclass
from datetime import timedelta

from app.bootstrap.signals import Signals
from app.settings import Settings
from app.settings.access import SessionSettings
from graph.core.audit.service import Audit
from graph.core.database import Database
from graph.core.ports import Clock
from graph.tenancy.access.limits import RequestLimits
from graph.tenancy.access.models import Scope
from graph.tenancy.access.service import Access
from graph.tenancy.sessions.models import SessionRules
from graph.tenancy.sessions.service import Sessions
from graph.tenancy.workspaces.service import Workspaces


@dataclass(frozen=True)
class Entering:
    """The use cases of whoever wants in."""

    access: Access
    sessions: Sessions
    request_limits: RequestLimits
    audit: Audit


def session_rules(settings: SessionSettings) -> SessionRules:
    """Return how long sessions last."""
    return SessionRules(
        idle=timedelta(minutes=settings.idle_minutes),
        longest=timedelta(hours=settings.max_hours),
        attempts_per_minute=settings.attempts_per_minute,
    )


def build_entering(
    settings: Settings, database: Database, workspaces: Workspaces, signals: Signals, clock: Clock
) -> Entering:
    """Return the services over one store."""
    access = Access(database, workspaces, clock)
    rules = session_rules(settings.session)
    return Entering(
        access=access,
        sessions=Sessions(signals.sessions, signals.counters, access, clock, rules),
        request_limits=RequestLimits(signals.counters, per_minute=settings.limits.requests_per_minute),
        audit=Audit(database),
    )


async def ensure_chosen_keys(settings: Settings, access: Access, workspace_id: str) -> str | None:
    """Make the keys that settings choose; return the secret of the first administrator's, if it was made just now."""
    chosen = settings.admin_key.get_secret_value() if settings.admin_key else None
    first_key = await access.ensure_admin_key(workspace_id, chosen)
    if settings.automem_api_token:
        await access.ensure_key(
            workspace_id,
            settings.automem_api_token.get_secret_value(),
            name="AutoMem (chosen)",
            scopes=[Scope.READ, Scope.WRITE],
        )
    return first_key
