"""How commands fail: one clear line, whatever came back."""

import pytest
import typer
from pydantic import BaseModel

from app.cli.remote import run


class Answer(BaseModel):
    kind: int


async def unknown_answer(_client) -> Answer:
    return Answer.model_validate({"kind": "of a later version"})


def test_an_answer_of_another_version_ends_a_command_with_one_line(capsys) -> None:
    with pytest.raises(typer.Exit) as exited:
        run(unknown_answer)

    assert exited.value.exit_code == 1
    assert capsys.readouterr().err == (
        "error: the answer is not one that this version knows (Answer); install the service's version\n"
    )
