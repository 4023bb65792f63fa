"""The warning about memories in languages that the embedding model does not read."""

import pytest
from structlog.testing import capture_logs

from graph.memories.models import MemoryDraft
from graph.operations import status as engine_status
from graph.operations.status import Status
from tests.fixtures.twenty_languages import SENTENCES


@pytest.fixture
def status(services, monkeypatch) -> Status:
    """Return a status service whose model reads only English."""
    monkeypatch.setattr(services.vectors.embeddings, "reads_english_only", lambda _: True)
    return services.operations.status


async def saved(services, workspace_id: str, *languages: str) -> None:
    drafts = [MemoryDraft(content=text) for language in languages for text in SENTENCES[language]]
    await services.memories.store.save_all(workspace_id, drafts)


async def test_the_share_counts_the_memories_of_one_workspace(status, services, workspace_id) -> None:
    """Issue 39: it reveals nothing about other workspaces' languages."""
    other = (await services.tenancy.workspaces.create("in Chinese")).id
    await saved(services, workspace_id, "en", "de")
    await saved(services, other, "zh")

    assert await status.unread_share(workspace_id) == 0.5
    assert await status.unread_share(other) == 1.0


async def test_a_workspace_without_memories_has_none_unread(status, workspace_id) -> None:
    assert await status.unread_share(workspace_id) == 0


async def test_the_share_is_read_once_for_many_requests(status, services, workspace_id) -> None:
    """Issue 39: Home requests it on every visit; only a workspace without memories is read again."""
    assert await status.unread_share(workspace_id) == 0
    await saved(services, workspace_id, "zh")
    assert await status.unread_share(workspace_id) == 1.0
    await saved(services, workspace_id, "en")

    assert await status.unread_share(workspace_id) == 1.0


async def test_a_model_of_many_languages_leaves_nothing_unread(services, workspace_id) -> None:
    """Issue 39: a model with unknown languages gives no warning either."""
    await saved(services, workspace_id, "zh")

    assert await services.operations.status.unread_share(workspace_id) == 0


@pytest.mark.parametrize(("english", "warned"), [(9, True), (10, False)])
async def test_a_tenth_of_unread_texts_is_logged_with_the_remedy(
    status, services, monkeypatch, english, warned
) -> None:
    """Issue 39: one line, without any text."""

    async def sampled_texts(_database) -> list[str]:
        return [*(SENTENCES["en"] * 2)[:english], SENTENCES["ja"][0]]

    monkeypatch.setattr(engine_status, "sampled_texts", sampled_texts)
    with capture_logs() as logs:
        await status.warn_of_unread()

    expected = {
        "event": "embedder.reads_english_only",
        "log_level": "warning",
        "signature": services.vectors.embeddings.active.signature,
        "share": 0.1,
        "remedy": "recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4",
    }
    assert logs == ([expected] if warned else [])


async def test_the_store_is_sampled_over_all_workspaces(services, workspace_id) -> None:
    """Issue 39: at most a thousand texts, each truncated."""
    await saved(services, workspace_id, "ko")

    texts = await engine_status.sampled_texts(services.core.database)

    assert 1 <= len(texts) <= 1000
    assert max(map(len, texts)) <= 300
