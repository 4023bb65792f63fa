"""Builds the room of tenancy: workspaces, keys, sessions and limits."""

from collections.abc import Callable
from datetime import timedelta

from app.bootstrap.dependencies import Dependencies, sealing
from app.settings.servers import SessionSettings
from graph.operations.services import TenancyServices
from graph.tenancy.access import Access, RequestLimits
from graph.tenancy.keys import ChosenKeys, Keys
from graph.tenancy.language_models import WorkspaceModels
from graph.tenancy.models import Scope
from graph.tenancy.sessions import SessionRules, Sessions
from graph.tenancy.workspaces import OnRemoved, Workspaces


def session_rules(settings: SessionSettings) -> SessionRules:
    """Return the lifetime of sessions and the limit of sign-in attempts."""
    return SessionRules(
        idle=timedelta(minutes=settings.idle_minutes),
        longest=timedelta(hours=settings.max_hours),
    )


def build_tenancy(on: Dependencies, *, on_removed: OnRemoved) -> TenancyServices:
    """Return the room; ``on_removed`` deletes further data of a workspace."""
    signals = on.signals
    workspaces = Workspaces(
        on.database,
        on.clock,
        signals.working_set,
        on_removed=on_removed,
        new_memory_enabled=on.settings.memory.new_workspaces,
    )
    access = Access(on.database, workspaces, on.clock)
    rules = session_rules(on.settings.session)
    return TenancyServices(
        workspaces=workspaces,
        access=access,
        keys=Keys(on.database, access, on.clock),
        sessions=Sessions(signals.sessions, signals.attempts, access, on.clock, rules),
        language_models=WorkspaceModels(
            on.database,
            on.clock,
            default=on.language_model,
            open_model=on.open_model,
            sealing=sealing(on.settings.llm),
        ),
        request_limits=RequestLimits(signals.counters, per_minute=on.settings.limits.requests_per_minute),
    )


async def ensure_chosen_keys(
    on: Dependencies, keys: Keys, workspace_id: str, on_first_key: Callable[[str], None]
) -> str | None:
    """Create the keys from settings; return the secret of the first administrator's key if it is new.

    ``on_first_key`` receives that secret before anything else may fail, because nobody can see it again.
    """
    chosen_keys = ChosenKeys(on.database, keys, on.clock)
    settings = on.settings
    chosen = settings.admin_key.get_secret_value() if settings.admin_key else None
    first_key = await chosen_keys.ensure_admin(workspace_id, chosen)
    if first_key is not None:
        on_first_key(first_key)
    if settings.automem_api_token:
        await chosen_keys.ensure(
            workspace_id,
            settings.automem_api_token.get_secret_value(),
            name="AutoMem (chosen)",
            scopes=[Scope.READ, Scope.WRITE],
        )
    return first_key
