"""``/studio``: the Studio at every address below, and its assets; ``/`` redirects to it."""

import asyncio
import base64
import hashlib
import re
import secrets
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final
from urllib.parse import urlencode

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import File, Redirect
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE

from app.surfaces.http.credentials import CREDENTIAL, Credential, session_id_of
from app.surfaces.pages.signing_in import PATH as SIGN_IN
from graph.core.errors import Unauthenticated, Unavailable
from graph.tenancy.sessions import Sessions

SOURCES: Final = Path(__file__).parents[2] / "studio"
"""Sources of the Studio; an installed package only has the build."""
BUILT: Final = SOURCES / "dist"
"""Vite's output: ``index.html``, and ``assets`` with a content hash in their names."""

_NOT_BUILT: Final = "The Studio is not built. `make studio` builds it; `recollect up` does so by itself."


@dataclass(frozen=True)
class Notice:
    """Notice shown at the address instead of the Studio.

    Attributes:
        text: A sentence or two, with names of commands between backticks.
        is_over: True if nothing changes without help; otherwise the page reloads automatically.
    """

    text: str
    is_over: bool = True


@dataclass
class Studio:
    """The built Studio of this process.

    Attributes:
        folder: Build of the Studio.
        notice: Page instead of the Studio, during a build or after its failure; None: the Studio.
    """

    folder: Path = BUILT
    notice: Notice | None = None

    def page(self) -> str | Notice:
        """Return ``index.html``, or the notice to show instead."""
        if self.notice is not None:
            return self.notice
        try:
            return (self.folder / "index.html").read_text(encoding="utf-8")
        except FileNotFoundError:
            return Notice(_NOT_BUILT)

    def asset(self, name: str, *, is_gzip_taken: bool) -> tuple[Path, bool] | None:
        """Return the path of an asset and whether it is gzipped; None if it does not exist.

        Args:
            name: File name without folders.
            is_gzip_taken: Whether the caller accepts gzip.
        """
        plain, packed = self.folder / "assets" / name, self.folder / "assets" / f"{name}.gz"
        if not plain.is_file():
            return None
        return (packed, True) if is_gzip_taken and packed.is_file() else (plain, False)


RELOAD_SECONDS: Final = 2

_FOLDER = Path(__file__).parent / "static"
_PAGE = Template((_FOLDER / "notice.html").read_text(encoding="utf-8"))
_STYLE = (_FOLDER / "notice.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_NOTICE_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_RELOAD = f'<meta http-equiv="refresh" content="{RELOAD_SECONDS}">'
_WORKING = '<p class="bar" aria-hidden="true"></p>'
_COMMAND = re.compile(r"`([^`]+)`")


def notice_page(notice: Notice) -> Response[Any]:
    """Return 503 with a notice; the page reloads automatically if the state may change."""
    headers = {"Content-Security-Policy": _NOTICE_POLICY}
    if not notice.is_over:
        headers["Retry-After"] = str(RELOAD_SECONDS)
    return Response(
        _PAGE.substitute(
            style=_STYLE,
            refresh="" if notice.is_over else _RELOAD,
            bar="" if notice.is_over else _WORKING,
            text=_COMMAND.sub(r"<code>\1</code>", escape(notice.text)),
        ),
        status_code=HTTP_503_SERVICE_UNAVAILABLE,
        media_type=MediaType.HTML,
        headers=headers,
    )


PATH: Final = "/studio"

# No file of it holds data; what the pages ask for takes the session's cookie.
_OPEN = {CREDENTIAL: Credential.NONE}
_PERMANENTLY: Final = "public, max-age=31536000, immutable"  # a name stands for its content
_NONCE: Final = "__NONCE__"
"""Placeholder of ``app/studio/vite.config.ts`` for the number of this response."""
_DASHBOARD: Final = {"/dashboard/memory": "/memories", "/dashboard/settings": "/settings"}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


@get("/", opt=_OPEN, include_in_schema=False)
async def lead_to_studio() -> Redirect:
    """Redirect a browser from the service's address to the Studio."""
    return Redirect(PATH)


@get(list(_DASHBOARD), opt=_OPEN, include_in_schema=False)
async def lead_from_dashboard(request: Request[Any, Any, State]) -> Redirect:
    """Redirect an address of OmniRoute's dashboard to the corresponding page of the Studio."""
    return Redirect(PATH + _DASHBOARD[request.url.path.rstrip("/")])


@get([PATH, f"{PATH}/{{page:path}}"], opt=_OPEN, include_in_schema=False)
async def show_studio(request: Request[Any, Any, State], state: State) -> Response[Any]:
    """Show the Studio at every address of its pages, or the reason why there is none.

    A person without a session is redirected to the sign-in page, and from there back to the same address.
    """
    studio: Studio = state.studio
    page = await asyncio.to_thread(studio.page)
    if isinstance(page, Notice):
        return notice_page(page)
    if not await _is_signed_in(request):
        address = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
        return Redirect(f"{SIGN_IN}?{urlencode({'next': address})}")
    nonce = secrets.token_urlsafe(16)
    return Response(
        page.replace(_NONCE, nonce),
        media_type=MediaType.HTML,
        headers={"Content-Security-Policy": _POLICY.format(nonce=nonce)},
    )


@get(f"{PATH}/assets/{{name:str}}", opt=_OPEN, include_in_schema=False)
async def show_asset(request: Request[Any, Any, State], state: State, name: FromPath[str]) -> File:
    """Return an asset of the Studio.

    Raises:
        NotFoundException: This build has no such file.
    """
    studio: Studio = state.studio
    takes_gzip = "gzip" in request.headers.get("accept-encoding", "")
    found = await asyncio.to_thread(studio.asset, name, is_gzip_taken=takes_gzip)
    if found is None:
        raise NotFoundException(detail=f"the Studio has no asset {name!r}")
    file, is_packed = found
    headers = {"Cache-Control": _PERMANENTLY, "Vary": "Accept-Encoding"}
    if is_packed:
        headers["Content-Encoding"] = "gzip"
    return File(file, filename=name, content_disposition_type="inline", headers=headers)


async def _is_signed_in(request: Request[Any, Any, State]) -> bool:
    """Tell whether there is a session; true while Redis is unavailable, which the page reports."""
    sessions: Sessions = request.app.state.services.tenancy.sessions
    try:
        await sessions.resume(session_id_of(request))
    except Unauthenticated:
        return False
    except Unavailable:
        return True
    return True


ROUTES: Final = (lead_to_studio, lead_from_dashboard, show_studio, show_asset)
