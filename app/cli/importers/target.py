"""Target of an import."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """Workspace and owner of imported records.

    Attributes:
        workspace_id: None means the workspace of the client's key.
        user_id: Owner of records without one.
        agent_id: Agent of records without one.
        restores_deleted: Save records again that somebody deleted in the workspace.
    """

    workspace_id: str | None
    user_id: str | None = None
    agent_id: str | None = None
    restores_deleted: bool = False
