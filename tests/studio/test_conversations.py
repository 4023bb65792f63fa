"""The page Conversations: reading messages and learnt facts, correcting them, and handing off."""

import asyncio
import json

from playwright.async_api import Route, expect

from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from tests.studio.conftest import BUSY, answering, grave_faults, refused, settle, undo_of


async def test_a_conversation_shows_learnt_facts_beside_their_messages(
    open_studio, heard, workspace_id, talk
) -> None:
    """L13: Extract now marks the sentence and shows its memory below, without a reload."""
    page = await open_studio("/conversations")
    await page.get_by_role("link", name="A trip to Bern").click()
    await expect(page.get_by_role("heading", level=2, name="A trip to Bern")).to_be_visible()
    await expect(page.get_by_role("cell", name="clear")).to_be_visible()
    await expect(page.locator("mark")).to_have_count(0)
    for topic in ("memories", "jobs"):
        await heard.by(workspace_id, topic)

    await page.get_by_role("button", name="Extract now").click()

    await expect(page.get_by_text("Extraction finished")).to_be_visible()
    first = page.get_by_role("article").first
    await expect(first.get_by_role("link", name="The user prefers aisle seats")).to_be_visible()
    assert "".join(await first.locator("mark").all_inner_texts()).replace("1", "") == "I prefer aisle seats."
    await expect(first).to_contain_text("What is the weather like?")
    assert "conversation=chat-42" in page.url
    await settle(page)
    assert await grave_faults(page) == []
    assert page.complaints == []


async def test_learnt_facts_are_corrected_and_deleted_beside_their_messages(
    open_studio, services, workspace_id, talk
) -> None:
    """Issue 17: the user can undo both."""
    await services.conversations.extraction.request(workspace_id, talk)
    page = await open_studio("/conversations?conversation=chat-42")
    fact = page.get_by_role("link", name="The user prefers aisle seats")
    await expect(fact).to_be_visible()

    await page.get_by_role("button", name="Edit: The user prefers aisle seats").click()
    await page.get_by_label("Content").fill("The user prefers window seats")
    await page.keyboard.press("Control+Enter")
    undo = await undo_of(page)
    await expect(page.get_by_role("link", name="The user prefers window seats")).to_be_visible()
    await undo.click()
    await expect(fact).to_be_visible()
    await expect(undo).to_have_count(0)

    await page.get_by_role("button", name="Delete: The user prefers aisle seats").click()
    undo = await undo_of(page)
    await expect(fact).to_have_count(0)
    await undo.click()
    await expect(fact).to_be_visible()


async def test_a_message_is_remembered_unchanged(open_studio, heard, workspace_id, talk) -> None:
    """Issue 17."""
    page = await open_studio("/conversations?conversation=chat-42&message=m3")
    last = page.get_by_role("article").last
    await expect(last).to_have_attribute("data-target", "true")
    await heard.by(workspace_id)

    await last.get_by_role("button", name="Remember this").click()

    await expect(page.get_by_text("Memory saved")).to_be_visible()
    await expect(last.get_by_role("link", name="night train")).to_be_visible()


async def test_a_pasted_transcript_becomes_a_conversation(
    open_studio, services, workspace_id, capturing
) -> None:
    """Issue 17: a text without speakers cannot be sent; the messages are counted."""
    page = await open_studio("/conversations")
    await page.get_by_role("button", name="Import conversations").first.click()
    dialog = page.get_by_role("dialog", name="Import conversations")
    await dialog.get_by_label("Conversation").fill("nothing of the kind")
    await expect(dialog.get_by_text("This text contains no messages with a speaker.")).to_be_visible()
    await expect(dialog.get_by_role("button", name="Import", exact=True)).to_be_disabled()

    await dialog.get_by_label("Conversation").fill(
        "User: Where is the key?\nAssistant: Under the mat.\n\nUser: Thanks"
    )
    await expect(dialog.get_by_text("3 messages are ready to be stored.")).to_be_visible()
    await dialog.get_by_label("Title").fill("Keys")
    await settle(page)
    assert await grave_faults(page) == []
    await dialog.get_by_role("button", name="Import", exact=True).click()

    await expect(page.get_by_role("heading", level=2, name="Keys")).to_be_visible()
    await expect(page.get_by_role("article")).to_have_count(3)
    (stored,) = (await services.conversations.capture.page(workspace_id)).items
    assert (stored.title, stored.id[:7]) == ("Keys", "pasted-")
    assert page.complaints == []


