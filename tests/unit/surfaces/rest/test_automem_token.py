"""The token of AutoMem's clients, which AutoMem's own variable may also set."""

import pytest

from app.settings import Settings

OTHER_NAME, NAME = "AUTOMEM_API_TOKEN", "RECOLLECT_AUTOMEM_API_TOKEN"


@pytest.mark.parametrize(
    ("environment", "token"),
    [
        ({}, None),
        ({OTHER_NAME: "a-token-of-automem"}, "a-token-of-automem"),
        ({NAME: "a-token-of-recollect"}, "a-token-of-recollect"),
        ({OTHER_NAME: "a-token-of-automem", NAME: "a-token-of-recollect"}, "a-token-of-recollect"),
    ],
    ids=["none", "theirs", "ours", "both"],
)
def test_the_token_is_read_under_either_name(monkeypatch, environment, token) -> None:
    """I9, M6: this project's name overrides AutoMem's."""
    for name in (OTHER_NAME, NAME):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    found = Settings(_env_file=None).automem_api_token

    assert (found and found.get_secret_value()) == token
    assert token is None or token not in repr(Settings(_env_file=None))
