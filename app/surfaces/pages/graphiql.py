"""GraphiQL's page: an editor of queries with the schema's documentation, made of packages that are served here."""

import json
from pathlib import Path
from string import Template
from typing import Final

from litestar import MediaType, Response

from app.surfaces.pages.routes import POLICY

_FOLDER = Path(__file__).parent / "static"
_PAGE = Template((_FOLDER / "graphiql.html").read_text(encoding="utf-8"))
_KEY_FORM = (_FOLDER / "key_form.html").read_text(encoding="utf-8")

EXAMPLES: Final = tuple(
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parent / "examples").glob("*.graphql"))
)
"""Operations in GraphiQL's first tabs; each file has a comment about its purpose."""


def graphiql_page(*, asks_for_key: bool = True) -> Response[str]:
    """Return the page; it holds no data and asks with the key typed into it, or else with the session of its reader."""
    content = _PAGE.substitute(
        key_form=_KEY_FORM if asks_for_key else "",
        examples=json.dumps(EXAMPLES).replace("<", "\\u003c"),
    )
    return Response(content, media_type=MediaType.HTML, headers={"Content-Security-Policy": POLICY})
