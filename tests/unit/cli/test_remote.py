"""Failures of commands: one clear line for any response."""

import httpx
import pytest
import typer
from pydantic import BaseModel

from app.cli.remote import run, run_at
from app.client.transport import ApiError


class Answer(BaseModel):
    kind: int


async def unknown_answer(_client) -> Answer:
    return Answer.model_validate({"kind": "of a later version"})


@pytest.mark.parametrize("timeout_seconds", [0.1, 90.0])
def test_deletions_have_a_long_timeout(timeout_seconds) -> None:
    """Also if the caller sets another timeout: the service allows a deletion 600 seconds."""

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


@pytest.mark.parametrize(
    ("error", "key", "in_environment", "message"),
    [
        (
            ApiError("UNAUTHENTICATED", "an API key is needed"),
            None,
            None,
            "set RECOLLECT_API_KEY or run `recollect login`",
        ),
        (
            ApiError("UNAUTHENTICATED", "this API key is unknown"),
            "rk_stored",
            None,
            "this API key is unknown; `recollect login` stores another key",
        ),
        (
            ApiError("UNAUTHENTICATED", "this API key is unknown"),
            "rk_other",
            "rk_other",
            "correct RECOLLECT_API_KEY, or unset it and run `recollect login`",
        ),
        (
            ApiError("NOT_FOUND", "there is no memory 'mem_1' in this workspace", field="id"),
            "rk_any",
            None,
            "error: there is no memory 'mem_1' in this workspace; see `recollect memories list`",
        ),
        (
            ApiError("NOT_FOUND", "there is no automatic change 'chg_1' in this workspace", field="id"),
            "rk_any",
            None,
            "see `recollect changes`",
        ),
    ],
)
def test_a_refusal_names_what_to_do(monkeypatch, capsys, error, key, in_environment, message) -> None:
    """Issue 35 point C: a key in the environment overrides the one that login stored."""
    monkeypatch.delenv("RECOLLECT_API_KEY", raising=False)
    if in_environment:
        monkeypatch.setenv("RECOLLECT_API_KEY", in_environment)

    async def refused(_client) -> None:
        raise error

    with pytest.raises(typer.Exit):
        run_at("http://127.0.0.1:8000", key, refused)

    assert message in capsys.readouterr().err
