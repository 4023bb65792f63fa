"""Changes from and to a model given as a folder, on a separate store."""

from app.adapters.embedding.static import StaticEmbedder
from app.settings import EmbeddingSettings
from graph.core.models import RecallTier
from graph.memories.models import MemoryDraft
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from graph.tenancy.models import Principal
from tests.fixtures.own_store import make_empty
from tests.fixtures.static_model import write_static_model
from tests.fixtures.tiers import SwitchableTier
from tests.fixtures.waiting import until
from tests.integration.operations.settings.conftest import PATIENCE, change, keeper_of_default, running, uses


async def test_a_folders_model_serves_until_another_replaces_it(
    own_driver, own_settings, tmp_path, embedding_server
) -> None:
    """Issue 35 (6): the loaded model searches its vectors until then, even after a restart."""
    await make_empty(own_driver)
    folder = write_static_model(tmp_path / "mine")
    embedding = EmbeddingSettings(
        source="static",
        static_model=str(folder),
        custom_url=embedding_server.url,
        provider_model="custom/new",
    )
    settings = own_settings.model_copy(update={"embedding": embedding})
    mine = StaticEmbedder(folder).signature
    embedding_server.key = "not yet"

    async def served_by(services: Services) -> tuple[RecallTier, str | None, list[str]]:
        found = await services.retrieval.recall.recall(keeper.workspace_id, RecallQuery(query="tea time"))
        return found.resolution.tier, found.resolution.embedder, [hit.memory.content for hit in found.hits]

    async with running(settings, SwitchableTier()) as services:
        keeper = await keeper_of_default(services)
        await uses(services, mine)
        await services.memories.store.save(keeper.workspace_id, MemoryDraft(content="Ada prefers tea"))
        await all_embedded(services, keeper)
        await change(services, keeper, embeddingSource="remote")
        while_running = await served_by(services)
    async with running(settings, SwitchableTier()) as services:
        await uses(services, mine)
        after_a_start = await served_by(services)
        embedding_server.key = None
        await uses(services, "remote:custom/new:32")
        taken_over = await served_by(services)

    assert while_running == after_a_start == (RecallTier.VECTOR, mine, ["Ada prefers tea"])
    assert taken_over == (RecallTier.VECTOR, "remote:custom/new:32", ["Ada prefers tea"])


async def all_embedded(services: Services, keeper: Principal) -> None:
    """Wait until all memories of the administrator's workspace are embedded."""

    async def is_so() -> bool:
        (counts,) = (await services.operations.status.engine([keeper.workspace_id])).workspaces
        return counts.embedded == counts.memories > 0

    await until(is_so, seconds=PATIENCE)


async def test_a_folder_with_changed_weights_is_another_model(own_driver, own_settings, tmp_path) -> None:
    """Issue 35 (6): only words are searched until re-embedding ends; no query uses the old vectors."""
    await make_empty(own_driver)
    folder = write_static_model(tmp_path / "mine")
    embedding = EmbeddingSettings(source="static", static_model=str(folder))
    settings = own_settings.model_copy(update={"embedding": embedding})
    before = StaticEmbedder(folder).signature
    async with running(settings, SwitchableTier()) as services:
        keeper = await keeper_of_default(services)
        await uses(services, before)
        await services.memories.store.save(keeper.workspace_id, MemoryDraft(content="Ada prefers tea"))
        await all_embedded(services, keeper)

    write_static_model(folder, seed=8)
    after = StaticEmbedder(folder).signature
    async with running(settings, SwitchableTier()) as services:
        query = RecallQuery(query="tea time")
        first = await services.retrieval.recall.recall(keeper.workspace_id, query)
        await uses(services, after)
        await all_embedded(services, keeper)
        last = await services.retrieval.recall.recall(keeper.workspace_id, query)

    assert before != after
    assert first.resolution.embedder in (None, after)
    assert [hit.memory.content for hit in first.hits] == ["Ada prefers tea"]
    assert (last.resolution.tier, last.resolution.embedder) == (RecallTier.VECTOR, after)
    assert [hit.memory.content for hit in last.hits] == ["Ada prefers tea"]
