"""``/docs``: the documentation of the REST routes; ``/pages``: the files of the pages."""

import json
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Final, Protocol

from litestar import MediaType, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from app.surfaces.http.credentials import CREDENTIAL, Credential
from graph.core.errors import Unavailable

PACKAGE_FILES: Final[Mapping[str, str]] = {
    "graphiql.min.css": "text/css",
    "graphiql.min.js": "text/javascript",
    "react.production.min.js": "text/javascript",
    "react-dom.production.min.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
}
"""Media types of the files that pages load from packages, by name."""


class PagePackages(Protocol):
    """Source of the packages' files."""

    async def read(self, name: str) -> bytes:
        """Return one of ``PACKAGE_FILES``; the first request downloads it.

        Raises:
            Unavailable: The file is missing and cannot be downloaded.
        """
        ...


POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""No other origin and no inline script; editors create their own styles."""

_FOLDER = Path(__file__).parent / "static"
_OWN_FILES = {
    name: ((_FOLDER / name).read_bytes(), media_type)
    for name, media_type in {
        "docs.js": "text/javascript",
        "graphiql.js": "text/javascript",
        "graphiql.css": "text/css",
    }.items()
}
_DOCS = (_FOLDER / "docs.html").read_text(encoding="utf-8")
_CACHED = {"Cache-Control": "public, max-age=3600"}


@get("/docs", opt={CREDENTIAL: Credential.NONE}, include_in_schema=False, sync_to_thread=False)
def show_docs() -> Response[str]:
    """Return the viewer of ``/openapi.json``; both contain no stored data and need no key."""
    return Response(_DOCS, media_type=MediaType.HTML, headers={"Content-Security-Policy": POLICY})


@get("/pages/{name:str}", opt={CREDENTIAL: Credential.NONE}, include_in_schema=False)
async def page_file(state: State, name: FromPath[str]) -> Response[bytes]:
    """Return a file of a page.

    Raises:
        NotFoundException: No page has such a file.
        Unavailable: The file's package is missing and cannot be downloaded.
    """
    if name in _OWN_FILES:
        content, media_type = _OWN_FILES[name]
    elif name in PACKAGE_FILES:
        content, media_type = await _of_package(state.page_packages, name), PACKAGE_FILES[name]
    else:
        raise NotFoundException
    return Response(content, media_type=media_type, headers=_CACHED)


async def _of_package(packages: PagePackages | None, name: str) -> bytes:
    if packages is None:
        raise Unavailable("packages", f"this service has no {name}")
    return await packages.read(name)


ROUTES = (show_docs, page_file)


_PAGE = Template((_FOLDER / "graphiql.html").read_text(encoding="utf-8"))
_KEY_FORM = (_FOLDER / "key_form.html").read_text(encoding="utf-8")

EXAMPLES: Final = tuple(
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "examples").glob("*.graphql"))
)
"""Operations in GraphiQL's first tabs; each file has a comment about its purpose."""


def graphiql_page(*, asks_for_key: bool = True) -> Response[str]:
    """Return GraphiQL, which contains no data; its requests use the key typed into it, or else the person's session."""
    content = _PAGE.substitute(
        key_form=_KEY_FORM if asks_for_key else "",
        examples=json.dumps(EXAMPLES).replace("<", "\\u003c"),
    )
    return Response(content, media_type=MediaType.HTML, headers={"Content-Security-Policy": POLICY})
