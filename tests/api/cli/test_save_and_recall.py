"""``recollect save`` and ``recollect recall``."""

import json
import re

import pytest

from graph.memories.models import MemoryFilter, MemoryType


async def test_a_saved_memory_is_recalled_with_the_reason(cli) -> None:
    await cli.ok("save", "Ada prefers tabs over spaces in Python", "--key", "ada/tabs")

    shown = await cli.ok("recall", "tabs or spaces?")

    assert "Ada prefers tabs over spaces in Python" in shown
    assert "ada/tabs" in shown
    assert "best match in words" in shown
    assert "strategy HYBRID" in shown
    assert "relevance" in shown
    assert "score" not in shown
    assert "score" in await cli.ok("recall", "tabs or spaces?", "--explain")
    assert "nothing recalled" in await cli.ok("recall", "tabs or spaces?", "--min-relevance", "1")


async def test_weak_hits_follow_a_notice_that_nothing_is_relevant(cli) -> None:
    """Issue 35 point 20."""
    await cli.ok("save", "The kettle is red")

    shown = await cli.ok("recall", "Which kettle opens the airport of Oslo?")

    assert shown.index("nothing relevant; the best weak matches:") < shown.index("The kettle is red")


async def test_save_takes_the_fields_of_a_memory(cli, services, workspace_id) -> None:
    shown = await cli.ok(
        "save", "Tabs are four wide", "--tag", "code", "--tag", "style", "--category", "preference",
        "--type", "Style", "--importance", "0.9", "--speaker", "Ada", "--json",
    )  # fmt: skip
    (memory,) = (await services.memories.store.page(workspace_id, MemoryFilter())).items

    assert json.loads(shown)["memory"]["id"] == memory.id
    assert (memory.content, memory.tags, memory.category) == (
        "Tabs are four wide",
        ("code", "style"),
        "preference",
    )
    assert (memory.type, memory.importance, memory.speaker) == (MemoryType.STYLE, 0.9, "Ada")


async def test_save_gives_a_memory_to_a_user_whose_memories_the_reading_commands_select(
    cli, services, workspace_id
) -> None:
    """Issue 35 point C."""
    await cli.ok("save", "Ada keeps a red kettle", "--user", "ada", "--agent", "cook")
    await cli.ok("save", "Bob keeps a blue kettle", "--user", "bob")

    found = (await services.memories.store.page(workspace_id, MemoryFilter())).items
    assert {(memory.user_id, memory.agent_id) for memory in found} == {("ada", "cook"), ("bob", None)}
    for command in (
        ("recall", "kettle"),
        ("search", "kettle"),
        ("ask", "Who keeps a kettle?"),
        ("memories", "list"),
    ):
        shown = await cli.ok(*command, "--user", "ada")
        assert "red kettle" in shown, command
        assert "blue" not in shown, command


async def test_save_reads_standard_input(cli, services, workspace_id) -> None:
    await cli.ok("save", "-", stdin="Piped in\n")

    (memory,) = (await services.memories.store.page(workspace_id, MemoryFilter())).items
    assert memory.content == "Piped in"


async def test_saving_under_the_same_key_again_updates(cli, services, workspace_id) -> None:
    """A20."""
    await cli.ok("save", "first", "--key", "k")
    await cli.ok("save", "second", "--key", "k")

    (memory,) = (await services.memories.store.page(workspace_id, MemoryFilter())).items
    assert memory.content == "second"


async def test_saving_the_same_text_again_returns_the_existing_memory(cli, services, workspace_id) -> None:
    """A21, issue "Nothing lost, nothing misleading": the command sends no id, since an id disables this."""
    first = json.loads(await cli.ok("save", "Ada prefers tabs", "--json"))
    again = await cli.ok("save", "Ada prefers tabs")

    (memory,) = (await services.memories.store.page(workspace_id, MemoryFilter())).items
    assert first["memory"]["id"] == memory.id
    assert first["deduplicated"] is False
    assert again == f"saved {memory.id} (an existing memory says the same)\n"


async def test_recall_as_json_is_the_answer_of_the_service(cli) -> None:
    await cli.ok("save", "The kettle is red", "--key", "kettle")

    found = json.loads(await cli.ok("recall", "kettle", "--limit", "1", "--json"))

    assert [hit["memory"]["key"] for hit in found["hits"]] == ["kettle"]
    assert found["resolution"]["strategy"] == "HYBRID"


async def test_recall_explains_legs_and_stages_when_asked(cli) -> None:
    await cli.ok("save", "The kettle is red")

    shown = await cli.ok("recall", "kettle", "--explain")

    assert re.search(r"\btext \d+\.\d{3}\b", shown)
    assert "tier " in shown
    assert re.search(r"\bgraph \d+\.\d ms\b", shown)


async def test_recall_takes_a_strategy(cli) -> None:
    await cli.ok("save", "The kettle is red")

    assert "strategy EXACT" in await cli.ok("recall", "kettle", "--strategy", "exact")


async def test_a_recall_without_hits_is_reported(cli) -> None:
    assert "nothing recalled" in await cli.ok("recall", "anything")


async def test_control_characters_of_a_memory_do_not_reach_the_terminal(cli) -> None:
    await cli.ok("save", "red \x1b[31malert\x07")

    shown = await cli.ok("recall", "alert")

    assert "\x1b" not in shown
    assert "\x07" not in shown


async def test_an_administrator_may_name_a_workspace_by_id_or_name(admin_cli, services) -> None:
    """I1: only that workspace gets the memory."""
    made = await services.tenancy.workspaces.create("named on the command line")
    await admin_cli.ok("save", "by name", "--workspace", made.name)
    await admin_cli.ok("save", "by id", "--workspace", made.id)

    found = (await services.memories.store.page(made.id, MemoryFilter())).items
    assert {memory.content for memory in found} == {"by name", "by id"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("save", " "), "content must have at least 1 character after trimming"),
        (("save", "x", "--importance", "2"), "importance must be a number between 0.0 and 1.0"),
        (("save", "x", "--importance", "nan"), "the request cannot be written as JSON"),
        (("save", "a\ud800b"), "the request cannot be written as JSON"),
        (("recall", "x", "--workspace", "no such"), "no workspace has the id or name 'no such'"),
    ],
)
async def test_an_error_is_one_line_and_a_non_zero_exit(
    cli, arguments: tuple[str, ...], message: str
) -> None:
    """Design §8."""
    assert (await cli.error(*arguments)).startswith(message)


async def test_a_missing_key_is_reported_with_its_variable(cli) -> None:
    keyless = type(cli)(cli.url, "", cli.folder)

    assert "set RECOLLECT_API_KEY" in await keyless.error("recall", "x")


async def test_a_wrong_key_is_reported(cli) -> None:
    stranger = type(cli)(cli.url, "rk_unknown_key_0000000", cli.folder)

    assert "key" in await stranger.error("recall", "x")
