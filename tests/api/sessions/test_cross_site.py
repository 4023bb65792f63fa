"""Cross-site requests of a browser, which are refused without tokens that programs must fetch first."""

import pytest

OWN = "http://recollect.test"
SAVE = "/chat/api/chat_abc123/memory"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin", "Origin": OWN},
        {"Sec-Fetch-Site": "none"},
        {"Origin": OWN},
        {"Origin": "https://recollect.test"},  # the same host behind a proxy with https
    ],
    ids=repr,
)
async def test_programs_and_own_pages_may_write(dashboard, headers) -> None:
    answer = await dashboard.post(SAVE, json={"content": "The gate is green"}, headers=headers)

    assert answer.status_code == 201


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": OWN},
        {"Sec-Fetch-Site": ""},
        {"Origin": "https://elsewhere.test"},
        {"Origin": "http://recollect.test:8080"},
        {"Origin": "http://recollect.test.elsewhere.test"},
        {"Origin": "null"},
        {"Origin": "http://["},
        {"Origin": ""},
    ],
    ids=repr,
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", SAVE),
        ("PATCH", "/chat/api/chat_abc123/memories/mem_x"),
        ("DELETE", "/chat/api/chat_abc123/memories/mem_x"),
        ("POST", "/sign-in"),
        ("POST", "/sign-out"),
    ],
)
async def test_pages_of_other_sites_may_not(dashboard, workspace_id, method, path, headers) -> None:
    is_form = path.startswith("/sign")
    body = {"data": {"key": "x"}} if is_form else {"json": {"content": "x"}}

    answer = await dashboard.request(method, path, headers=headers, **body)

    assert answer.status_code == 403
    assert answer.json()["field"] is None
    assert "another site" in answer.json()["error"]
    listed = await dashboard.get("/chat/api/chat_abc123/memories", headers=headers)
    assert listed.json() == {"memories": []}


async def test_without_a_session_a_cross_site_request_gets_the_page(browser) -> None:
    answer = await browser.post(SAVE, json={"content": "x"}, headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 401
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
