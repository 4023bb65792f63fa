"""Wheels of a package index, in the same cache as Neo4j's jars; the index is a folder."""

import zipfile
from pathlib import Path

import pytest
from jgo.maven import MavenContext

from app.adapters import pinned_packages
from app.adapters.digests import sha256_of
from app.adapters.pinned_packages import Artifact, FetchFailed, fetch

NAME = "numbers-1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl"
COORDINATE = "org.pypi:numbers:whl:py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64:1.0"
METADATA = "Metadata-Version: 2.1\nName: numbers\nVersion: 1.0\nRequires-Dist: not-fetched\n"


@pytest.fixture
def published(tmp_path, monkeypatch) -> Path:
    """Return a wheel in a folder that is pip's only package index."""
    index = tmp_path / "index"
    index.mkdir()
    with zipfile.ZipFile(index / NAME, "w") as wheel:
        wheel.writestr("numbers/weights.bin", b"\x00\x01\x02")
        wheel.writestr("numbers-1.0.dist-info/METADATA", METADATA)
        wheel.writestr("numbers-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\n")
        wheel.writestr("numbers-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    monkeypatch.setattr(
        pinned_packages, "maven", lambda: MavenContext(repo_cache=tmp_path / "cache", timeout=30)
    )
    return index / NAME


async def test_a_wheel_is_fetched_whole_and_once(published, tmp_path) -> None:
    """Issue 39: from pip's configured index, on any platform."""
    wheel = Artifact.of(COORDINATE, published)
    shown = []

    (path,) = await fetch([wheel], lambda *progress: shown.append(progress))
    published.unlink()
    again = await fetch([wheel], lambda *progress: shown.append(progress))

    assert path == tmp_path / "cache/org/pypi/numbers/1.0" / NAME
    assert sha256_of(path) == wheel.sha256
    assert list(path.parent.iterdir()) == [path]
    assert (again, shown) == ([path], [(wheel.size, wheel.size)])


async def test_another_wheel_than_the_pinned_one_is_refused(published) -> None:
    other = Artifact(COORDINATE, published.stat().st_size, "0" * 64)

    with pytest.raises(
        FetchFailed, match=f"could not fetch {COORDINATE}: the file differs from the expected one"
    ):
        await fetch([other], lambda *_: None)


async def test_a_wheel_that_the_index_lacks_is_named(published) -> None:
    unknown = Artifact(COORDINATE.replace("1.0", "2.0"), 1, "0" * 64)

    with pytest.raises(
        FetchFailed, match=r"could not fetch org\.pypi:numbers:[^E]*ERROR: Could not find a version"
    ):
        await fetch([unknown], lambda *_: None)
