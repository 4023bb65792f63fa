"""``RESULTS.md``, which keeps one section for each bench."""

from tests.bench.results import Table, against, with_section


def test_a_section_is_replaced_in_place() -> None:
    text = "# Head\n\n## one\n\nold\n\n## two\n\nstays\n"

    assert with_section(text, "one", "## one\n\nnew\n\n") == "# Head\n\n## one\n\nnew\n\n## two\n\nstays\n"


def test_a_new_section_is_added_behind_the_others() -> None:
    assert with_section("# Head\n", "one", "## one\n\nnew\n") == "# Head\n\n## one\n\nnew\n"


def test_a_table_becomes_markdown() -> None:
    table = Table("figures", ["name", "value"], [["a|b", "1"]], note="a note")

    assert table.markdown() == "**figures**\n\n| name | value |\n| --- | --- |\n| a/b | 1 |\n\na note"


def test_a_target_tells_whether_it_is_reached() -> None:
    assert against(0.8, 0.79) == "≥ 0.79 reached"
    assert against(360.0, 350.0, at_most=True) == "≤ 350 missed"
    assert against(0.8, None) == ""
