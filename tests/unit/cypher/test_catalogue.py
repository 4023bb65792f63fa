"""The catalogue of query files."""

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


def test_names_are_unique_across_folders(tmp_path: Path) -> None:
    write(tmp_path, "memories", "get_memory")
    write(tmp_path, "recall", "get_memory")

    with pytest.raises(HeaderError, match=r":1: the name is taken by cypher/memories"):
        read_tree(tmp_path)


def write_fragments(root: Path, **texts: str) -> None:
    (root / "fragments").mkdir()
    for name, text in texts.items():
        (root / "fragments" / f"{name}.cypher").write_text(text, encoding="utf-8")


def write_including(root: Path, include: str) -> None:
    write(root, "memories", "get_memory")
    with (root / "memories" / "get_memory.cypher").open("a", encoding="utf-8") as file:
        file.write(f"  // include: {include}\n")


def test_a_fragment_and_its_includes_use_the_named_variable(tmp_path: Path) -> None:
    write_fragments(
        tmp_path,
        visible="AND memory.active\n  // include: of_user\n  // include: of_user of turn\n",
        of_user="AND memory.user_id = ''\nAND true\n",
    )
    write_including(tmp_path, "visible of episode")

    (statement,) = read_tree(tmp_path).values()

    assert statement.text.endswith(
        "RETURN 1 AS n\n"
        "  AND episode.active\n"
        "    AND episode.user_id = ''\n"
        "    AND true\n"
        "    AND turn.user_id = ''\n"
        "    AND true\n"
    )


@pytest.mark.parametrize(
    ("fragments", "include"),
    [
        ({"one": "true\n// include: one"}, "one"),
        ({"one": "true\n// include: two of turn", "two": "// include: one"}, "two"),
    ],
    ids=["itself", "through another"],
)
def test_a_fragment_that_includes_itself_is_an_error(
    tmp_path: Path, fragments: dict[str, str], include: str
) -> None:
    write_fragments(tmp_path, **fragments)
    write_including(tmp_path, include)

    with pytest.raises(
        HeaderError, match=rf"^cypher/fragments/one\.cypher:2: the fragment '{include}' includes itself$"
    ):
        read_tree(tmp_path)


def test_an_unknown_fragment_is_an_error_of_the_file_that_includes_it(tmp_path: Path) -> None:
    write_fragments(tmp_path, one="true\n// include: missing")
    write_including(tmp_path, "one")

    with pytest.raises(
        HeaderError, match=r"^cypher/fragments/one\.cypher:2: no fragment is named 'missing'$"
    ):
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
