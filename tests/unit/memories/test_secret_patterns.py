"""Finding credentials in text, without false alarms on prose or slow searches (A43)."""

import pytest

from app.adapters.secrets import SecretPatterns
from tests.fixtures.cpu import least_seconds

DETECTOR = SecretPatterns()
JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("AKIAIOSFODNN7EXAMPLE", "AWS Access Key"),
        ("use ghp_" + "a1B2" * 9, "GitHub Token"),
        ("the key is sk-proj-abcdefghij0123456789ABCDEFG", "API key"),
        ("sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "Stripe Access Key"),
        ("xoxb-123456789012-123456789012-abcdefghijklmnopqrstuvwx", "Slack Token"),
        (JWT, "JSON Web Token"),
        ("-----BEGIN RSA PRIVATE KEY-----", "Private Key"),
        ("my password is hunter2!x", "Password"),
        ("Password: Sommer2024!", "Password"),
        ("api_key = 9f8a7b6c5d4e3f2a", "Secret"),
        ("connect to postgres://app:s3cret@db:5432/x", "Connection string"),
        ("Authorization: Bearer abcdefghij0123456789", "Bearer token"),
    ],
)
def test_a_credential_is_found(text, kind):
    assert kind in DETECTOR.kinds_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Ada prefers tabs over spaces in Python",
        "The password is reset by mail",
        "The password is case-sensitive",
        "The secret is to use more salt",
        "Bob's bank account password rules are strict",
        "See https://example.org/a-long-path-to-something?with=a-query",
        "Set DATABASE_URL to postgresql://user:password@localhost/db",
        "export API_KEY=<your_api_key_here>",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixed it",
        "id mem_5L19jHEnKeupiKHI3l14rkuS, trace 4bf92f3577b34da6a3ce929d0e0e4736",
        "我的密码每个月更换一次",
    ],
)
def test_prose_and_placeholders_are_left_alone(text):
    assert DETECTOR.kinds_in(text) == ()


@pytest.mark.parametrize(
    "text", ["/" * 32_000, "://a" * 8000, "eyJ" * 10_000, "a.a" * 10_000 + "://", "a1-" * 10_600]
)
@pytest.mark.proof("measures processor time")
def test_detection_takes_linear_time(text):
    assert least_seconds(lambda: DETECTOR.kinds_in(text)) < 0.5
