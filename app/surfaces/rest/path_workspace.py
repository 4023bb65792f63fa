"""The workspace in the path of ``/v1/workspaces`` routes."""

from typing import Annotated, Final

from litestar.params import Parameter

from app.surfaces.http.refusals import named_as
from graph.operations.services import Services
from graph.tenancy.models import Principal, Scope

WorkspaceId = Annotated[
    str,
    Parameter(
        max_length=128, description="Id of the key's workspace; an administrator's key may name another."
    ),
]
_SPOKEN: Final = {"workspaceId": "workspace_id"}


async def workspace_in_path(services: Services, principal: Principal, scope: Scope, workspace_id: str) -> str:
    """Return the workspace in a path if the principal has the scope there.

    Raises:
        Forbidden: The key lacks the scope.
        InvalidInput: The id is blank.
        NotFound: The workspace does not exist, or the principal may not see it.
    """
    with named_as(_SPOKEN):
        return await services.tenancy.access.authorize(principal, scope, workspace_id)
