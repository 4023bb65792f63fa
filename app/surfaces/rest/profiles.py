"""``GET /v1/profile``: who a user is, for programs that keep it until it changes."""

from typing import Annotated, Any, Final

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, Parameter
from pydantic import ConfigDict

from app.surfaces.http.shapes import ResponseModel, shown_by
from app.surfaces.profiles import ProfileFields
from graph.operations.services import Services
from graph.retrieval.profile.models import DEFAULT_TOKENS
from graph.tenancy.models import Scope

_VARY: Final = "Authorization, X-API-Key, X-Recollect-User-Id, X-Recollect-Agent-Id"


class ProfileObject(ProfileFields, ResponseModel):
    """Who a user is, from current facts and without a language model.

    Attributes:
        user_id: User; null: what belongs to no user.
        text: Facts as lines for a model to read.
        entries: Slots, preferences, projects and people, in that order.
        tokens: Tokens of the text.
        left_out: Number of facts that exceed `max_tokens`.
    """

    model_config = ConfigDict(json_schema_extra=shown_by("ProfileObject"))


@get(
    "/v1/profile",
    tags=["memories"],
    summary="Who a user is",
    responses={304: ResponseSpec(None, description="The profile has not changed.", generate_examples=False)},
)
async def read_profile(
    request: Request[Any, Any, State],
    state: State,
    max_tokens: Annotated[
        int,
        Parameter(ge=0, description="Token budget of the text, 8000 at most."),
    ] = DEFAULT_TOKENS,
    if_none_match: Annotated[
        str | None, HeaderParameter(name="If-None-Match", description="`ETag` of an earlier answer.")
    ] = None,
) -> Response[ProfileObject | None]:
    """Return the profile of the user, which changes only when its facts do; so does its `ETag`.

    Without a user it tells what belongs to no user.
    """
    services: Services = state.services
    workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
    found = await services.retrieval.profiles.get(workspace_id, max_tokens=max_tokens)
    headers = {"ETag": f'"{found.etag}"', "Cache-Control": "private, no-cache", "Vary": _VARY}
    if _is_known(found.etag, if_none_match):
        return Response(None, status_code=304, headers=headers)
    return Response(ProfileObject.model_validate(found, from_attributes=True), headers=headers)


def _is_known(etag: str, if_none_match: str | None) -> bool:
    """Tell whether a caller has this version of a profile; ``*`` stands for any."""
    known = [each.strip().removeprefix("W/") for each in (if_none_match or "").split(",")]
    return "*" in known or f'"{etag}"' in known
