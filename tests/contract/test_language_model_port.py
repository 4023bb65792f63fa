"""The promises of every language model (``LanguageModel``), tested on the adapter and the tests' fake."""

import pytest
from pydantic import BaseModel

from app.adapters.language_model import ChatEndpoint, ChatLanguageModel
from graph.core.ports import LanguageModelFailed
from tests.fixtures.memories import ScriptedModel


class Place(BaseModel):
    """A person's place of residence."""

    city: str


@pytest.fixture(params=["adapter", "fake"])
async def answering(request, chat_server):
    """Return a function that makes a model with one answer to everything."""
    opened = []

    def model(answer: str):
        if request.param == "fake":
            return ScriptedModel(answer)
        chat_server.replies = [answer]
        opened.append(ChatLanguageModel(ChatEndpoint(url=chat_server.url, model="m")))
        return opened[-1]

    yield model
    for each in opened:
        await each.close()


async def test_a_text_is_returned_unchanged(answering) -> None:
    assert await answering("Ada lives in Oslo.").complete("s", "p") == "Ada lives in Oslo."


async def test_a_typed_answer_is_returned_as_its_type(answering) -> None:
    assert await answering('{"city": "Oslo"}').complete_as("s", "p", Place) == Place(city="Oslo")


@pytest.mark.parametrize("answer", ["Oslo", '{"town": "Oslo"}', "{}"])
async def test_an_answer_that_does_not_fit_the_type_fails(answering, answer) -> None:
    with pytest.raises(LanguageModelFailed):
        await answering(answer).complete_as("s", "p", Place)
