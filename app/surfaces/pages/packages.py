"""Files of browser packages for the pages, as a port: the pages load nothing from other sites."""

from collections.abc import Mapping
from typing import Final, Protocol

PACKAGE_FILES: Final[Mapping[str, str]] = {
    "graphiql.min.css": "text/css",
    "graphiql.min.js": "text/javascript",
    "react.production.min.js": "text/javascript",
    "react-dom.production.min.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
}
"""Media types by the names under which pages ask for them."""


class PagePackages(Protocol):
    """Source of the files."""

    async def read(self, name: str) -> bytes:
        """Return one of ``PACKAGE_FILES``, which is fetched once where it is not on this machine yet.

        Raises:
            Unavailable: It is not here and cannot be fetched.
        """
        ...