async def test_memory_that_is_off_is_reported_and_pasted_text_stays(
    open_studio, services, workspace_id
) -> None:
    """Issue 17."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=False)
    page = await open_studio("/conversations?dialog=import")
    dialog = page.get_by_role("dialog", name="Import conversations")
    await dialog.get_by_label("Conversation").fill("User: Hello")
    await dialog.get_by_role("button", name="Import", exact=True).click()

    await expect(dialog.get_by_role("alert")).to_contain_text("memory is off")
    await expect(dialog.get_by_label("Conversation")).to_have_value("User: Hello")


async def test_old_messages_are_rolled_up_into_an_episode(open_studio, services, workspace_id, talk) -> None:
    """F1, F10: the dialog says that this is permanent; the episode appears at once."""
    await services.tenancy.workspaces.update(workspace_id, settings={"extractionMode": "off"})
    page = await open_studio("/conversations?conversation=chat-42&tab=episodes")
    await page.get_by_role("button", name="Roll up old messages").click()
    dialog = page.get_by_role("dialog", name="Roll up old messages")
    await dialog.get_by_label("Number of newest messages to keep").fill("1")
    await dialog.get_by_label("Minimum age (days)").fill("1")
    await dialog.get_by_role("button", name="Roll up and delete").click()

    await expect(page.get_by_text("2 messages rolled up")).to_be_visible()
    await expect(page.get_by_role("article", name="Episode")).to_contain_text("2 messages")
    await page.get_by_role("tab", name="Transcript").click()
    await expect(page.get_by_role("article")).to_have_count(1)


async def test_a_handoff_summary_is_written_and_copied(open_studio, talk) -> None:
    """F11, L13: the page names the author of the summary."""
    page = await open_studio("/conversations?conversation=chat-42&tab=handoff")
    await page.get_by_role("button", name="Write summary").click()

    await expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    await expect(page.get_by_role("tabpanel")).to_contain_text("By rules")
    await expect(page.get_by_role("tabpanel")).to_contain_text("night train")
    await settle(page)
    assert await grave_faults(page) == []


async def test_a_conversation_is_deleted_after_confirmation(
    open_studio, services, workspace_id, talk
) -> None:
    """Issue 17: the dialog says that this cannot be undone."""
    page = await open_studio("/conversations?conversation=chat-42")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Delete conversation").click()
    dialog = page.get_by_role("dialog", name="Delete A trip to Bern?")
    await expect(dialog).to_contain_text("Deletes 3 messages and all episodes permanently.")
    await dialog.get_by_role("button", name="Delete permanently").click()

    await expect(page.get_by_text("No conversations yet")).to_be_visible()
    assert await services.conversations.capture.find(workspace_id, talk) is None


async def test_a_conversation_moves_to_another_workspace(
    open_studio, services, workspace_id, other_workspace_id, talk
) -> None:
    """Issue 17: the page follows the conversation for an administrator of all workspaces."""
    default = (await services.tenancy.workspaces.ensure_default()).id
    name = f"Archive {other_workspace_id}"
    await services.tenancy.workspaces.update(other_workspace_id, name=name)
    address = f"/conversations?conversation=chat-42&workspace={workspace_id}"
    page = await open_studio(address, workspace=default)
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Move to another workspace").click()
    dialog = page.get_by_role("dialog", name="Move A trip to Bern")
    await dialog.get_by_label("Workspace").fill(name)
    await page.get_by_role("option", name=name, exact=True).click()
    await settle(page)
    assert await grave_faults(page) == []
    await dialog.get_by_role("button", name="Move", exact=True).click()

    await page.wait_for_url(f"**/studio/conversations?conversation=chat-42&workspace={other_workspace_id}")
    await expect(page.get_by_role("heading", level=2, name="A trip to Bern", exact=True)).to_be_visible()
    assert await services.conversations.capture.find(workspace_id, talk) is None
    assert page.complaints == []


async def test_a_text_is_distilled_into_memories_of_the_conversation(
    open_studio, heard, workspace_id, talk
) -> None:
    """Issue 17: a text that is too short cannot be sent; learnt facts appear automatically."""
    page = await open_studio("/conversations?conversation=chat-42")
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Distil a text").click()
    dialog = page.get_by_role("dialog", name="Distil a text")
    await dialog.get_by_role("textbox", name="Text").fill("Too short")
    await expect(dialog.get_by_role("button", name="Distil", exact=True)).to_be_disabled()

    await dialog.get_by_role("textbox", name="Text").fill(
        "We decided to use PostgreSQL for the billing service. " * 5
    )
    await heard.by(workspace_id)
    await dialog.get_by_role("button", name="Distil", exact=True).click()

    await expect(page.get_by_text("Distillation started")).to_be_visible()
    await expect(page.get_by_text("Memories from the whole conversation")).to_be_visible()


async def test_an_address_leads_to_a_message_of_a_later_page(
    open_studio, services, workspace_id, capturing
) -> None:
    """Issue 17: a long transcript is paged; the page with the named message is loaded and shown."""
    said = [
        MessageDraft(id=f"m{number}", role=MessageRole.USER, content=f"Line {number}")
        for number in range(120)
    ]
    draft = CaptureDraft(conversation_id="long", messages=said)
    await services.conversations.capture.append(workspace_id, draft)

    page = await open_studio("/conversations?conversation=long&message=m70")
    await expect(page.get_by_role("article").filter(has_text="Line 70")).to_be_in_viewport()
    await expect(page.get_by_role("article")).to_have_count(100)

    await page.get_by_role("button", name="Show more messages").click()
    await expect(page.get_by_role("article")).to_have_count(120)
    assert page.complaints == []


async def test_a_whole_transcript_is_copied_as_markdown(open_studio, talk) -> None:
    """Issue 17: in the form that an import reads."""
    page = await open_studio("/conversations?conversation=chat-42")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Copy as Markdown").click()
    await expect(page.get_by_text("Transcript copied")).to_be_visible()

    copied = await page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("### User\n\nHello! I prefer **aisle** seats.")
    assert copied.endswith("### User\n\nI decided to take the night train.")


async def test_a_transcript_survives_a_failed_request_and_recovers(
    open_studio, services, workspace_id, talk
) -> None:
    """Issue 17: the shown messages stay, and new ones appear afterwards."""
    page = await open_studio("/conversations?conversation=chat-42")
    await expect(page.get_by_role("article")).to_have_count(3)
    async with answering(page, "Transcript", refused):
        alert = page.get_by_role("alert").filter(has_text="This could not be loaded")
        await expect(alert).to_contain_text(BUSY)
        await expect(page.get_by_role("article")).to_have_count(3)
        await settle(page)
        assert await grave_faults(page) == []
    message = MessageDraft(id="m4", role=MessageRole.USER, content="And a window seat, please.")
    draft = CaptureDraft(conversation_id=talk, messages=[message])
    await services.conversations.capture.append(workspace_id, draft)

    await expect(page.get_by_role("article")).to_have_count(4)
    await expect(alert).to_have_count(0)
    assert page.complaints == []


async def test_learnt_facts_that_could_not_be_loaded_are_reported(open_studio, remembered, talk) -> None:
    """Issue 17: with the reason, and a retry."""
    page = await open_studio("/conversations", events=False)
    head = page.get_by_role("region", name="A trip to Bern")
    async with answering(page, "Memories", refused):
        await page.get_by_role("link", name="A trip to Bern").click()
        await expect(head.get_by_role("alert")).to_contain_text(BUSY)
        await expect(head.get_by_text("0 memories")).to_have_count(0)
    await head.get_by_role("button", name="Try again").click()
    await expect(head.get_by_text("1 memory")).to_be_visible()
    await expect(head.get_by_role("alert")).to_have_count(0)
    assert page.complaints == []


async def test_every_conversation_can_be_reached(open_studio, services, workspace_id, capturing) -> None:
    """Issue 17: page by page, however many there are."""
    capture = services.conversations.capture
    for number in range(85):
        said = [MessageDraft(id="m1", role=MessageRole.USER, content="Hello")]
        platform = "Claude" if number == 0 else "ChatGPT"
        draft = CaptureDraft(
            conversation_id=f"talk-{number}", title=f"Talk {number}", platform=platform, messages=said
        )
        await capture.append(workspace_id, draft)
    page = await open_studio("/conversations")
    lines = page.get_by_role("navigation", name="Conversations").get_by_role("link")
    for shown in (40, 80, 85):
        await expect(lines).to_have_count(shown)
        more = page.get_by_role("button", name="Show more conversations")
        if shown < 85:
            await more.click()
    await expect(more).to_have_count(0)
    await expect(page.get_by_role("combobox", name="Platform")).to_be_visible()
    assert page.complaints == []


async def test_a_copied_transcript_is_imported_unchanged(
    open_studio, services, workspace_id, capturing
) -> None:
    """Issue 17: with headings of its own, and with names that are not users."""
    said = [
        MessageDraft(id="m1", role=MessageRole.USER, content="How is it released?"),
        MessageDraft(
            id="m2",
            role=MessageRole.ASSISTANT,
            speaker="Engine",
            content="# Plan\n\n## Step 1\n\n### Ada\n\nasks.",
        ),
        MessageDraft(id="m3", role=MessageRole.USER, content="Thanks"),
    ]
    draft = CaptureDraft(conversation_id="steps", messages=said)
    await services.conversations.capture.append(workspace_id, draft)
    page = await open_studio("/conversations?conversation=steps")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="More").click()
    await page.get_by_role("menuitem", name="Copy as Markdown").click()
    await expect(page.get_by_text("Transcript copied")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")

    await page.get_by_role("button", name="Import conversations").click()
    dialog = page.get_by_role("dialog", name="Import conversations")
    await dialog.get_by_label("Conversation").fill(copied)
    await expect(dialog.get_by_text("3 messages are ready to be stored.")).to_be_visible()
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await page.wait_for_url("**conversation=pasted-*")
    stored = page.url.partition("conversation=")[2].partition("&")[0]
    pages = await services.conversations.capture.messages_of(workspace_id, [stored])
    assert [(each.role, each.speaker, each.content) for each in pages[stored].items] == [
        (each.role, each.speaker, each.content) for each in said
    ]


async def test_conversations_with_equal_beginnings_stay_separate(
    open_studio, services, workspace_id, capturing
) -> None:
    """Issue 17: many conversations begin with the same greeting."""
    file = [{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": f"Answer {n}"}]}
            for n in (1, 2, 2)]  # fmt: skip
    page = await open_studio("/conversations?dialog=import")
    dialog = page.get_by_role("dialog", name="Import conversations")
    await dialog.get_by_label("Conversation").fill(json.dumps(file))
    await dialog.get_by_role("button", name="Import", exact=True).click()

    await expect(page.get_by_text("6 messages stored")).to_be_visible()
    await expect(page.locator("a[href*='conversation=pasted-']")).to_have_count(3)


async def test_a_cancelled_import_stops_on_its_page(open_studio, capturing) -> None:
    """Issue 17: it reports its progress and keeps the pasted text, which is read-only meanwhile."""
    page = await open_studio("/conversations?dialog=import")
    asked, gate = asyncio.Event(), asyncio.Event()

    async def delay(route: Route) -> None:
        if "AppendMessages" in (route.request.post_data or ""):
            asked.set()
            await gate.wait()
        await route.continue_()

    await page.route("**/graphql", delay)
    dialog = page.get_by_role("dialog", name="Import conversations")
    lines = "\n".join(f"User: Line {number}" for number in range(1200))
    await dialog.get_by_label("Conversation").fill(lines)
    await dialog.get_by_role("button", name="Import", exact=True).click()
    await asked.wait()
    await expect(dialog.get_by_role("textbox", name="Conversation")).not_to_be_editable()
    await expect(dialog.get_by_role("button", name="Choose a file")).to_be_disabled()
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(dialog).to_have_count(0)
    gate.set()

    await expect(page.get_by_text("Cancelled after 500 of 1,200 messages")).to_be_visible()
    await settle(page)
    assert "conversation=pasted" not in page.url
    await page.get_by_role("button", name="Import conversations").first.click()
    await expect(dialog.get_by_label("Conversation")).to_have_value(lines)
