"""Neo4j's jars, downloaded from the real repository into a cache of the test."""

import asyncio
from pathlib import Path

import pytest
from jgo.maven import MavenContext

from app.adapters import pinned_packages
from app.adapters.pinned_packages import Artifact
from app.embedded import jars as fetching
from app.embedded.errors import JarsIncomplete
from app.embedded.jars import fetch_jars, missing_jars, read_list


@pytest.fixture
def smallest() -> list[Artifact]:
    return sorted(read_list(), key=lambda jar: jar.size)[:3]


@pytest.fixture
def cache(tmp_path, monkeypatch, smallest) -> Path:
    """Return an empty cache with a list of three small jars."""
    monkeypatch.setattr(pinned_packages, "maven", lambda: MavenContext(repo_cache=tmp_path, timeout=30))
    monkeypatch.setattr(fetching, "read_list", lambda: smallest)
    return tmp_path


def ignore(stage: str, done: int, total: int) -> None:
    """Show nothing."""


async def test_missing_jars_are_fetched_with_progress(cache, smallest) -> None:
    told = []

    class_path = await fetch_jars(lambda stage, done, total: told.append((stage, done, total)))

    total = sum(jar.size for jar in smallest)
    assert [path.stat().st_size for path in class_path] == [jar.size for jar in smallest]
    assert all(path.is_relative_to(cache) for path in class_path)
    assert len(told) == len(smallest)
    assert told[-1] == ("Downloading Neo4j", total, total)


async def test_nothing_is_fetched_twice(cache) -> None:
    await fetch_jars(ignore)
    told = []

    await fetch_jars(lambda *progress: told.append(progress))

    assert told == []


@pytest.mark.parametrize("damage", [b"", b"half of it"], ids=["empty", "other bytes"])
async def test_a_damaged_jar_is_noticed_and_fetched_again(cache, smallest, damage) -> None:
    damaged, *_ = await fetch_jars(ignore)
    damaged.write_bytes(damage.ljust(smallest[0].size if damage else 0, b"."))
    noticed = missing_jars()

    await fetch_jars(ignore)

    assert noticed == [smallest[0]]
    assert missing_jars() == []


async def test_processes_that_need_the_same_jars_do_not_disturb_each_other(cache, smallest) -> None:
    first, second = await asyncio.gather(fetch_jars(ignore), fetch_jars(ignore))

    assert first == second
    assert missing_jars() == []


async def test_a_jar_that_differs_from_the_list_is_refused_and_named(cache, smallest, monkeypatch) -> None:
    other = Artifact(smallest[0].coordinate, smallest[0].size, "0" * 64)
    monkeypatch.setattr(fetching, "read_list", lambda: [other])

    with pytest.raises(
        JarsIncomplete, match=rf"could not fetch {other.coordinate}: the file differs from the expected one"
    ):
        await fetch_jars(ignore)


async def test_a_jar_that_does_not_exist_is_named(cache, monkeypatch) -> None:
    unknown = Artifact("org.neo4j:no-such-thing:jar:1", 1, "0" * 64)
    monkeypatch.setattr(fetching, "read_list", lambda: [unknown])

    with pytest.raises(JarsIncomplete, match=r"could not fetch org\.neo4j:no-such-thing"):
        await fetch_jars(ignore)
