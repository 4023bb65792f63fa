"""The packages of pages, in the same cache as Neo4j's jars."""

import pytest

from app.adapters import pinned_packages
from app.adapters.pinned_packages import Artifact, Webjars
from app.surfaces.pages.routes import PACKAGE_FILES
from graph.core.errors import Unavailable

BEGINNINGS = {
    "graphiql.min.js": b"graphiql",
    "react.production.min.js": b"@license React",
    "react-dom.production.min.js": b"@license React",
    "swagger-ui-bundle.js": b"swagger-ui-bundle.js",
}


@pytest.mark.parametrize("name", PACKAGE_FILES)
async def test_every_file_of_a_page_is_in_its_package(name) -> None:
    content = await Webjars().read(name)

    assert len(content) > 10_000
    assert BEGINNINGS.get(name, b"{") in content


async def test_a_package_that_cannot_be_fetched_is_reported_and_does_not_stop_a_start(monkeypatch) -> None:
    gone = Artifact("org.webjars:swagger-ui:jar:0.0.0-nowhere", 1, "0" * 64)
    monkeypatch.setitem(pinned_packages._FILES, "swagger-ui.css", (gone, "nothing.css"))
    monkeypatch.setattr(pinned_packages, "WEBJARS", (gone,))

    await Webjars().fetch_ahead()
    with pytest.raises(Unavailable, match=r"could not fetch org\.webjars:swagger-ui"):
        await Webjars().read("swagger-ui.css")
