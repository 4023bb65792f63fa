"""Shapes of the audit."""

from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen


class AuditAction(StrEnum):
    """Audited action."""

    KEY_CREATED = "KEY_CREATED"
    KEY_ROTATED = "KEY_ROTATED"
    KEY_LIMITED = "KEY_LIMITED"
    KEY_REVOKED = "KEY_REVOKED"
    SIGNED_IN = "SIGNED_IN"
    WORKSPACE_CREATED = "WORKSPACE_CREATED"
    WORKSPACE_UPDATED = "WORKSPACE_UPDATED"
    WORKSPACE_DELETED = "WORKSPACE_DELETED"
    WORKSPACE_REMOVED = "WORKSPACE_REMOVED"
    WORKSPACE_EXPORTED = "WORKSPACE_EXPORTED"
    WORKSPACE_RESTORED = "WORKSPACE_RESTORED"
    MEMORIES_REMOVED = "MEMORIES_REMOVED"
    CONVERSATION_REMOVED = "CONVERSATION_REMOVED"
    CONVERSATION_MOVED = "CONVERSATION_MOVED"
    DOCUMENT_REMOVED = "DOCUMENT_REMOVED"
    ARTIFACT_REMOVED = "ARTIFACT_REMOVED"
    ENTITY_DELETED = "ENTITY_DELETED"
    CONNECTION_REMOVED = "CONNECTION_REMOVED"
    USER_ERASED = "USER_ERASED"
    SETTINGS_CHANGED = "SETTINGS_CHANGED"
    LANGUAGE_MODEL_CHANGED = "LANGUAGE_MODEL_CHANGED"
    VECTOR_TIER_CHANGED = "VECTOR_TIER_CHANGED"
    SIGN_IN_FAILED = "SIGN_IN_FAILED"


class AuditEntry(Frozen):
    """One act.

    Attributes:
        actor_key_id: The key that acted; None where the service itself did, as with the first key or by a worker, and
            where somebody without a valid key tried to sign in.
        workspace_id: Workspace of the action, which may be deleted by now; ``deployment`` for others.
        subject_id: Target, if there is exactly one beside the workspace: an id, the name of a setting, or the address
            of a failed sign-in.
        count: To how many things it was done.
    """

    id: str
    action: AuditAction
    actor_key_id: str | None = None
    workspace_id: str
    subject_id: str | None = None
    count: int
    at: datetime
