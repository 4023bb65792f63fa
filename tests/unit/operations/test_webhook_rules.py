"""Addresses that may be webhooks, and the signatures of deliveries (15.10)."""

from datetime import UTC, datetime

import pytest

from graph.core.errors import InvalidInput
from graph.operations.webhooks import is_public, new_secret, signed_headers, validated_url


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_an_address_of_the_internet_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_an_address_that_embeds_a_private_one_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com", "ftp://example.com", "example.com", "https://", "https://example.com/#x",
        "https://127.0.0.1/x", "https://[::1]/", "https://localhost", "https://a.localhost.",
        "https://example.com:99999", "https://example.com/a b", "https://exämple.com", "https://[x", "",
        "https://example.com/" + "x" * 2048,
    ],
)  # fmt: skip
def test_a_url_that_may_not_be_a_webhook_is_refused_by_name(url: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        validated_url(url, allow_private=False)

    assert raised.value.field == "url"


@pytest.mark.parametrize(
    "url",
    [
        "https://user:secret@example.com", "http://user:secret@example.com", "user:secret@example.com",
        "https://user:secret@example.com:99999", "https://user:se/secret@exämple.com",
    ],
)  # fmt: skip
def test_a_password_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        validated_url(url, allow_private=False)

    assert raised.value.field == "url"
    assert "secret" not in raised.value.message


def test_private_addresses_and_http_may_be_allowed() -> None:
    url = "http://127.0.0.1:9000/hook?x=1"

    assert validated_url(url, allow_private=True) == url
    assert validated_url("https://example.com/hook", allow_private=False) == "https://example.com/hook"


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The example of the specification's own libraries."""
    headers = signed_headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        b'{"test": 2432232314}',
        datetime.fromtimestamp(1614265330, UTC),
    )

    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_secrets_differ() -> None:
    assert len({new_secret() for _ in range(100)}) == 100
