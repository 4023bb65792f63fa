"""OpenAI's client for Python, which lists models and embeds texts (issue 16)."""

import openai
import pytest
from numpy.testing import assert_allclose

from graph.vectors.index.models import VectorIndex

TEXTS = ["Bees fly in May", "Tea is green"]


@pytest.fixture
async def client(served) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(base_url=served.base_url, api_key=served.key, max_retries=0)


@pytest.fixture
def index(services) -> VectorIndex:
    return services.vectors.embeddings.active


async def test_the_embedder_in_use_is_the_model(client, index) -> None:
    listed = [model.id async for model in client.models.list()]
    one = await client.models.retrieve(index.signature)

    assert listed == [one.id] == [index.signature]
    assert one.owned_by == "recollect"


@pytest.mark.parametrize("options", [{}, {"encoding_format": "float"}, {"encoding_format": "base64"}])
async def test_texts_have_the_vectors_that_memories_have(client, index, services, options) -> None:
    """The client requests base64 by default and decodes it."""
    answer = await client.embeddings.create(
        model=index.signature, input=TEXTS, dimensions=index.dimension, user="ada", **options
    )
    own = await services.vectors.embeddings.embed(TEXTS)

    assert (answer.object, answer.model) == ("list", index.signature)
    assert [each.index for each in answer.data] == [0, 1]
    if options.get("encoding_format") != "base64":
        assert_allclose([each.embedding for each in answer.data], own, rtol=1e-6)
    assert answer.usage.prompt_tokens == answer.usage.total_tokens > 0


async def test_one_text_has_one_vector(client, index) -> None:
    answer = await client.embeddings.create(model=index.signature, input=TEXTS[0])

    assert [len(each.embedding) for each in answer.data] == [index.dimension]


@pytest.mark.parametrize(
    ("change", "status", "param"),
    [
        ({"model": "text-embedding-3-small"}, 404, "model"),
        ({"dimensions": 5}, 400, "dimensions"),
        ({"input": []}, 400, "input"),
        ({"input": ""}, 400, "input"),
        ({"input": [1, 2]}, 400, "input"),
        ({"encoding_format": "hex"}, 400, "encoding_format"),
        ({"extra_body": {"shout": True}}, 400, "shout"),
    ],
)
async def test_errors_have_openais_form(client, index, change, status, param) -> None:
    """K12."""
    with pytest.raises(openai.APIStatusError) as refused:
        await client.embeddings.create(**{"model": index.signature, "input": "x", **change})

    error = refused.value.response.json()["error"]
    assert refused.value.status_code == status
    assert error.keys() == {"message", "type", "param", "code"}
    assert error["param"].split(".")[0] == param


async def test_unknown_openai_paths_have_openais_error_form(client) -> None:
    with pytest.raises(openai.NotFoundError) as refused:
        await client.moderations.create(input="x")
    with pytest.raises(openai.NotFoundError) as unknown:
        await client.models.retrieve("nobody/nothing")

    assert refused.value.response.json()["error"]["type"] == "not_found_error"
    assert unknown.value.response.json()["error"]["param"] == "model"


async def test_a_key_is_needed(served) -> None:
    """I12."""
    client = openai.AsyncOpenAI(base_url=served.base_url, api_key="rk_nobody", max_retries=0)

    with pytest.raises(openai.AuthenticationError) as refused:
        await client.models.list()

    assert refused.value.code == "invalid_api_key"
