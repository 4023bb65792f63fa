"""The settings of recall."""

import pytest
from pydantic import ValidationError

from app.adapters.rerankers import CrossEncoderReranker, RemoteReranker
from app.bootstrap.retrieval import recall_rules, reranker_of
from app.settings import RecallSettings, Settings
from graph.retrieval.recall.models import RecallStrategy
from graph.retrieval.recall.rules import RecallRules


@pytest.mark.parametrize(
    ("other_name", "name", "field", "values"),
    [
        ("MEMORY_RRF_K", "RECOLLECT_RECALL_RRF_K", "rrf_k", (0.0, 20.0, 120.0, 7.0)),
        ("MEMORY_VEC_TOP_K", "RECOLLECT_RECALL_VEC_TOP_K", "vec_top_k", (1, 20, 80, 7)),
        ("RECALL_RELATION_LIMIT", "RECOLLECT_RECALL_RELATION_LIMIT", "relation_limit", (0, 5, 9, 7)),
    ],
)
def test_names_of_other_services_are_accepted(monkeypatch, other_name, name, field, values) -> None:
    """C6, C7, C21, M6: the prefixed name overrides them."""
    for value in values:
        monkeypatch.setenv(other_name, str(value))
        assert getattr(Settings(_env_file=None).recall, field) == value

    monkeypatch.setenv(name, str(values[-1]))
    monkeypatch.setenv(other_name, str(values[0]))
    assert getattr(Settings(_env_file=None).recall, field) == values[-1]


def test_names_of_other_services_are_read_from_a_file_too(monkeypatch, tmp_path) -> None:
    """M6: the environment overrides the file, and the prefixed name overrides both."""
    file = tmp_path / ".env"
    file.write_text(
        "MEMORY_RRF_K=20\nMEMORY_VEC_TOP_K=7\nMEMORY_EMBEDDING_CACHE_TTL_MS=1500\n", encoding="utf-8"
    )
    settings = Settings(_env_file=file)

    assert (settings.recall.rrf_k, settings.recall.vec_top_k) == (20.0, 7)
    assert settings.embedding.cache_ttl_seconds == 1.5
    monkeypatch.setenv("MEMORY_RRF_K", "120")
    assert Settings(_env_file=file).recall.rrf_k == 120.0
    file.write_text("MEMORY_RRF_K=20\nRECOLLECT_RECALL_RRF_K=3\n", encoding="utf-8")
    assert Settings(_env_file=file).recall.rrf_k == 3.0


def test_rank_fusion_has_no_weights() -> None:
    """C6: both lists count the same, and no setting changes that."""
    assert [name for name in RecallSettings.model_fields if "weight" in name] == []


def test_the_defaults_are_those_of_the_requirements() -> None:
    """C6, C7, C14, C15, C21, C24."""
    rules = recall_rules(RecallSettings())

    assert rules == RecallRules()
    assert (rules.rrf_k, rules.vector_top_k, rules.merge_above) == (60, 20, 0.92)
    assert (rules.injection_max_memories, rules.relation_limit) == (5, 5)
    assert rules.strategy is RecallStrategy.HYBRID


def test_a_rerankers_prefix_determines_where_it_runs() -> None:
    """C16."""
    url = "http://127.0.0.1:1/rerank"

    assert isinstance(reranker_of(RecallSettings(rerank_model="transformers/a/ranker")), CrossEncoderReranker)
    assert isinstance(
        reranker_of(RecallSettings(rerank_model="cohere/ranker", rerank_url=url)), RemoteReranker
    )
    assert reranker_of(RecallSettings(rerank_model="cohere/ranker")) is None
    assert reranker_of(RecallSettings(rerank_url=url)) is None


def test_every_setting_reaches_its_rule() -> None:
    """C4, C6, C7, C21, C24."""
    settings = RecallSettings(strategy="recent", rrf_k=1, vec_top_k=2, rerank_seconds=3, relation_limit=4)

    rules = recall_rules(settings)

    assert rules.strategy is RecallStrategy.EXACT
    assert (rules.rrf_k, rules.vector_top_k, rules.rerank_seconds, rules.relation_limit) == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MEMORY_RRF_K", "-1"),
        ("MEMORY_VEC_TOP_K", "0"),
        ("MEMORY_VEC_TOP_K", "501"),
        ("RECALL_RELATION_LIMIT", "51"),
        ("RECALL_RELATION_LIMIT", "many"),
        ("RECOLLECT_RECALL_STRATEGY", "psychic"),
        ("RECOLLECT_RECALL_RERANK_SECONDS", "61"),
    ],
)
def test_a_value_outside_its_clamp_is_refused(monkeypatch, name, value) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ValidationError, match="recall"):
        Settings(_env_file=None)
