"""How commands fail: one clear line, whatever came back."""

import httpx
import pytest
import typer
from pydantic import BaseModel

from app.cli.remote import run


class Answer(BaseModel):
    kind: int


async def unknown_answer(_client) -> Answer:
    return Answer.model_validate({"kind": "of a later version"})


@pytest.mark.parametrize("timeout_seconds", [0.1, 90.0])
def test_deletions_have_a_long_timeout(timeout_seconds) -> None:
    """Whatever they give other requests: a deletion has 600 seconds at the service."""

    async def timeout(client) -> httpx.Timeout:
        return client.transport.long_timeout

    assert run(timeout, timeout_seconds=timeout_seconds) == httpx.Timeout(timeout_seconds, read=630.0)


def test_a_response_of_another_version_is_a_one_line_error(capsys) -> None:
    with pytest.raises(typer.Exit) as exited:
        run(unknown_answer)

    assert exited.value.exit_code == 1
    assert capsys.readouterr().err == (
        "error: the answer is not one that this version knows (Answer); install the service's version\n"
    )
