"""The page Chat: a model with injected memories, which the page shows."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import expect

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryFilter
from tests.fixtures.upstream import Says, Sends, completion_events
from tests.studio.conftest import grave_faults, picture, settle

TOLD = "Ada prefers tabs as indentation in Python"


async def test_a_chat_receives_and_shows_memories(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: streamed through the proxy with the session; the user can remember each message."""
    (known,) = await chat_proxy.remembers(TOLD)
    upstream.answers = [Says("Ada likes **tabs**.")]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await expect(page.get_by_role("complementary", name="Memories")).to_contain_text(TOLD)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Which indentation does Ada prefer in Python?")
    await page.keyboard.press("Enter")

    turn = page.get_by_role("region", name="Which indentation does Ada prefer in Python?")
    await expect(turn.locator("strong")).to_have_text("tabs")
    await turn.get_by_role("button", name="1 memory injected, ").click()
    injected, given = (
        turn.get_by_role("link", name=TOLD),
        turn.get_by_role("list", name="The model received:"),
    )
    await expect(injected).to_have_count(2)
    await expect(injected.first).to_be_visible()
    await expect(given.get_by_role("link", name=TOLD)).to_be_visible()
    (request,) = upstream.requests
    assert request.body["stream"] is True
    assert TOLD in json.dumps(request.body["messages"][0])
    await chat_proxy.services.telemetry.usage.flush()
    assert (await chat_proxy.services.memories.store.get(chat_proxy.workspace_id, known)).usage_count == 1

    await turn.get_by_role("button", name="Remember this").nth(1).click()
    await expect(page.get_by_text("Memory saved")).to_be_visible()
    saved = await chat_proxy.services.memories.store.page(
        chat_proxy.workspace_id, MemoryFilter(source_types=("user",))
    )
    assert [(each.speaker, each.source_conversation_id is None) for each in saved.items] == [
        ("assistant", False)
    ]
    sidebar = page.get_by_role("complementary", name="Memories")
    await expect(sidebar).to_contain_text("Ada likes")
    await expect(sidebar).to_contain_text("A person · now")
    toggle = sidebar.get_by_role("button", name="Memories", exact=True)
    await toggle.click()
    await expect(sidebar.get_by_text("A person · now")).to_be_hidden()
    await toggle.click()
    await expect(sidebar.get_by_text("A person · now")).to_be_visible()
    await settle(page)
    assert await grave_faults(page) == []

    await page.reload()
    await expect(turn.locator("strong")).to_have_text("tabs")
    assert page.complaints == []


async def test_a_turn_cites_its_context_and_the_working_set_is_listed(
    open_studio, services, chat_proxy
) -> None:
    """Issue 17: entities link to the graph; the working set of the conversation is read when opened."""
    workspace_id = chat_proxy.workspace_id
    (atlas,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="Atlas", description="The gateway")]
    )
    await chat_proxy.remembers("Atlas is released on Thursdays")
    kept = {"next": "ask Ada"}
    assert await services.core.working_set.write(workspace_id, "chat-7", "planner_decision", kept)
    page = await open_studio("/chat?conversation=chat-7", at=chat_proxy.url, workspace=workspace_id)
    await page.get_by_role("button", name="Working set").click()
    await expect(page.get_by_role("region", name="Working set")).to_contain_text("ask Ada")

    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("When is Atlas released?")
    await page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="When is Atlas released?")
    await turn.get_by_role("button", name="1 memory injected, ").click()
    cited = turn.get_by_role("link", name="Atlas (Service)")
    await expect(cited).to_have_attribute("href", f"/studio/graph?from={atlas.id}&node={atlas.id}")
    given = turn.get_by_role("list", name="The model received:").get_by_role("link")
    await expect(given).to_have_text(["Atlas is released on Thursdays", "Atlas"])
    await settle(page)
    assert await grave_faults(page) == []
    assert page.complaints == []


