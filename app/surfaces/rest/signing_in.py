"""``/sign-in`` and ``/sign-out``: the session of a person, opened with a key."""

from typing import Annotated, Any, Final

from litestar import Request, Response, get, post
from litestar.datastructures import State
from litestar.params import QueryParameter
from litestar.response import Redirect

from app.surfaces.http.body_limits import FORM_BODY_BYTES
from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.cross_site import refuse_cross_site
from app.surfaces.http.session_cookie import session_cookie, session_id_of
from app.surfaces.rest.sign_in_page import PATH, local_path, sign_in_page, signed_in_page
from graph.core.errors import LimitExceeded, Unauthenticated, Unavailable
from graph.tenancy.sessions.service import Sessions

_OPEN = {CREDENTIAL: Credential.NONE}
_SEE_OTHER: Final = 303


@get(PATH, opt=_OPEN, include_in_schema=False)
async def show_sign_in(
    request: Request[Any, Any, State],
    state: State,
    next_path: Annotated[str, QueryParameter(name="next")] = "",
) -> Response[str]:
    """Show the form, or to whom this browser is signed in."""
    sessions: Sessions = state.services.tenancy.sessions
    id_ = session_id_of(request)
    if id_ is not None:
        try:
            return signed_in_page(await sessions.resume(id_))
        except Unauthenticated:
            pass
        except Unavailable as error:
            return _unavailable(error, next_path)
    return sign_in_page(next_path=local_path(next_path))


@post(PATH, opt=_OPEN, include_in_schema=False, request_max_body_size=FORM_BODY_BYTES)
async def sign_in(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Open a session and set its cookie; ends this browser's previous session."""
    refuse_cross_site(request)
    sessions: Sessions = state.services.tenancy.sessions
    client = request.client.host if request.client else "unknown"
    key, next_path = (await _sent(request, "key")).strip(), local_path(await _sent(request, "next"))
    try:
        signed_in = await sessions.sign_in(key or None, client=client, replaces=session_id_of(request))
    except Unauthenticated:
        complaint = "This key is unknown, revoked or expired." if key else "Enter your API key."
        return sign_in_page(status_code=401, complaint=complaint, next_path=next_path)
    except LimitExceeded as error:
        return sign_in_page(
            status_code=429,
            complaint="Too many attempts failed. Wait a minute and try again.",
            next_path=next_path,
            headers={"Retry-After": str(error.retry_after_seconds)},
        )
    except Unavailable as error:
        return _unavailable(error, next_path)
    age = int(sessions.rules.longest.total_seconds())
    cookie = session_cookie(request, signed_in.id, max_age_seconds=age)
    return Redirect(next_path or PATH, status_code=_SEE_OTHER, cookies=[cookie])


@post("/sign-out", opt=_OPEN, include_in_schema=False)
async def sign_out(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """End the session, here and in the store, and show the form."""
    refuse_cross_site(request)
    sessions: Sessions = state.services.tenancy.sessions
    await sessions.sign_out(session_id_of(request))
    return Redirect(PATH, status_code=_SEE_OTHER, cookies=[session_cookie(request, "", max_age_seconds=0)])


async def _sent(request: Request[Any, Any, State], name: str) -> str:
    """Return a field of the form; nothing where it was not sent, or a file was."""
    value = (await request.form()).get(name)
    return value if isinstance(value, str) else ""


def _unavailable(error: Unavailable, next_path: str) -> Response[str]:
    return sign_in_page(
        status_code=503,
        complaint="Signing in is not possible right now. Try again shortly.",
        next_path=local_path(next_path),
        headers={"Retry-After": str(error.retry_after_seconds)},
    )
