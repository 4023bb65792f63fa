"""The language model of a workspace: its own, else the deployment's, else none."""

from typing import Final
from urllib.parse import urlsplit

import structlog

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound, Unavailable
from graph.core.lookups import Lookups
from graph.core.models import AuditAction
from graph.core.ports import Clock, LanguageModel
from graph.core.rows import Runner
from graph.core.text.checks import short_text
from graph.tenancy import queries
from graph.tenancy.models import (
    ModelEndpoint,
    OpenModel,
    OwnModel,
    Sealing,
    StoredModel,
    Unsealable,
)

STORED_KEY: Final = object()
"""Placeholder of a key: keep the stored one if the address stays the same."""
_KNOWN_WORKSPACES = 1000
_KNOWN_SECONDS = 10.0  # time after which every process uses a new choice
_MOST_CHARS = 512
_log = structlog.get_logger("recollect.language_models")


class WorkspaceModels:
    """Implements ``graph.core.ports.LanguageModels``; lives as long as the process.

    If a workspace's own model cannot be opened, the workspace has none: its texts must not go to another model.

    Args:
        database: Store of the choices.
        clock: Current time.
        default: Model of the deployment, if any.
        open_model: Opens the model of a workspace.
        sealing: Encrypts keys; None: keys cannot be stored.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        default: LanguageModel | None,
        open_model: OpenModel,
        sealing: Sealing | None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._default = default
        self._open_model = open_model
        self._sealing = sealing
        self._known = Lookups[tuple[StoredModel | None]](_KNOWN_WORKSPACES, seconds=_KNOWN_SECONDS)
        self._opened: dict[ModelEndpoint, LanguageModel] = {}

    async def of(self, workspace_id: str) -> LanguageModel | None:
        """Return the model of a workspace, or None.

        Raises:
            Unavailable: The graph does not answer.
        """
        stored = await self._stored(workspace_id)
        if stored is None:
            return self._default
        try:
            return await self._open(self._endpoint(workspace_id, stored))
        except (Unsealable, Unavailable, InvalidInput) as error:
            _log.warning(
                "language_models.own_not_opened", workspace_id=workspace_id, reason=type(error).__name__
            )
            return None

    async def find(self, workspace_id: str) -> OwnModel | None:
        """Return a workspace's own model; None if it uses the deployment's."""
        stored = await queries.find_language_model(self._database, workspace_id=workspace_id)
        return None if stored is None else _shown(stored)

    async def choose(
        self, workspace_id: str, *, url: str, model: str, key: str | object | None = None
    ) -> OwnModel:
        """Set a workspace's own model; other processes use it within seconds.

        Args:
            workspace_id: Workspace of the model.
            url: Base address of a server with OpenAI's chat completions.
            model: Name of the model on the server.
            key: Key for the server; None: no key; ``STORED_KEY``: the stored one, unless the address changes.

        Raises:
            InvalidInput: A value breaks a rule.
            Conflict: The call has a key and the deployment has no sealing key, or the stored key cannot be decrypted.
            Unavailable: No model can be opened, because the extra ``llm`` is not installed.
            NotFound: The workspace does not exist.
        """
        address, name = _address(url), short_text("model", model, limit=_MOST_CHARS) or ""
        sealed = self._sealed(workspace_id, address, key) if isinstance(key, str) else None

        def chosen(before: StoredModel | None) -> StoredModel:
            sealed_before = before.sealed_key if before is not None and before.url == address else None
            return StoredModel(
                url=address, model=name, sealed_key=sealed_before if key is STORED_KEY else sealed
            )

        async def work(tx: Runner) -> StoredModel:
            locked = await queries.lock_language_model(tx, workspace_id=workspace_id)
            if locked is None:
                raise NotFound(f"there is no workspace {workspace_id!r}", field="workspaceId")
            stored = chosen(locked.chosen)
            await self._write(tx, workspace_id, stored)
            return stored

        before = await queries.find_language_model(self._database, workspace_id=workspace_id)
        await self._open(self._readable_endpoint(workspace_id, chosen(before)))
        stored = await self._database.transaction(work)
        self._known.forget(workspace_id)
        return _shown(stored)

    async def remove(self, workspace_id: str) -> bool:
        """Remove a workspace's own model, so that it uses the deployment's; return whether it had one."""

        async def work(tx: Runner) -> bool:
            locked = await queries.lock_language_model(tx, workspace_id=workspace_id)
            if locked is None or locked.chosen is None:
                return False
            await self._write(tx, workspace_id, None)
            return True

        had_own = await self._database.transaction(work)
        self._known.forget(workspace_id)
        return had_own

    async def _write(self, tx: Runner, workspace_id: str, stored: StoredModel | None) -> None:
        now = self._clock.now()
        await queries.update_language_model(
            tx,
            workspace_id=workspace_id,
            url=stored.url if stored else None,
            model=stored.model if stored else None,
            sealed_key=stored.sealed_key if stored else None,
            now=now,
        )
        await note_act(tx, AuditAction.LANGUAGE_MODEL_CHANGED, workspace_id, now=now)

    async def _stored(self, workspace_id: str) -> StoredModel | None:
        known = self._known.get(workspace_id)  # a tuple, to distinguish a missing entry from a cached None
        if known is None:
            begun = self._known.begin()
            known = (await queries.find_language_model(self._database, workspace_id=workspace_id),)
            self._known.keep(workspace_id, known, begun)
        return known[0]

    async def _open(self, endpoint: ModelEndpoint) -> LanguageModel:
        if endpoint not in self._opened:
            self._opened[endpoint] = await self._open_model(endpoint)
        return self._opened[endpoint]

    def _endpoint(self, workspace_id: str, stored: StoredModel) -> ModelEndpoint:
        key = None
        if stored.sealed_key is not None:
            if self._sealing is None:
                raise Unsealable
            key = self._sealing.unseal(stored.sealed_key, purpose=_purpose(workspace_id, stored.url))
        return ModelEndpoint(url=stored.url, model=stored.model, key=key)

    def _readable_endpoint(self, workspace_id: str, stored: StoredModel) -> ModelEndpoint:
        try:
            return self._endpoint(workspace_id, stored)
        except Unsealable:
            raise Conflict(
                "the stored key cannot be read: RECOLLECT_LLM_SEALING_KEY has changed; "
                "enter the key again, or null for none",
                field="key",
            ) from None

    def _sealed(self, workspace_id: str, url: str, key: str) -> str:
        checked = short_text("key", key, limit=_MOST_CHARS) or ""
        if not (checked.isascii() and checked.isprintable()):
            raise InvalidInput("key", "key contains characters that are not allowed in a key; copy it again")
        if self._sealing is None:
            raise Conflict(
                "this deployment stores no keys of language models: set RECOLLECT_LLM_SEALING_KEY",
                field="key",
            )
        return self._sealing.seal(checked, purpose=_purpose(workspace_id, url))


def _purpose(workspace_id: str, url: str) -> str:
    """Return the purpose of a sealed key, so that it can be decrypted only for its workspace and address."""
    return f"language model of {workspace_id} at {url}"


def _shown(stored: StoredModel) -> OwnModel:
    return OwnModel(url=stored.url, model=stored.model, has_key=stored.sealed_key is not None)


def _address(url: str) -> str:
    named = (short_text("url", url, limit=_MOST_CHARS) or "").rstrip("/")
    try:
        parts = urlsplit(named)
        is_fit = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        _ = parts.port  # raises if it is not a number
    except ValueError:
        is_fit = False
    if not is_fit or parts.query or parts.fragment:
        raise InvalidInput("url", "url must be an http or https address without user, query or fragment")
    return named
