"""``/studio`` and ``/`` as a browser requests them, with a Studio of three files."""

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from app.main import create_app
from app.surfaces.pages.studio import Notice, Studio

PAGE = '<!doctype html><script nonce="__NONCE__" src="/studio/assets/index-abc.js"></script>'
SCRIPT = b"console.log('studio')"


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text(PAGE)
    (assets / "index-abc.js").write_bytes(SCRIPT)
    (assets / "index-abc.js.gz").write_bytes(gzip.compress(SCRIPT))
    return Studio(tmp_path)


@pytest.fixture
async def anybody(services, studio) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client without a session."""
    transport = httpx.ASGITransport(create_app(services, studio=studio))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        yield client


@pytest.fixture
async def somebody(anybody, dashboard) -> httpx.AsyncClient:
    """Return a client with a session."""
    anybody.cookies.update(dashboard.cookies)
    return anybody


async def test_the_services_address_redirects_to_the_studio(anybody) -> None:
    answer = await anybody.get("/")

    assert (answer.status_code, answer.headers["location"]) == (302, "/studio")


@pytest.mark.parametrize(
    ("address", "page"),
    [("/dashboard/memory", "/studio/memories"), ("/dashboard/settings/", "/studio/settings")],
)
async def test_an_address_of_omniroute_s_dashboard_leads_to_the_studio(anybody, address, page) -> None:
    """Issue 35, point 25."""
    answer = await anybody.get(address)

    assert (answer.status_code, answer.headers["location"]) == (302, page)


@pytest.mark.parametrize("address", ["/studio", "/studio/memories?q=tabs", "/studio/memories/mem_1/versions"])
async def test_every_address_below_the_studio_shows_it(somebody, address) -> None:
    answer = await somebody.get(address)

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"


async def test_the_page_allows_its_own_scripts_and_styles_and_nothing_else(somebody) -> None:
    first, second = [await somebody.get("/studio") for _ in range(2)]
    (nonce,) = re.findall(r'nonce="([^"]+)"', first.text)

    assert first.headers["content-security-policy"] == (
        f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )
    assert nonce not in second.text
    assert "__NONCE__" not in first.text


async def test_sign_in_returns_to_the_requested_address(anybody) -> None:
    """I10, L15: including the filters in the URL."""
    answer = await anybody.get("/studio/memories?q=a%20b&type=style")
    form = await anybody.get(answer.headers["location"])

    assert answer.status_code == 302
    assert answer.headers["location"].startswith("/sign-in?next=")
    assert 'name="next" value="/studio/memories?q=a%20b&amp;type=style"' in form.text


async def test_an_invalid_session_redirects_to_the_sign_in_page(anybody) -> None:
    answer = await anybody.get("/studio", headers={"Cookie": "session=nobody"})

    assert answer.headers["location"] == "/sign-in?next=%2Fstudio"


async def test_assets_are_cached_and_gzipped_if_accepted(anybody) -> None:
    packed = await anybody.get("/studio/assets/index-abc.js")
    plain = await anybody.get("/studio/assets/index-abc.js", headers={"Accept-Encoding": "identity"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content == SCRIPT
    for answer in (packed, plain):
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].partition(";")[0] in (
            "text/javascript",
            "application/javascript",
        )
        assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("name", ["index-old.js", "..", "%2e%2e%2findex.html", "..%2Findex.html"])
async def test_a_file_outside_the_build_is_not_found(anybody, name) -> None:
    answer = await anybody.get(f"/studio/assets/{name}")

    assert answer.status_code in (302, 404)  # a client resolves `..` itself and then requests a page
    assert PAGE not in answer.text


async def test_an_unbuilt_studio_shows_how_to_build_it(anybody, studio) -> None:
    (studio.folder / "index.html").unlink()

    answer = await anybody.get("/studio/memories")

    assert answer.status_code == 503
    assert "<code>make studio</code>" in answer.text
    assert "retry-after" not in answer.headers
    assert "http-equiv" not in answer.text


async def test_a_studio_under_construction_reloads_automatically(anybody, studio) -> None:
    studio.notice = Notice("It is being built <now>.", is_over=False)

    answer = await anybody.get("/studio")

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert '<meta http-equiv="refresh" content="2">' in answer.text
    assert "It is being built &lt;now&gt;." in answer.text
    assert "<script" not in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]

    studio.notice = None
    assert (await anybody.get("/studio/assets/index-abc.js")).status_code == 200
