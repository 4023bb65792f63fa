"""Use cases of artifacts: add, read, list, delete."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.core.audit import note_act
from graph.core.credentials import CredentialGuard
from graph.core.current_call import touches
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ids import new_id
from graph.core.models import AuditAction, JobKind
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, WakeUp
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.core.text.checks import short_name, short_text
from graph.core.text.lucene import forms_apart
from graph.knowledge import queries
from graph.knowledge.documents.chunking import file_name
from graph.knowledge.models import Artifact, ArtifactDraft
from graph.memories.rules import as_json, merged_metadata, validated_metadata

_DEFAULT_KIND = "file"
_KIND_CHARS = 64
_SUMMARY_CHARS = 2000
_URI_CHARS = 2048


class Artifacts:
    """The use cases of artifacts; lives as long as the process."""

    def __init__(self, database: Database, wake_up: WakeUp, clock: Clock, *, guard: CredentialGuard) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock
        self._guard = guard

    async def add(self, workspace_id: str, draft: ArtifactDraft) -> Artifact:
        """Add an artifact, or change the stored one with the same key: the given key, else the URI, else kind and name.

        Raises:
            InvalidInput: A field breaks a rule or contains a credential.
        """
        key, fields = _checked(draft)
        metadata = {} if draft.metadata is None else validated_metadata(draft.metadata)
        for field in ("name", "uri", "summary"):
            self._guard.refuse(field, [fields.get(field) or ""])
        self._guard.refuse("metadata", [as_json(metadata)])
        upsert = _Upsert(workspace_id, key, fields, metadata, self._clock.now())
        artifact = await self._database.transaction(upsert.run)
        touches(artifact.id)
        await self._wake_up.signal()
        return artifact

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Artifact]:
        """Return the existing artifacts by their ids."""
        artifacts = await queries.get_artifacts(self._database, workspace_id=workspace_id, ids=ids)
        return {artifact.id: artifact for artifact in artifacts}

    async def find(self, workspace_id: str, id_: str) -> Artifact | None:
        """Return one artifact, or None."""
        return (await self.find_all(workspace_id, [id_])).get(id_)

    async def page(
        self,
        workspace_id: str,
        *,
        kind: str | None = None,
        session_id: str | None = None,
        first: int = 50,
        after: str | None = None,
    ) -> Page[Artifact]:
        """Return a page of artifacts, the newest first."""
        paging = Paging.of(first, after)
        artifacts = await queries.list_artifacts(
            self._database,
            workspace_id=workspace_id,
            kind=kind.strip().lower() if kind else None,
            session_id=session_id,
            **paging.by_creation,
        )
        return paging.page(artifacts, lambda each: Cursor(date=each.created_at, id=each.id))

    async def delete(self, workspace_id: str, id_: str) -> bool:
        """Delete an artifact permanently; return whether there was one."""
        now = self._clock.now()
        touches(id_)

        async def work(tx: Runner) -> bool:
            if await queries.delete_artifact(tx, workspace_id=workspace_id, id=id_) is None:
                return False
            await note_act(tx, AuditAction.ARTIFACT_REMOVED, workspace_id, subject_id=id_, now=now)
            return True

        return await self._database.transaction(work)


def _checked(draft: ArtifactDraft) -> tuple[str, dict[str, Any]]:
    """Return the key and the given fields."""
    name = short_name("name", draft.name)
    if name is None:
        raise InvalidInput("name", "name is required")
    kind = short_name("kind", draft.kind, limit=_KIND_CHARS)
    uri = short_text("uri", draft.uri, limit=_URI_CHARS)
    fields = {
        "name": name,
        "kind": kind.lower() if kind else None,
        "uri": uri,
        "summary": short_name("summary", draft.summary, limit=_SUMMARY_CHARS),
        "session_id": short_text("sessionId", draft.session_id),
    }
    key = short_name("key", draft.key, limit=_URI_CHARS) or uri or f"{fields['kind'] or _DEFAULT_KIND}/{name}"
    return key, {field: value for field, value in fields.items() if value is not None}


@dataclass(frozen=True)
class _Upsert:
    """One upsert, for a transaction that may be retried."""

    workspace_id: str
    key: str
    fields: Mapping[str, Any]
    metadata: Mapping[str, Any]
    now: datetime

    async def run(self, tx: Runner) -> Artifact:
        """Write the given fields, and enqueue the embedding if the search text changes."""
        locked = await queries.lock_artifact(
            tx, workspace_id=self.workspace_id, key=self.key, id=new_id("art"), now=self.now
        )
        stored = locked.artifact
        held = stored.model_dump(include={"name", "kind", "uri", "summary"}) if stored else {}
        merged = {"kind": _DEFAULT_KIND, **held, **self.fields}
        text = _search_text(merged)
        properties = {
            **merged,
            "metadata": as_json(merged_metadata(stored.metadata if stored else {}, self.metadata)),
            "search_text": text,
            "search_keys": _search_keys(merged),
        }
        if stored is None or text != _search_text(held):
            properties |= {"revision": locked.revision + 1, "state": "STORED"}
            await self._embed(tx, locked.id)
        return await queries.update_artifact(
            tx, workspace_id=self.workspace_id, id=locked.id, properties=properties
        )

    async def _embed(self, tx: Runner, id_: str) -> None:
        await enqueue_jobs(
            tx,
            workspace_id=self.workspace_id,
            kind=JobKind.EMBED,
            subject_ids=[id_],
            now=self.now,
            due_at=self.now,
        )


def _search_text(fields: dict[str, Any]) -> str:
    """Return an artifact's search text, which is also embedded."""
    return "\n".join(filter(None, (fields["name"], fields.get("summary"))))


def _search_keys(fields: dict[str, Any]) -> str:
    """Return the words that weigh more in a search."""
    keys = (fields["name"], fields["kind"], file_name(fields.get("uri")))
    return " ".join(dict.fromkeys(filter(None, (*keys, forms_apart(_search_text(fields))))))
