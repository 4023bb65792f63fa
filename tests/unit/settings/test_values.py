"""Unusable addresses and keys, which are refused at startup with the name of their setting."""

import pytest
import typer

from app.cli.remote import read_settings

PASSWORD = "hunter2"


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("LLM_URL", "http://host:abc/v1", "check its port"),
        ("LLM_URL", "http://", "has no host"),
        ("LLM_URL", "ftp://host", "must begin with http:// or https://"),
        ("LLM_URL", "http://ho\u200bst:80/\x07", "not an address"),
        ("PROXY_URL", "http://host:abc/v1", "check its port"),
        ("RECALL_RERANK_URL", "host/rerank", "must begin with http:// or https://"),
        ("EMBEDDING_CUSTOM_URL", "http://host:99999", "check its port"),
        ("NEO4J_URI", "localhost:7687", "must begin with bolt://"),
        ("NEO4J_URI", "http://localhost:7687", "must begin with bolt://"),
        ("REDIS_URL", "localhost:6379", "must begin with redis://, rediss:// or unix://"),
        ("REDIS_URL", f"redis://:{PASSWORD}/x@host", "check its port"),
        ("LLM_KEY", f"{PASSWORD}\u200b", "characters that are not allowed in a key"),
        ("PROXY_KEY", f"{PASSWORD}\nmore", "characters that are not allowed in a key"),
        ("RECALL_RERANK_KEY", f"{PASSWORD}é", "characters that are not allowed in a key"),
        ("EMBEDDING_OPENAI_API_KEY", f"{PASSWORD}é", "characters that are not allowed in a key"),
        ("QDRANT_API_KEY", f"{PASSWORD}é", "characters that are not allowed in a key"),
    ],
)
def test_one_line_names_the_setting_and_quotes_no_secret(monkeypatch, capsys, tmp_path, name, value, reason):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"RECOLLECT_{name}", value)

    with pytest.raises(typer.Exit):
        read_settings()

    told = capsys.readouterr().err
    assert told.startswith(f"error: RECOLLECT_{name}: it ")
    assert reason in told
    assert told.count("\n") == 1
    assert PASSWORD not in told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NEO4J_URI", "neo4j+s://x.databases.neo4j.io"),
        ("NEO4J_URI", "bolt://[::1]:7687"),
        ("REDIS_URL", "rediss://:p%40ss@host:6380/1"),
        ("REDIS_URL", "unix:///run/redis.sock?db=1"),
        ("PROXY_URL", "https://api.openai.com/v1"),
    ],
)
def test_addresses_that_the_clients_support_are_accepted(monkeypatch, tmp_path, name, value):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(f"RECOLLECT_{name}", value)
    group, field = name.lower().split("_")

    assert getattr(getattr(read_settings(), group), field) == value
