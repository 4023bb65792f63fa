"""Responses of the upstream that the proxy forwards unchanged."""

import httpx
import pytest

from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Sends

EVENTS = (("content-type", "text/event-stream"),)
HELLO = [{"role": "user", "content": "Hello"}]


async def test_a_response_that_is_not_a_chat_passes_unchanged(chat_proxy, upstream) -> None:
    """K12: such as an HTML page."""
    upstream.answers = [
        Sends((b"<html>", b"</html>"), headers=(("content-type", "text/html"), ("x-odd", "1")))
    ]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{chat_proxy.url}/v1/chat/completions",
            json={"model": "m", "messages": HELLO},
            headers={"Authorization": f"Bearer {chat_proxy.key}"},
        )

    assert (response.content, response.headers["x-odd"]) == (b"<html></html>", "1")
    assert response.headers["content-type"] == "text/html"


@pytest.mark.parametrize(
    "headers", [(("content-type", "application/json"),), EVENTS], ids=["whole", "streamed"]
)
@pytest.mark.parametrize("opts_out", ["0", "1"])
async def test_headers_that_are_not_ascii_come_back_as_the_same_bytes(
    chat_proxy, upstream, headers, opts_out
) -> None:
    """N1: header values are bytes in HTTP; formerly the proxy failed on them."""
    upstream.answers = [Sends((b"{}",), headers=(*headers, ("x-model", "模型")))]

    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        response = await http.post(
            f"{chat_proxy.url}/v1/chat/completions",
            json={"model": "m", "messages": HELLO, "metadata": {"conversation_id": "chat-1"}},
            headers={"Authorization": f"Bearer {chat_proxy.key}", "x-omniroute-no-memory": opts_out},
        )

    assert (response.status_code, response.content) == (200, b"{}")
    assert dict(response.headers.raw)[b"x-model"] == "模型".encode()
