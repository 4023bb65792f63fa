"""Browser packages for the pages, from the webjars on Maven Central.

They are pinned and cached like Neo4j's jars.
"""

import asyncio
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import structlog

from app.adapters.maven import Artifact, FetchFailed, OnBytes, fetch, places
from graph.core.errors import Unavailable

_SWAGGER_UI: Final = Artifact(
    "org.webjars:swagger-ui:jar:5.34.1",
    1238195,
    "b57f6379a9498c94160d5fd413984757b04d1683ac757d7ba0b6d9b4ba0daee2",
)
_GRAPHIQL: Final = Artifact(
    "org.webjars.npm:graphiql:jar:2.4.7",  # the latest there is as one file, without modules to be bundled
    2610755,
    "ac67a4428b8d3ac2a8110246387929179c54d7742de3306f9504db34c641c841",
)
_REACT: Final = Artifact(
    "org.webjars.npm:react:jar:18.3.1",
    98876,
    "18590234b5081b389dfceee69ffaa364a796db8e05c371953445171113e1fbc2",
)
_REACT_DOM: Final = Artifact(
    "org.webjars.npm:react-dom:jar:18.3.1",
    1128424,
    "4fb1597d26fe78d91eac19e59b5b57d6b99c4dcd2463db336e0c4e060ec21f69",
)
_FOLDER: Final = "META-INF/resources/webjars"
_FILES: Final[Mapping[str, tuple[Artifact, str]]] = {
    "graphiql.min.css": (_GRAPHIQL, "graphiql/2.4.7/graphiql.min.css"),
    "graphiql.min.js": (_GRAPHIQL, "graphiql/2.4.7/graphiql.min.js"),
    "react.production.min.js": (_REACT, "react/18.3.1/umd/react.production.min.js"),
    "react-dom.production.min.js": (_REACT_DOM, "react-dom/18.3.1/umd/react-dom.production.min.js"),
    "swagger-ui.css": (_SWAGGER_UI, "swagger-ui/5.34.1/swagger-ui.css"),
    "swagger-ui-bundle.js": (_SWAGGER_UI, "swagger-ui/5.34.1/swagger-ui-bundle.js"),
}
WEBJARS: Final = (_SWAGGER_UI, _GRAPHIQL, _REACT, _REACT_DOM)

_log = structlog.get_logger("recollect.pages")


class Webjars:
    """Reads the packages' files; lives as long as the process."""

    def __init__(self) -> None:
        self._read: dict[str, bytes] = {}

    async def read(self, name: str) -> bytes:
        """Return a file, whose jar is fetched where it is not in the cache.

        Raises:
            Unavailable: It cannot be fetched.
            KeyError: There is no such file.
        """
        if name not in self._read:
            artifact, path = _FILES[name]
            await fetch_webjars([artifact])
            (jar,) = places([artifact])
            self._read[name] = await asyncio.to_thread(_file_of, jar, path)
        return self._read[name]

    async def fetch_ahead(self) -> None:
        """Fetch all of them, so that pages can be opened offline later; where that fails, a page tries again."""
        try:
            await fetch_webjars(WEBJARS)
        except Unavailable as error:
            _log.warning("pages.packages_missing", reason=error.message)


async def fetch_webjars(artifacts: Sequence[Artifact], on_bytes: OnBytes | None = None) -> None:
    """Fetch the artifacts that the cache lacks.

    Raises:
        Unavailable: An artifact cannot be fetched.
    """
    try:
        await fetch(artifacts, on_bytes or _unseen)
    except FetchFailed as error:
        raise Unavailable("packages", str(error)) from error


def _unseen(_done: int, _total: int) -> None:
    """Show nobody how far it is."""


def _file_of(jar: Path, path: str) -> bytes:
    with zipfile.ZipFile(jar) as opened:
        return opened.read(f"{_FOLDER}/{path}")
