"""``/sign-in`` and ``/sign-out``: the session of a person, opened with an API key."""

import base64
import hashlib
from html import escape
from pathlib import Path
from string import Template
from typing import Annotated, Any, Final

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import QueryParameter
from litestar.response import Redirect

from app.surfaces.http.credentials import (
    COOKIE,
    CREDENTIAL,
    GRAPHQL_PATH,
    Credential,
    refuse_cross_site,
    secret_in,
    session_cookie,
    session_id_of,
)
from app.surfaces.http.errors import answer_domain_error
from app.surfaces.http.limits import FORM_BODY_BYTES
from app.surfaces.pages.routes import graphiql_page
from graph.core.errors import LimitExceeded, Unauthenticated, Unavailable
from graph.tenancy.models import Principal
from graph.tenancy.sessions import Sessions

PATH = "/sign-in"

_FOLDER = Path(__file__).parent / "static"
_PAGE = Template((_FOLDER / "sign_in.html").read_text(encoding="utf-8"))
_STYLE = (_FOLDER / "sign_in.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_FORM = Template("""$complaint<form method="post"$action>
<input type="hidden" name="next" value="$next">
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required autofocus
  spellcheck="false" aria-describedby="hint$describedby"$invalid>
<p class="hint" id="hint">The first start of the service (<code>make up</code>) prints the first key.
<code>recollect keys create</code> makes others. If none is left, start once with a new key in
<code>RECOLLECT_ADMIN_KEY</code>.</p>
<button type="submit">Sign in</button>
</form>""")
_COMPLAINT = Template("""<p class="wrong" id="wrong" role="alert">$message</p>
""")
_SIGNED_IN = Template("""<dl>
<dt>Key</dt><dd>$name</dd>
<dt>Workspace</dt><dd>$workspace</dd>
</dl>
<form method="post" action="/sign-out">
<button type="submit">Sign out</button>
</form>""")


def sign_in_page(
    *,
    status_code: int = 200,
    complaint: str | None = None,
    next_path: str = "",
    headers: Any = None,
    is_elsewhere: bool = False,
) -> Response[str]:
    """Return the sign-in form.

    Args:
        status_code: Status of the response.
        complaint: Error message, also for screen readers.
        next_path: Path of this service to open after signing in.
        headers: Further headers of the response.
        is_elsewhere: Whether the form is returned at another URL than its own. At its own URL, it posts to that URL
            unchanged, so that the browser keeps the fragment after ``#``.
    """
    content = _FORM.substitute(
        complaint=_COMPLAINT.substitute(message=escape(complaint)) if complaint else "",
        action=f' action="{PATH}"' if is_elsewhere else "",
        next=escape(next_path),
        describedby=" wrong" if complaint else "",
        invalid=' aria-invalid="true"' if complaint else "",
    )
    return _page("Sign in", content, status_code, headers or {})


def signed_in_page(principal: Principal) -> Response[str]:
    """Return the page of a signed-in person, with a button to sign out."""
    content = _SIGNED_IN.substitute(name=escape(principal.name), workspace=escape(principal.workspace_id))
    return _page("You are signed in", content, 200, {})


def local_path(path: str) -> str:
    """Return ``path`` if it is a path of this service, else an empty text, which prevents open redirects."""
    is_local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if is_local and path.isascii() else ""


def _page(title: str, content: str, status_code: int, headers: dict[str, str]) -> Response[str]:
    return Response(
        _PAGE.substitute(title=title, style=_STYLE, content=content),
        status_code=status_code,
        media_type=MediaType.HTML,
        headers={"Content-Security-Policy": _POLICY, "Cache-Control": "no-store", **headers},
    )


_OPEN = {CREDENTIAL: Credential.NONE}
_SEE_OTHER: Final = 303


@get(PATH, opt=_OPEN, include_in_schema=False)
async def show_sign_in(
    request: Request[Any, Any, State],
    state: State,
    next_path: Annotated[str, QueryParameter(name="next")] = "",
) -> Response[str]:
    """Return the sign-in form, or the signed-in person's page."""
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
    """Open a session and set its cookie; end this browser's previous session."""
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
    """End the session in the browser and in the store, and redirect to the sign-in form."""
    refuse_cross_site(request)
    sessions: Sessions = state.services.tenancy.sessions
    await sessions.sign_out(session_id_of(request))
    return Redirect(PATH, status_code=_SEE_OTHER, cookies=[session_cookie(request, "", max_age_seconds=0)])


async def _sent(request: Request[Any, Any, State], name: str) -> str:
    """Return a text field of the form; empty if it is missing or a file."""
    value = (await request.form()).get(name)
    return value if isinstance(value, str) else ""


def _unavailable(error: Unavailable, next_path: str) -> Response[str]:
    return sign_in_page(
        status_code=503,
        complaint="Signing in is not possible right now. Try again shortly.",
        next_path=local_path(next_path),
        headers={"Retry-After": str(error.retry_after_seconds)},
    )


def answer_unauthenticated(request: Request[Any, Any, Any], error: Unauthenticated) -> Response[Any]:
    """Return 401, with the sign-in page if the route requires a session.

    A browser that opens ``/graphql`` gets GraphiQL, in which people enter the key, because a browser cannot send a key
    when it opens an address. The page contains no data, and each of its queries needs the key.
    """
    if request.route_handler.opt.get(CREDENTIAL) is Credential.SESSION:
        return _page_to_sign_in_on(request)
    refusal = answer_domain_error(request, error)
    if not _opens_graphiql(request):
        return refusal
    page = graphiql_page()
    page.status_code = refusal.status_code
    page.headers |= refusal.headers
    return page


def _page_to_sign_in_on(request: Request[Any, Any, Any]) -> Response[Any]:
    address = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    return sign_in_page(
        status_code=401,
        complaint="This session is over. Sign in again." if session_id_of(request) else None,
        next_path=local_path(address) if request.method == "GET" else "",
        is_elsewhere=True,
        headers={
            "WWW-Authenticate": f'Cookie realm="recollect", form-action="{PATH}", cookie-name="{COOKIE}"'
        },
    )


def _opens_graphiql(request: Request[Any, Any, Any]) -> bool:
    """Tell whether a person opens the page, without a query and without a key."""
    return (
        request.method == "GET"
        and request.url.path == GRAPHQL_PATH
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
        and secret_in(request.headers) is None
    )
