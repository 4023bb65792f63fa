"""B1, B2, B5, B17, B26 and M6: the embedder that the settings select."""

from contextlib import AsyncExitStack, suppress

import pytest
from pydantic import ValidationError

from app.adapters.embedding.cache import EmbeddingCache
from app.adapters.embedding.static import StaticEmbedder
from app.bootstrap.embedders import EmbedderRegistry, ModelChoice, choose, keeps, loader, providers
from app.bootstrap.runtime import SystemClock
from app.settings import EmbeddingSettings, Settings
from graph.core.measuring import UNMEASURED
from graph.core.ports import EmbeddingFailed
from graph.vectors.index.models import EmbedderOutcomes, EmbeddingProvider
from tests.fixtures.static_model import write_static_model
from tests.fixtures.waiting import until

MINILM = ModelChoice("transformers", "all-MiniLM-L6-v2")
MULTILINGUAL = ModelChoice("local", "multilingual-e5-small-q4")


def settings(**chosen) -> EmbeddingSettings:
    return EmbeddingSettings(**chosen)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, MINILM),
        ({"cohere_api_key": "k"}, ModelChoice("remote", "cohere/embed-v4.0")),
        (
            {"voyage_api_key": "k", "openai_api_key": "k"},
            ModelChoice("remote", "openai/text-embedding-3-small"),
        ),
        ({"openai_api_key": ""}, MINILM),
        ({"source": "transformers"}, MINILM),
        ({"local_model": "bge-small-zh-v1.5-q"}, ModelChoice("local", "bge-small-zh-v1.5-q")),
        ({"local_model": "e5-small-v2-q"}, ModelChoice("local", "e5-small-v2-q")),
        ({"provider_model": "transformers/multilingual-e5-small-q4"}, MULTILINGUAL),
        ({"provider_model": "transformers/multilingual-e5-small-q4", "openai_api_key": "k"}, MULTILINGUAL),
        ({"provider_model": "transformers/multilingual-e5-small-q4", "source": "none"}, None),
        (
            {"provider_model": "transformers/all-MiniLM-L6-v2", "local_model": "bge-small-en-v1.5"},
            MINILM,
        ),
        ({"provider_model": "transformers/BAAI/bge-m3"}, ModelChoice("transformers", "BAAI/bge-m3")),
        ({"source": "none", "openai_api_key": "k"}, None),
        ({"source": "minilm", "openai_api_key": "k"}, MINILM),
        ({"source": "static"}, ModelChoice("static", "minishlab/potion-base-8M")),
        ({"source": "transformers", "model": "Xenova/all-MiniLM-L6-v2"}, MINILM),
        ({"source": "transformers", "model": "BAAI/bge-m3"}, ModelChoice("transformers", "BAAI/bge-m3")),
        (
            {"source": "remote", "voyage_api_key": "k", "provider_model": "voyage/voyage-code-3"},
            ModelChoice("remote", "voyage/voyage-code-3"),
        ),
        (
            {"source": "remote", "custom_url": "http://h/v1", "provider_model": "custom/nomic:latest"},
            ModelChoice("remote", "custom/nomic:latest"),
        ),
        (
            {"openai_api_key": "k", "voyage_api_key": "k", "provider_model": "voyage-3.5"},
            ModelChoice("remote", "voyage/voyage-3.5"),
        ),
        (
            {"voyage_api_key": "k", "custom_url": "http://h/v1", "provider_model": "brand-new"},
            ModelChoice("remote", "voyage/brand-new"),
        ),
    ],
)
def test_the_source_decides(chosen, expected):
    """B1, B2: auto takes the first provider with a key, then transformers."""
    assert choose(settings(**chosen)) == expected


@pytest.mark.parametrize(
    ("enabled", "expected"),
    [
        ({"static_enabled": True}, ModelChoice("static", "minishlab/potion-base-8M")),
        (
            {"static_enabled": True, "transformers_enabled": False},
            ModelChoice("static", "minishlab/potion-base-8M"),
        ),
        ({"transformers_enabled": False}, None),
    ],
)
def test_enabled_models_decide_if_no_provider_has_a_key(enabled, expected):
    """B2: auto takes the first provider with a key, then static, then transformers, then none."""
    assert choose(settings(), **enabled) == expected
    with_key = choose(settings(cohere_api_key="k"), **enabled)
    assert with_key == ModelChoice("remote", "cohere/embed-v4.0")


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        ({"source": "remote"}, "needs a key"),
        ({"source": "remote", "provider_model": "openai/x"}, "openai has no key"),
        ({"source": "remote", "provider_model": "acme/x"}, "one of openai, cohere, voyage, custom"),
        ({"source": "remote", "provider_model": "text-embedding-3-small"}, "openai has no key"),
        ({"source": "remote", "provider_model": "brand-new"}, "one of openai, cohere, voyage, custom"),
        ({"source": "remote", "custom_url": "http://h/v1"}, "name the model of custom_url"),
    ],
)
def test_a_provider_that_cannot_be_used_is_refused(chosen, message):
    with pytest.raises(ValueError, match=message):
        choose(settings(**chosen))


