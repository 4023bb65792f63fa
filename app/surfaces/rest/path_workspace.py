"""The workspace that a path names, for the routes of ``/v1/workspaces``."""

from typing import Annotated, Final

from litestar.params import Parameter

from app.surfaces.http.refusals import named_as
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope

WorkspaceId = Annotated[
    str, Parameter(max_length=128, description="The key's own; an administrator's key may name another.")
]
_SPOKEN: Final = {"workspaceId": "workspace_id"}


async def workspace_in_path(services: Services, principal: Principal, scope: Scope, workspace_id: str) -> str:
    """Return the workspace in a path, if the principal has the scope there.

    Raises:
        Forbidden: The key lacks the scope.
        InvalidInput: The id is blank.
        NotFound: The workspace is not the principal's and it is no administrator, or it does not exist.
    """
    with named_as(_SPOKEN):
        return await services.tenancy.access.authorize(principal, scope, workspace_id)
