"""How query files are found and handed out."""

from pathlib import Path

import pytest

from cypher import catalogue, load
from cypher.catalogue import read_tree
from cypher.header import HeaderError

TEXT = """\
// name: {name}
// mode: read
// returns: one
// column: n integer
// unscoped: it reads nothing
CYPHER 25
RETURN 1 AS n
"""


def write(root: Path, folder: str, name: str) -> None:
    (root / folder).mkdir(exist_ok=True)
    (root / folder / f"{name}.cypher").write_text(TEXT.format(name=name), encoding="utf-8")


def test_files_are_found_in_folders_and_ordered(tmp_path: Path) -> None:
    write(tmp_path, "recall", "search_memories")
    write(tmp_path, "memories", "list_memories")
    write(tmp_path, "memories", "get_memory")
    (tmp_path / "memories" / "notes.txt").write_text("no query")

    found = read_tree(tmp_path)

    assert list(found) == ["get_memory", "list_memories", "search_memories"]
    assert found["search_memories"].folder == "recall"


def test_a_name_is_taken_once_across_folders(tmp_path: Path) -> None:
    write(tmp_path, "memories", "get_memory")
    write(tmp_path, "recall", "get_memory")

    with pytest.raises(HeaderError, match=r":1: the name is taken by cypher/memories"):
        read_tree(tmp_path)


def test_the_catalogue_is_read_once_and_cannot_be_changed() -> None:
    assert catalogue() is catalogue()
    with pytest.raises(TypeError):
        catalogue()["x"] = None  # type: ignore[index]


def test_every_name_of_the_catalogue_loads() -> None:
    assert [load(name) for name in catalogue()] == list(catalogue().values())


def test_an_unknown_name_is_a_lookup_error() -> None:
    with pytest.raises(LookupError, match=r"no query file is named nothing_of_the_kind\.cypher"):
        load("nothing_of_the_kind")
