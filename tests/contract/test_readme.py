"""The promises of the README and of the pages in docs, compared with the code."""

import re
from pathlib import Path
from typing import get_args

import pytest
from graphql import build_schema, parse, validate

from app.cli.data.memories import NEVER_STORED, WORTH_STORING, importance_range
from app.settings import EmbeddingSettings
from graph.memories.models import MemoryDraft
from graph.memories.saving.preparing import quality_warnings
from graph.memories.tags import TAG_CONVENTIONS
from tests.fixtures.command_line import run_to_end
from tests.fixtures.pages import LISTED, README, RUN, is_listed, page, pages, printed_blocks, snippets

ROOT = Path(__file__).parents[2]
STORING, SOURCES = "how-to/what-to-store.md", ("how-to/embeddings.md", "Which source of embeddings")
SDL = ROOT / "app" / "surfaces" / "graphql" / "schema.graphql"
LAYERS = ["semantic", "episodic", "telemetry", "working set", "distillation"]
GRAPHQL_EXAMPLES = {
    f"{path} {number}": example
    for path, text in pages().items()
    for number, example in enumerate(snippets(text, "graphql"))
}


def table(path: str, heading: str) -> list[list[str]]:
    """Return the rows of the first table below a page's heading, without markup."""
    _, _, section = page(path).partition(f"\n## {heading}\n")
    rows = re.search(r"(?:^\|.*\n)+", section, re.MULTILINE)
    assert rows, f"there is no table below {heading!r}"
    cells = [
        [cell.strip().replace("`", "") for cell in row.strip("|").split("|")] for row in rows[0].splitlines()
    ]
    return cells[2:]


def test_the_tag_conventions_are_published() -> None:
    """A17: each with an example that follows it."""
    rows = {what: (tags.split(", "), example.split(", ")) for what, tags, example in table(STORING, "Tags")}

    assert {what: tuple(tags) for what, (tags, _) in rows.items()} == TAG_CONVENTIONS
    for tags, example in rows.values():
        named = dict(zip(tags, example, strict=True))
        assert re.fullmatch(r"\d{4}-\d\d", named["date"])
        assert all(named[tag] == tag for tag in tags if tag in {"decision", "bug-fix", "pattern"})


async def test_the_command_line_prints_the_tag_conventions(tmp_path) -> None:
    """A17."""
    shown = await run_to_end("save", "--help", folder=tmp_path, COLUMNS="400")

    for tags in TAG_CONVENTIONS.values():
        assert ", ".join(tags) in shown.output


def test_the_guide_states_what_to_store_and_its_importance() -> None:
    """D42: and what never to store; each example is saved without a warning."""
    rows = table(STORING, "What to store")

    assert {what: importance for what, importance, _ in rows} == {
        what: importance_range(*range_) for what, range_ in WORTH_STORING.items()
    }
    assert f"Never store statements that are {', '.join(NEVER_STORED[:-1])} or {NEVER_STORED[-1]}." in page(
        "how-to/what-to-store.md"
    )
    for what, _, example in rows:
        draft = MemoryDraft(content=example, importance=WORTH_STORING[what][0])
        assert quality_warnings(draft) == []


async def test_the_command_line_prints_what_to_store(tmp_path) -> None:
    """D42."""
    shown = await run_to_end("save", "--help", folder=tmp_path, COLUMNS="400")

    for what, range_ in WORTH_STORING.items():
        assert f"{what} {importance_range(*range_)}" in shown.output
    assert f"Never: {', '.join(NEVER_STORED)}." in shown.output


def test_the_readme_states_what_each_layer_keeps() -> None:
    """I13 (formats F§14); tests/integration/memories/retention tests the layers."""
    assert [layer for layer, _, _ in table("explanation/what-is-kept.md", "What is kept")] == LAYERS


def test_the_guide_to_sources_has_each_of_them_with_latency_and_cost() -> None:
    """B28, N3."""
    rows = {source.split(",")[0]: rest for source, *rest in table(*SOURCES)}

    (source_type,) = [EmbeddingSettings.model_fields["source"].annotation]
    assert set(rows) == {"cache", *get_args(source_type)} - {"auto", "none"}
    assert all(re.search(r"\d ms", latency) and cost for _, latency, cost in rows.values())


@pytest.mark.parametrize(
    ("source", "advice"),
    [("minilm", "small and edge deployments"), ("remote", "with Qdrant if")],
)
def test_the_guide_compares_the_embedders(source: str, advice: str) -> None:
    """B28."""
    rows = {name.split(",")[0]: good_for for name, good_for, *_ in table(*SOURCES)}

    assert advice in rows[source]


@pytest.mark.parametrize("example", GRAPHQL_EXAMPLES.values(), ids=GRAPHQL_EXAMPLES)
def test_graphql_examples_fit_the_schema(example: str) -> None:
    assert validate(build_schema(SDL.read_text()), parse(example)) == []


def test_every_block_is_run_or_listed_with_its_reason() -> None:
    """Issue 35; ``tests/scenarios/test_printed_pages.py`` runs the others."""
    blocks = printed_blocks()
    fences = sum(pages()[path].count("```") for path in {block.page for block in blocks})

    assert len(blocks) * 2 == fences
    assert [block for block in blocks if block.language not in RUN and not is_listed(block)] == []
    for path, beginning in LISTED:
        (_,) = [block for block in blocks if block.page == path and block.text.startswith(beginning)]


def test_the_readme_is_one_page() -> None:
    assert README.count("\n") <= 180


def test_every_link_between_pages_leads_somewhere() -> None:
    generated = {"graphql", "rest", "mcp-tools", "command-line", "settings", "errors", "typescript-client"}
    missing = [
        f"{path}: {target}"
        for path, text in pages().items()
        for target in re.findall(r"\]\((?!https?:)([^)#]+\.md)(?:#[^)]*)?\)", text)
        if not ((ROOT / path).parent / target).exists() and Path(target).stem not in generated
    ]

    assert missing == []


def test_paths_in_pages_exist() -> None:
    named = {
        (path, name)
        for path, text in pages().items()
        for name in re.findall(r"`((?:app|graph|cypher|tests|docker)/[\w./-]+)`", text)
    }

    assert sorted((path, name) for path, name in named if not (ROOT / name).exists()) == []
