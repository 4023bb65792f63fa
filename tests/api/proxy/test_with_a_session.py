"""Chats with a session and without a key, as from the Studio."""

import httpx
import pytest

from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Says

PATH = "/v1/chat/completions"
QUESTION = {"model": "gpt-test", "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
async def signed_in(chat_proxy):
    """Yield a signed-in browser's client."""
    async with httpx.AsyncClient(base_url=chat_proxy.url, timeout=scaled_timeout(60)) as client:
        await client.post("/sign-in", data={"key": chat_proxy.key})
        yield client


async def test_a_session_can_chat_and_its_cookie_is_not_forwarded(signed_in, upstream) -> None:
    """Issue 17: the session's cookie is enough."""
    upstream.answers = [Says("Good day.")]

    answer = await signed_in.post(PATH, json=QUESTION)

    assert answer.json()["choices"][0]["message"]["content"] == "Good day."
    (request,) = upstream.requests
    assert "cookie" not in request.headers


async def test_a_page_of_another_site_cannot_chat(signed_in, upstream) -> None:
    """I10: the browser would send the cookie."""
    answer = await signed_in.post(PATH, json=QUESTION, headers={"Sec-Fetch-Site": "cross-site"})

    assert answer.status_code == 403
    assert "another site" in answer.json()["error"]["message"]
    assert upstream.requests == []


async def test_a_session_is_accepted_for_chats_only(signed_in, upstream) -> None:
    answer = await signed_in.post("/v1/responses", json={"model": "gpt-test", "input": "Hello"})

    assert answer.status_code == 401
    assert upstream.requests == []