async def test_an_unfinished_answer_is_kept_when_the_page_is_left(
    open_studio, chat_proxy, upstream, tmp_path: Path
) -> None:
    """Issue 17: with its question, the partial answer and the next question, also after a reload."""
    gate = asyncio.Event()
    chunks = tuple(completion_events(1, {"model": "gpt-test"}, Says("Half of it")))
    streaming = Sends(chunks, headers=(("content-type", "text/event-stream"),), gate=gate)
    upstream.answers = [streaming, streaming, Says("All of it.")]
    page = await open_studio("/chat?conversation=left", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    for question in ("Who leaves?", "Who reloads?"):
        turn = page.get_by_role("region", name=question)
        await page.get_by_label("Message").fill(question)
        await page.keyboard.press("Enter")
        await expect(turn).to_contain_text("Half of it")
        if question == "Who leaves?":
            await page.get_by_role("link", name="Memories", exact=True).click()
            await expect(page.get_by_role("heading", level=1, name="Memories")).to_be_visible()
            await page.go_back()
        else:
            await page.reload()
        await expect(turn.get_by_role("alert")).to_contain_text("The answer is incomplete")
        await expect(turn).to_contain_text("Half of it")
    gate.set()
    await settle(page)
    await page.screenshot(path=picture("broken-off", tmp_path))
    assert await grave_faults(page) == []

    await turn.get_by_role("button", name="Try again").click()
    await expect(turn).to_contain_text("All of it.")
    await page.reload()
    await expect(turn).to_contain_text("All of it.")
    await expect(page.get_by_role("region", name="Who leaves?")).to_contain_text("Half of it")


async def test_a_failure_after_a_cancelled_navigation_is_shown(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: if the page still exists some time after it announced leaving, the user has stayed."""
    gate = asyncio.Event()
    begun = tuple(completion_events(1, {"model": "gpt-test"}, Says("Half of it")))[:-2]
    refusal = json.dumps({"error": {"message": "The model is overloaded", "code": "busy"}}).encode()
    events = (("content-type", "text/event-stream"),)
    upstream.answers = [Sends((*begun, b"data: " + refusal + b"\n\n"), headers=events, gate=gate)]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.clock.install()
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Are you there?")
    await page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="Are you there?")
    await expect(turn).to_contain_text("Half of it")
    await page.evaluate("dispatchEvent(new Event('beforeunload', {cancelable: true}))")
    await page.clock.fast_forward(60_000)
    gate.set()

    await expect(turn.get_by_role("alert")).to_contain_text("The model is overloaded")


async def test_a_long_answer_is_remembered_truncated(open_studio, chat_proxy, upstream) -> None:
    """A6: a notice reports it."""
    upstream.answers = [Says("Tabs are what Ada likes. " * 100)]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("What does Ada like?")
    await page.keyboard.press("Enter")
    turn = page.get_by_role("region", name="What does Ada like?")
    await turn.get_by_role("button", name="Remember this").nth(1).click()

    await expect(page.get_by_text("only its beginning was saved")).to_be_visible()


async def test_a_chat_without_memory_receives_nothing(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: the switch applies to the following turns."""
    await chat_proxy.remembers(TOLD)
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_role("switch", name="Memory").press("Space")
    await page.get_by_label("Message").fill("Which indentation does Ada prefer in Python?")
    await page.get_by_role("button", name="Send").click()

    await expect(page.get_by_text("An answer.")).to_be_visible()
    (request,) = upstream.requests
    assert [message["role"] for message in request.body["messages"]] == ["user"]


async def test_a_failed_answer_is_shown_and_retried(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: in the words of the model's server; no typed text is lost."""
    refusal = json.dumps({"error": {"message": "The model is overloaded", "code": "busy"}}).encode()
    upstream.answers = [Sends((refusal,), status=429), Says("Here I am.")]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Are you there?")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("The model is overloaded")

    await page.get_by_role("button", name="Try again").click()

    await expect(page.get_by_text("Here I am.")).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    assert [request.body["messages"][-1]["content"] for request in upstream.requests] == [
        "Are you there?"
    ] * 2


async def test_without_an_upstream_the_page_names_the_setting(open_studio, workspace_id) -> None:
    page = await open_studio("/chat")
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Hello")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert")).to_contain_text("set RECOLLECT_PROXY_URL")


async def test_a_chat_in_another_workspace_says_which_one_it_uses(open_studio) -> None:
    """Issue 17: the proxy only knows the workspace of the key."""
    page = await open_studio("/chat?workspace=elsewhere")

    await expect(page.get_by_role("alert")).to_contain_text("Chats use the workspace of your key")


async def test_memories_beside_a_chat_link_to_their_page(open_studio, workspace_id, remembered) -> None:
    """Issue 17: in the workspace of the key, even if the page shows another."""
    page = await open_studio(f"/chat?workspace={workspace_id}")
    memory = page.get_by_role("complementary", name="Memories").get_by_role(
        "link", name="Bob drinks espresso"
    )

    await expect(memory).to_have_attribute("href", f"/studio/memories?memory={remembered[2]}")
