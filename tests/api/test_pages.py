"""``/docs`` and GraphiQL's page: served from this service alone, and open to everybody."""

import json
import re

import httpx
import pytest
from graphql import parse, validate

from app.main import create_app
from app.surfaces.graphql.schema import schema
from app.surfaces.pages.routes import EXAMPLES, PACKAGE_FILES
from graph.core.errors import Unavailable

HTML = {"Accept": "text/html"}


class Packages:
    """Packages with the content of every file but one."""

    async def read(self, name: str) -> bytes:
        if name == "swagger-ui.css":
            raise Unavailable("packages", "no network here")
        return f"/* {name} */".encode()


@pytest.fixture
async def pages(services):
    transport = httpx.ASGITransport(create_app(services, page_packages=Packages()))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        yield client


def addresses(page: str) -> list[str]:
    return re.findall(r'(?:src|href)="([^"]+)"', page)


@pytest.mark.parametrize(("path", "status"), [("/docs", 200), ("/graphql", 401)])
async def test_a_page_loads_only_files_of_this_service(pages, path, status) -> None:
    """K19: the page has no foreign files and no inline scripts, and its policy forbids both."""
    page = await pages.get(path, headers=HTML)

    assert page.status_code == status
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';" in policy
    assert not re.findall(r"<script(?! src=| type=\"application/json\")", page.text)
    files = [address.removeprefix("/pages/") for address in addresses(page.text) if "/pages/" in address]
    assert len(files) >= 3
    assert all(address.startswith("/") for address in addresses(page.text))
    for name in files:
        answer = await pages.get(f"/pages/{name}")
        if name == "swagger-ui.css":
            continue
        assert answer.status_code == 200, name
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"
        assert answer.headers["cache-control"] == "public, max-age=3600"
        assert name not in PACKAGE_FILES or answer.text == f"/* {name} */"


async def test_the_viewer_shows_the_document(pages) -> None:
    """K19."""
    script = await pages.get("/pages/docs.js")

    assert 'url: "/openapi.json"' in script.text


async def test_a_missing_file_is_reported(pages, http) -> None:
    """A package that cannot be fetched may become available (503); unknown names are 404."""
    missing = await pages.get("/pages/swagger-ui.css")
    none_here = await http.get("/pages/graphiql.min.js")
    unknown = [await pages.get(f"/pages/{name}") for name in ("nothing.js", "docs.html", "..%2Froutes.py")]

    assert (missing.status_code, missing.json()["error"]) == (503, "no network here")
    assert (none_here.status_code, none_here.json()["error"]) == (503, "this service has no graphiql.min.js")
    assert [answer.status_code for answer in unknown] == [404, 404, 404]


async def test_the_example_operations_fit_the_schema(pages) -> None:
    """One operation of each kind, in an order for beginners."""
    page = (await pages.get("/graphql", headers=HTML)).text
    told = re.search(r'<script type="application/json" id="examples">(.*?)</script>', page)

    assert told is not None
    assert tuple(json.loads(told[1])) == EXAMPLES
    documents = [parse(example) for example in EXAMPLES]
    assert [error.message for document in documents for error in validate(schema._schema, document)] == []
    names = [document.definitions[0].name.value for document in documents]
    assert names == ["Recall", "Remember", "Browse", "Ask", "Watch"]
