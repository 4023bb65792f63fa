"""Settings at run time: five of each workspace, and those of the deployment."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import structlog
from pydantic.alias_generators import to_camel
from pydantic_core import from_json, to_json

from graph.core import queries
from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.errors import Forbidden, InvalidInput
from graph.core.models import DEPLOYMENT, AuditAction
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.memories.models import Memory
from graph.memories.policy import Retention
from graph.operations.models import (
    DEPLOYMENT_KEYS,
    OTHER_KEYS,
    WORKSPACE_KEYS,
    ConnectionTrial,
    DeploymentSettings,
    RunningMemorySettings,
    SettingsChange,
    Strategy,
)
from graph.retrieval.context.models import DEFAULT_TOKENS
from graph.retrieval.recall.models import RecallStrategy, strategy_named
from graph.tenancy.models import Principal, Scope, Workspace
from graph.tenancy.settings import WorkspaceSettings
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.models import TierChange, TierSettings, VectorStore
from graph.vectors.external.service import ExternalTier


class Adapters(Protocol):
    """Rebuilds the adapters of this process when a setting of the deployment changes."""

    @property
    def own(self) -> DeploymentSettings:
        """Return the settings from the environment of this process."""
        ...

    def check(self, chosen: DeploymentSettings) -> None:
        """Check that this process could apply settings.

        Raises:
            InvalidInput: It could not; the error names the field and the missing part.
        """
        ...

    async def try_out(self, chosen: DeploymentSettings) -> None:
        """Load the chosen model if it changes and comes from this machine or a hub.

        Raises:
            InvalidInput: The model cannot be loaded; the error has the reason.
        """
        ...

    async def test_embedder(self, chosen: DeploymentSettings) -> ConnectionTrial:
        """Embed one text with the chosen model, and change nothing.

        Raises:
            InvalidInput: No model is chosen.
        """
        ...

    async def test_reranker(self, chosen: DeploymentSettings) -> ConnectionTrial:
        """Score one text with the chosen reranker, even if it is not enabled, and change nothing."""
        ...

    async def use(self, chosen: DeploymentSettings) -> None:
        """Apply settings; old vectors serve until the new index is complete, a new reranker serves immediately."""
        ...


_log = structlog.get_logger("recollect.settings")
_STRATEGIES: Mapping[RecallStrategy, Strategy] = {
    RecallStrategy.EXACT: "recent",
    RecallStrategy.SEMANTIC: "semantic",
    RecallStrategy.HYBRID: "hybrid",
}
_OF_EMBEDDER = ("embedding_source", "embedding_provider_model", "transformers_enabled", "static_enabled")
_OF_RERANKER = ("rerank_provider_model",)


@dataclass(frozen=True)
class Defaults:
    """Default settings of a workspace."""

    strategy: RecallStrategy
    retention: Retention


class RunningSettings:
    """The use cases of settings; lives as long as the process.

    A workspace's settings are stored with the workspace and apply to the next request; other processes see them within
    two seconds (``Workspaces.settings_of``). The deployment's settings are separate nodes, which every process reads
    every few seconds and applies by rebuilding its adapters.
    """

    def __init__(
        self,
        database: Database,
        workspaces: Workspaces,
        tier: ExternalTier[Memory],
        adapters: Adapters,
        clock: Clock,
        defaults: Defaults,
    ) -> None:
        self._database = database
        self._workspaces = workspaces
        self._tier = tier
        self._adapters = adapters
        self._clock = clock
        self._defaults = defaults
        self._in_use = adapters.own
        self._refused: DeploymentSettings | None = None
        self._refreshing = asyncio.Lock()

    async def of(self, workspace_id: str) -> RunningMemorySettings:
        """Return the effective settings of a workspace.

        Raises:
            NotFound: The workspace does not exist.
        """
        return self._described(await self._workspaces.get(workspace_id))

    async def change(
        self,
        by: Principal,
        workspace_id: str,
        change: SettingsChange,
        *,
        reset: Sequence[str] = (),
    ) -> RunningMemorySettings:
        """Change settings, all of them or none, and return the effective ones.

        A deployment setting with its current value is not a change, so that any caller may send back all settings as
        received.

        Raises:
            InvalidInput: A value is out of range, or this process cannot apply it.
            Forbidden: A setting is the deployment's, and ``by`` is not an administrator of the default workspace.
            NotFound: The workspace does not exist.
        """
        changed = change.over(await self.of(workspace_id))
        cleared = _cleared(reset, changed)
        workspace = _named(WORKSPACE_KEYS, changed, cleared)
        deployment = _named(DEPLOYMENT_KEYS, changed, cleared)
        if deployment:
            await self._require_keeper_of_all(by, next(iter(deployment)))
            if deployment.get("vector_store") is VectorStore.QDRANT:
                self._tier.require_enabled_for(TierChange(vector_store=VectorStore.QDRANT))
            settings = await self._wanted(deployment)
            self._adapters.check(settings)
            await self._adapters.try_out(settings)
        await self._workspaces.update(
            workspace_id,
            settings=_stored_with_workspace(workspace) if workspace else None,
            beside=self._storing(deployment) if deployment else None,
        )
        if deployment:
            await self.refresh()
            await self._tier.refresh()
        return await self.of(workspace_id)

    async def test_embedder(
        self, by: Principal, workspace_id: str, change: SettingsChange
    ) -> ConnectionTrial:
        """Embed one text with the model that a change would use, and store nothing.

        Raises:
            InvalidInput: A value is out of range, no model is named, or this process cannot apply it.
            Forbidden: ``by`` is not an administrator of the default workspace.
            NotFound: The workspace does not exist.
        """
        settings = await self._wanted_of(by, workspace_id, change, _OF_EMBEDDER)
        self._adapters.check(settings)
        return await self._adapters.test_embedder(settings)

    async def test_reranker(
        self, by: Principal, workspace_id: str, change: SettingsChange
    ) -> ConnectionTrial:
        """Score one text with the reranker that a change would use, even if it stays off, and store nothing.

        Raises:
            InvalidInput: A value is out of range.
            Forbidden: ``by`` is not an administrator of the default workspace.
            NotFound: The workspace does not exist.
        """
        settings = await self._wanted_of(by, workspace_id, change, _OF_RERANKER)
        return await self._adapters.test_reranker(settings)

    async def test_tier(self, by: Principal, change: TierChange) -> ConnectionTrial:
        """Open the external tier with changed settings, send one request, and store nothing.

        Raises:
            Forbidden: ``by`` is not an administrator of the default workspace.
        """
        await self._require_keeper_of_all(by, "qdrant")
        health = await self._tier.test(change)
        return ConnectionTrial(latency_ms=health.latency_ms, error=health.error)

    async def change_tier(self, by: Principal, change: TierChange) -> TierSettings:
        """Change the connection to the external tier; see :meth:`ExternalTier.change_settings`.

        A setting with its current value is not a change.

        Raises:
            Forbidden: ``by`` is not an administrator of the default workspace.
            InvalidInput: The tier is off but selected, or cannot be opened.
        """
        change = change.over(self._tier.settings)
        if change.model_fields_set:
            await self._require_keeper_of_all(by, "qdrant")
            self._tier.require_enabled_for(change)
            await self._tier.try_out(change)
        return await self._tier.change_settings(change)

    async def refresh(self) -> None:
        """Apply the stored settings of the deployment; every process calls this every few seconds.

        It logs once each setting that this process cannot apply, for example because only another process has the key.
        """
        async with self._refreshing:
            settings = await self._wanted({})
            if settings in (self._in_use, self._refused):
                return
            try:
                self._adapters.check(settings)
            except InvalidInput as error:
                self._refused = settings
                _log.warning("settings.not_followed", field=error.field, reason=error.message)
                return
            await self._adapters.use(settings)
            self._in_use, self._refused = settings, None
            _log.info("settings.followed")

    async def _require_keeper_of_all(self, by: Principal, name: str) -> None:
        if not by.may(Scope.ADMIN) or not (await self._workspaces.get(by.workspace_id)).is_default:
            raise Forbidden(
                f"{to_camel(name)} applies to all workspaces: only an administrator's key of the default workspace "
                "may change it"
            )

    async def _wanted_of(
        self, by: Principal, workspace_id: str, change: SettingsChange, names: Sequence[str]
    ) -> DeploymentSettings:
        """Return the settings of the deployment with the named ones of a change applied."""
        changed = change.over(await self.of(workspace_id))
        await self._require_keeper_of_all(by, names[0])
        return await self._wanted({name: changed[name] for name in names if name in changed})

    async def _wanted(self, changes: Mapping[str, Any]) -> DeploymentSettings:
        """Return the environment's settings, overridden by stored ones and then by the changes."""
        rows = await queries.list_settings(self._database, workspace_id=DEPLOYMENT)
        found = {row.key: from_json(row.value) for row in rows}
        stored = {name: found[key] for key, name in OTHER_KEYS.items() if key in found}
        stored |= {name: found[key] for name, key in DEPLOYMENT_KEYS.items() if key in found}
        own = dict(self._adapters.own)
        for name, value in changes.items():
            stored[name] = own.get(name) if value is _RESET else value
        known = {name: value for name, value in stored.items() if name in own}
        return DeploymentSettings.model_validate({**own, **known})

    def _storing(self, changes: Mapping[str, Any]) -> Callable[[Runner], Awaitable[None]]:
        rows, names = _rows(DEPLOYMENT_KEYS, changes), list(changes)

        async def store(tx: Runner) -> None:
            now = self._clock.now()
            await queries.store_settings(tx, workspace_id=DEPLOYMENT, rows=rows, now=now)
            await note_act(
                tx,
                AuditAction.SETTINGS_CHANGED,
                DEPLOYMENT,
                subject_id=to_camel(names[0]) if len(names) == 1 else None,
                count=len(names),
                now=now,
            )

        return store

    def _described(self, workspace: Workspace) -> RunningMemorySettings:
        chosen = WorkspaceSettings.of(workspace.settings)
        defaults = self._defaults
        strategy = strategy_named(chosen.strategy) if chosen.strategy else defaults.strategy
        source = self._in_use.embedding_source
        return RunningMemorySettings.model_validate(
            {
                **dict(self._in_use),
                "embedding_source": "transformers" if source == "minilm" else source,
                "enabled": workspace.memory_enabled,
                "max_tokens": DEFAULT_TOKENS if chosen.max_tokens is None else chosen.max_tokens,
                "retention_days": defaults.retention.lasting(chosen.retention_days).days,
                "strategy": _STRATEGIES[strategy],
                "skills_enabled": bool(chosen.skills_enabled),
                "vector_store": self._tier.settings.vector_store.value,
            }
        )


