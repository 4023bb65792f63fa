"""Target of an import."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """Workspace and owner of imported records.

    Attributes:
        workspace_id: None means the workspace of the client's key.
        user_id: Whose is what does not say whose it is.
        agent_id: Which agent's it is, likewise.
        restores_deleted: Whether what somebody deleted in the workspace is saved again.
    """

    workspace_id: str | None
    user_id: str | None = None
    agent_id: str | None = None
    restores_deleted: bool = False