def test_a_local_model_is_refused_if_local_models_are_disabled():
    """B2, issue 39: no setting is silently ignored."""
    chosen = settings(provider_model="transformers/e5-small-v2", static_model="/models/static")

    with pytest.raises(ValueError, match="transformers/e5-small-v2 is a local model, but local models are"):
        choose(chosen, static_enabled=True, transformers_enabled=False)


def test_providers_are_listed_without_their_keys():
    """B26."""
    listed = providers(settings(cohere_api_key="sk-secret"))

    assert [(provider.name, provider.has_key) for provider in listed] == [
        ("openai", False), ("cohere", True), ("voyage", False), ("custom", False),
    ]  # fmt: skip
    assert listed[1] == EmbeddingProvider(
        "cohere", ("embed-v4.0", "embed-multilingual-v3.0", "embed-english-v3.0"), has_key=True
    )
    assert "sk-secret" not in repr(listed)


def test_a_signature_identifies_a_loadable_model():
    """B10: while another embedder takes over, the embedder of the stored vectors answers queries."""
    assert ModelChoice.of_signature("remote:custom/nomic:latest:768") == ModelChoice(
        "remote", "custom/nomic:latest"
    )
    assert ModelChoice.of_signature("transformers:all-MiniLM-L6-v2:384") == MINILM
    assert loader(settings(), ModelChoice("remote", "openai/x")) is None
    assert loader(settings(), ModelChoice("fake", "x")) is None
    assert loader(settings(openai_api_key="k"), ModelChoice("remote", "openai/x")) is not None


def test_names_of_other_services_are_supported(monkeypatch):
    """M6, B4, B6, B17."""
    for name, value in {
        "MEMORY_EMBEDDING_CACHE_MAX": "7",
        "MEMORY_EMBEDDING_CACHE_TTL_MS": "1500",
        "MEMORY_STATIC_CACHE_DIR": "/models",
        "MEMORY_STATIC_MODEL": "a/b",
        "MEMORY_TRANSFORMERS_MODEL": "Xenova/all-MiniLM-L6-v2",
        "MEMORY_VEC_QUANTIZATION": "none",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("RECOLLECT_EMBEDDING_STATIC_MODEL", "ours/wins")

    read = Settings(_env_file=None).embedding

    assert (read.cache_max, read.cache_ttl_seconds, read.quantization) == (7, 1.5, "NONE")
    assert (str(read.static_cache_dir), read.static_model) == ("/models", "ours/wins")
    assert choose(read) == MINILM


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RECOLLECT_EMBEDDING_CACHE_MAX", "-1"),
        ("RECOLLECT_EMBEDDING_QUANTIZATION", "int4"),
        ("RECOLLECT_EMBEDDING_CUSTOM_URL", "ftp://x"),
        ("RECOLLECT_EMBEDDING_SOURCE", "magic"),
        ("MEMORY_VEC_QUANTIZATION", "int4"),
        ("MEMORY_EMBEDDING_CACHE_MAX", "many"),
        ("MEMORY_EMBEDDING_CACHE_TTL_MS", "0"),
        ("MEMORY_EMBEDDING_CACHE_TTL_MS", "long"),
    ],
)
def test_a_value_outside_its_bounds_is_refused(monkeypatch, name, value):
    monkeypatch.setenv(name, value)

    with pytest.raises(ValidationError, match="embedding"):
        Settings(_env_file=None)


@pytest.mark.parametrize(
    ("chosen", "signature", "expected"),
    [
        ({}, "transformers:all-MiniLM-L6-v2:384", True),
        ({"source": "transformers"}, "local:e5-small-v2:384", True),
        ({"local_model": "e5-small-v2-q"}, "transformers:all-MiniLM-L6-v2:384", False),
        ({"provider_model": "transformers/e5-small-v2-q"}, "transformers:all-MiniLM-L6-v2:384", False),
        ({"source": "minilm"}, "local:e5-small-v2-q:384", False),
        ({"source": "static"}, "transformers:all-MiniLM-L6-v2:384", False),
        ({}, "remote:openai/text-embedding-3-small:1536", False),
        ({}, "transformers:BAAI/bge-m3:1024", False),
    ],
)
def test_vectors_of_a_local_model_stay_in_use_until_settings_name_another(chosen, signature, expected):
    """B10: a new default must not embed everything again."""
    assert keeps(settings(**chosen), signature) is expected


async def test_a_model_of_a_folder_is_identified_by_its_folder_without_a_hub(tmp_path):
    """Issue 35 (6): while a setting names the folder, the name and hash of its signature identify it."""
    folder = write_static_model(tmp_path / "mine")
    signature = StaticEmbedder(folder).signature
    async with AsyncExitStack() as stack:
        models = EmbedderRegistry(
            settings(source="minilm", static_model=str(folder)),
            EmbeddingCache(),
            stack,
            UNMEASURED,
            EmbedderOutcomes(SystemClock()),
        )
        assert models.find("static:another@0123456789ab:32") is None
        assert models.find("transformers:mine@0123456789ab:32") is None
        found = models.find(signature)

        async def is_loaded() -> bool:
            with suppress(EmbeddingFailed):
                return found.signature == signature
            return False

        await until(is_loaded)
        models.settings = settings(source="minilm")
        assert models.find(signature) is found