_RESET = object()


def _cleared(reset: Sequence[str], changed: Mapping[str, Any]) -> set[str]:
    """Return the names of the fields to reset.

    Raises:
        InvalidInput: A field is unknown, or is set as well.
    """
    known = {to_camel(name): name for name in (*WORKSPACE_KEYS, *DEPLOYMENT_KEYS)}
    for name in reset:
        if name not in known:
            raise InvalidInput("reset", f"reset must name settings, such as {', '.join(sorted(known))}")
        if known[name] in changed:
            raise InvalidInput("reset", f"{name} cannot be set and reset in one call")
    return {known[name] for name in reset}


def _named(keys: Mapping[str, str], changed: Mapping[str, Any], cleared: set[str]) -> dict[str, Any]:
    """Return the changes of one group of settings; a reset setting has an empty value."""
    return {
        name: _RESET if name in cleared else changed[name]
        for name in keys
        if name in changed or name in cleared
    }


def _stored_with_workspace(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the change of a workspace's settings; null removes a setting."""
    return {WORKSPACE_KEYS[name]: None if value is _RESET else value for name, value in changes.items()}


def _rows(keys: Mapping[str, str], changes: Mapping[str, Any]) -> list[dict[str, str | None]]:
    rows = [
        {"key": keys[name], "value": None if value is _RESET else to_json(value).decode()}
        for name, value in changes.items()
    ]
    others = [key for key, name in OTHER_KEYS.items() if name in changes]
    return [*rows, *({"key": key, "value": None} for key in others)]
