"""Text typed into a form while its previous state is being saved: it stays."""

from contextlib import AsyncExitStack

import pytest
from playwright.async_api import expect

from tests.studio.conftest import Answer, answering, grave_faults, holding, operation_of, settle


async def test_text_typed_while_a_memory_is_saved_stays(open_studio, remembered) -> None:
    """L3: the dialog stays open, and a second key press saves nothing twice."""
    page = await open_studio("/memories?dialog=add")
    asked = []
    page.on("request", lambda each: asked.append(each) if operation_of(each) == "SaveMemory" else None)
    dialog = page.get_by_role("dialog", name="Add memory")
    content = dialog.get_by_label("Content")
    await content.fill("Carla is allergic to peanuts")
    async with holding(page, "SaveMemory") as is_asked:
        await page.keyboard.press("Control+Enter")
        await is_asked.wait()
        await page.keyboard.press("Control+Enter")
        await content.fill("Carla is allergic to peanuts and to nuts")
    await expect(page.get_by_text("Memory saved")).to_be_visible()
    await settle(page)
    await expect(content).to_have_value("Carla is allergic to peanuts and to nuts")
    assert len(asked) == 1

    await page.keyboard.press("Control+Enter")
    await expect(dialog).to_have_count(0)
    assert page.complaints == []


async def test_text_typed_while_settings_are_saved_stays(open_studio) -> None:
    """L10."""
    page = await open_studio("/settings")
    budget = page.get_by_label("Token budget")
    save = page.get_by_role("button", name="Save")
    await budget.fill("1500")
    async with holding(page, "ChangeSettings") as is_asked:
        await save.click()
        await is_asked.wait()
        await expect(save).to_be_disabled()
        await expect(page.get_by_role("button", name="Discard")).to_be_disabled()
        await budget.fill("1600")
        await settle(page)
        assert await grave_faults(page) == []
    await expect(page.get_by_text("Settings saved")).to_be_visible()
    await expect(save).to_be_enabled()
    await expect(budget).to_have_value("1600")
    assert page.complaints == []


async def test_text_typed_while_a_language_model_is_saved_stays(open_studio) -> None:
    """Issue 17, page 10: also a key, which no browser stores."""
    page = await open_studio("/settings?tab=model")
    key = page.get_by_role("textbox", name="Provider's key")
    await page.get_by_label("Base address").fill("https://llm.example/v1")
    await page.get_by_role("textbox", name="Model", exact=True).fill("small")
    async with holding(page, "SetLanguageModel") as is_asked:
        await page.get_by_role("button", name="Save").click()
        await is_asked.wait()
        await key.fill("sk-secret")
    await expect(page.get_by_role("status", name="In use")).to_contain_text("small at https://llm.example/v1")
    await expect(key).to_have_value("sk-secret")
    await expect(page.get_by_label("Base address")).to_have_value("https://llm.example/v1")
    assert page.complaints == []


async def test_text_typed_while_the_engine_is_changed_stays(open_studio, remembered) -> None:
    """L9: beside the saved values; also a key."""
    page = await open_studio("/engine")
    card = page.get_by_role("region", name="Qdrant")
    host, key = card.get_by_label("Host"), card.get_by_label("Key", exact=True)
    save = card.get_by_role("button", name="Save")

    def moved(answer: Answer) -> Answer:
        answer["data"]["settings"]["vectorTier"].update(host="vectors.example")
        return answer

    taken: Answer = {"data": {"updateVectorTier": {"enabled": False}}}
    await host.fill("vectors.example")
    async with AsyncExitStack() as answers:
        async with holding(page, "ChangeVectorTier", taken) as is_asked:
            await save.click()
            await is_asked.wait()
            await answers.enter_async_context(answering(page, "EngineSettings", moved))
            await expect(save).to_be_disabled()
            await expect(card.get_by_role("button", name="Discard")).to_be_disabled()
            await card.get_by_label("Collection").fill("notes")
            await key.fill("typed-key")
        await expect(page.get_by_text("Settings saved")).to_be_visible()
        await expect(save).to_be_enabled()
        await expect(host).to_have_value("vectors.example")
        await expect(card.get_by_label("Collection")).to_have_value("notes")
        await expect(key).to_have_value("typed-key")
    assert page.complaints == []


@pytest.mark.parametrize(
    ("address", "opener", "label", "operation"),
    [
        ("/settings?tab=keys", "Create key", "Name", "CreateApiKey"),
        ("/agents?tab=metrics", "Add metric", "Name", "CreateMetric"),
    ],
)
async def test_text_typed_into_a_closing_dialog_stays_for_the_next(
    open_studio, address, opener, label, operation
) -> None:
    """Issue 17."""
    page = await open_studio(address)
    dialog = page.get_by_role("dialog", name=opener)
    await page.get_by_role("button", name=opener).first.click()
    await dialog.get_by_label(label).fill("first")
    async with holding(page, operation) as is_asked:
        await dialog.get_by_role("button", name=opener).click()
        await is_asked.wait()
        await dialog.get_by_label(label).fill("second")
    await expect(dialog).to_have_count(0)
    if operation == "CreateApiKey":
        await page.get_by_role("button", name="I have stored it").click()

    await page.get_by_role("button", name=opener).first.click()
    await expect(dialog.get_by_label(label)).to_have_value("second")
