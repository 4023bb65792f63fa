"""The page Chat: a model that is given what is remembered, and what it was given."""

import json

from playwright.async_api import expect

from graph.knowledge.ontology.models import EntityDraft
from tests.fixtures.upstream import Says, Sends
from tests.studio.conftest import grave_faults, settle

TOLD = "Ada prefers tabs as indentation in Python"


async def test_a_chat_is_given_what_is_remembered_and_shows_it(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: streamed through the proxy on the session; what was injected stands above; each message can be kept."""
    await chat_proxy.remembers(TOLD)
    upstream.answers = [Says("Ada likes **tabs**.")]
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await expect(page.get_by_role("complementary", name="Memories")).to_contain_text(TOLD)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Which indentation does Ada prefer in Python?")
    await page.keyboard.press("Enter")

    turn = page.get_by_role("region", name="Which indentation does Ada prefer in Python?")
    await expect(turn.locator("strong")).to_have_text("tabs")
    await turn.get_by_role("button", name="1 memory, ").click()
    await expect(turn.get_by_role("link", name=TOLD)).to_be_visible()
    (request,) = upstream.requests
    assert request.body["stream"] is True
    assert TOLD in json.dumps(request.body["messages"][0])

    await turn.get_by_role("button", name="Remember this").last.click()
    await expect(page.get_by_text("Memory saved")).to_be_visible()
    await expect(page.get_by_role("complementary", name="Memories")).to_contain_text("Ada likes")
    await settle(page)
    assert await grave_faults(page) == []

    await page.reload()
    await expect(turn.locator("strong")).to_have_text("tabs")
    assert page.complaints == []


async def test_a_turn_cites_what_it_was_given_and_the_working_set_is_shown(
    open_studio, services, chat_proxy
) -> None:
    """Issue 17: entities lead to the graph; what agents keep for this conversation is read when it is opened."""
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
    await turn.get_by_role("button", name="1 memory, ").click()
    cited = turn.get_by_role("link", name="Atlas (Service)")
    await expect(cited).to_have_attribute("href", f"/studio/graph?from={atlas.id}&node={atlas.id}")
    await settle(page)
    assert await grave_faults(page) == []
    assert page.complaints == []


async def test_a_chat_without_memory_is_given_nothing(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: switched for the turns that follow."""
    await chat_proxy.remembers(TOLD)
    page = await open_studio("/chat", at=chat_proxy.url, workspace=chat_proxy.workspace_id)
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_role("switch", name="Memory").press("Space")
    await page.get_by_label("Message").fill("Which indentation does Ada prefer in Python?")
    await page.get_by_role("button", name="Send").click()

    await expect(page.get_by_text("An answer.")).to_be_visible()
    (request,) = upstream.requests
    assert [message["role"] for message in request.body["messages"]] == ["user"]


async def test_an_answer_that_fails_is_told_and_asked_for_again(open_studio, chat_proxy, upstream) -> None:
    """Issue 17: in the words of the model's server; nothing typed is lost."""
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


async def test_without_an_upstream_the_page_says_what_to_set(open_studio, workspace_id) -> None:
    page = await open_studio("/chat")
    await page.get_by_label("Model").fill("gpt-test")
    await page.get_by_label("Message").fill("Hello")
    await page.keyboard.press("Enter")

    await expect(page.get_by_role("alert")).to_contain_text("set RECOLLECT_PROXY_URL")


async def test_another_workspace_is_not_what_a_chat_uses_and_that_is_said(open_studio) -> None:
    """Issue 17: the proxy knows that of the key alone."""
    page = await open_studio("/chat?workspace=elsewhere")

    await expect(page.get_by_role("alert")).to_contain_text("Chats use the workspace of your key")
