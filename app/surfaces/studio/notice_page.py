"""The page at the Studio's address while there is no Studio."""

import base64
import hashlib
import re
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from litestar import MediaType, Response
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE

from app.surfaces.studio.built import Notice

RELOAD_SECONDS: Final = 2

_FOLDER = Path(__file__).parent / "static"
_PAGE = Template((_FOLDER / "notice.html").read_text(encoding="utf-8"))
_STYLE = (_FOLDER / "notice.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_RELOAD = f'<meta http-equiv="refresh" content="{RELOAD_SECONDS}">'
_WORKING = '<p class="bar" aria-hidden="true"></p>'
_COMMAND = re.compile(r"`([^`]+)`")


def notice_page(notice: Notice) -> Response[Any]:
    """Return 503 with a notice; the page reloads automatically if the state may change."""
    headers = {"Content-Security-Policy": _POLICY}
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
