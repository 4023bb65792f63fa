"""The engine's status for operators, through GraphQL."""

from app.adapters.embedding.local_models import LOCAL_MODELS
from app.adapters.embedding.remote import PROTOCOLS

ENGINE = """{
  engine(workspaceIds: []) {
    vectors { activeDim embeddingSignature lastResetAt vecLoaded }
    index { signature dimension quantization }
  }
}"""


async def test_the_status_shows_the_record_of_the_current_vectors(graphql, services) -> None:
    """B9: with the compression of the index; the first vectors replaced none."""
    engine = (await graphql.ok(ENGINE))["engine"]

    active = services.vectors.embeddings.active
    assert engine["vectors"] == {
        "activeDim": active.dimension,
        "embeddingSignature": f"{active.signature}:int8",
        "lastResetAt": None,
        "vecLoaded": True,
    }
    assert engine["index"] == {
        "signature": active.signature,
        "dimension": active.dimension,
        "quantization": "SCALAR",
    }


async def test_local_models_are_listed_by_the_names_that_select_them(graphql) -> None:
    """Issue 39: including the multilingual model."""
    shown = (await graphql.ok("{ engine(workspaceIds: []) { localModels } }"))["engine"]["localModels"]

    assert shown == [f"transformers/{name}" for name in LOCAL_MODELS]
    assert "transformers/multilingual-e5-small-q4" in shown


async def test_each_provider_is_listed_with_its_models_and_without_its_key(graphql) -> None:
    """B26: it says whether there is a key."""
    shown = (await graphql.ok("{ engine(workspaceIds: []) { embeddingProviders { name models hasKey } } }"))[
        "engine"
    ]["embeddingProviders"]

    assert [provider["name"] for provider in shown] == list(PROTOCOLS)
    assert {provider["name"]: provider["models"] for provider in shown} == {
        name: list(protocol.models) for name, protocol in PROTOCOLS.items()
    }
    assert not any(provider["hasKey"] for provider in shown)
