"""The sign-in page, also the response to people without a session on routes that need one."""

import base64
import hashlib
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from litestar import MediaType, Response

from graph.tenancy.access.models import Principal

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
<p class="hint" id="hint">An administrator makes one with <code>recollect keys create</code>.</p>
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
    """Return the form.

    Args:
        status_code: Of the answer.
        complaint: Error message, also for screen readers.
        next_path: Target after signing in; a path of this service.
        headers: Further headers of the answer.
        is_elsewhere: Whether it answers another address than its own. At its own the form posts to the unchanged
            address, so that a part after ``#``, which no server sees, is still there after signing in.
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
    """Return the page of somebody who is signed in, to sign out."""
    content = _SIGNED_IN.substitute(name=escape(principal.name), workspace=escape(principal.workspace_id))
    return _page("You are signed in", content, 200, {})


def local_path(path: str) -> str:
    """Return ``path`` if it is one of this service, else nothing: nobody is sent elsewhere after signing in."""
    is_local = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if is_local and path.isascii() else ""


def _page(title: str, content: str, status_code: int, headers: dict[str, str]) -> Response[str]:
    return Response(
        _PAGE.substitute(title=title, style=_STYLE, content=content),
        status_code=status_code,
        media_type=MediaType.HTML,
        headers={"Content-Security-Policy": _POLICY, "Cache-Control": "no-store", **headers},
    )
