"""Failing linking: retried, parked, reported and repaired; the memory stays available."""

from datetime import timedelta

import pytest

from graph.core.jobs import JobRunner, Jobs, failing_as_job
from graph.core.models import JobKind, JobRules, JobState
from graph.core.queries import ClaimJobsRow
from graph.knowledge.linking.service import Linking
from graph.memories.models import MemoryChange, MemoryDraft, MemoryState
from graph.memories.saving.waiting import wait_for
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until

TEXT = "I met Ada Lovelace over the quokka census"
# The batch has room for jobs that other tests left for tomorrow.
RULES = JobRules(batch_size=10_000, max_attempts=3, first_delay_seconds=2)
FAILURE = "linking: RuntimeError"


class Broken:
    """A credential detector that fails during linking."""

    def kinds_in(self, text: str) -> list[str]:
        raise RuntimeError(text)


class Bench:
    """Workers with tomorrow's clock and failing linking, and memories whose jobs are due tomorrow."""

    def __init__(self, services, workspace_id, memories_under) -> None:
        self.clock = MovingClock()
        self.clock.move(days=1)
        self.services = services
        self.workspace_id = workspace_id
        self.memories = memories_under(clock=self.clock)
        linking = Linking(
            services.core.database,
            services.knowledge.ontology.types,
            self.clock,
            services.core.text_work,
            secrets=Broken(),
        )
        runner = JobRunner(failing_as_job(linking.run_jobs), on_parked=linking.mark_failed)
        self.jobs = Jobs(
            services.core.database,
            services.core.wake_up,
            services.core.announcer,
            self.clock,
            RULES,
            {JobKind.LINK: runner},
        )

    async def remember(self, content: str = TEXT):
        return (await self.memories.save(self.workspace_id, MemoryDraft(content=content))).memory

    async def fail_once(self) -> None:
        with pytest.raises(ExceptionGroup):
            await self.jobs.run_due("worker")

    async def give_up(self) -> None:
        for _ in range(RULES.max_attempts):
            await self.fail_once()
            self.clock.move(hours=1)

    async def job(self):
        jobs = (await self.services.core.jobs.page(self.workspace_id)).items
        (job,) = [job for job in jobs if job.kind is JobKind.LINK]
        return job

    async def stored(self, id_):
        return await self.services.memories.store.find(self.workspace_id, id_)


@pytest.fixture
def bench(services, workspace_id, memories_under) -> Bench:
    return Bench(services, workspace_id, memories_under)


async def test_failed_linking_is_retried_with_growing_delays_then_parked(bench) -> None:
    """The memory keeps its state and gets the reason, which does not quote its text."""
    memory = await bench.remember()
    dues = []
    for _ in range(2):
        failed_at = bench.clock.now()
        await bench.fail_once()
        dues.append((await bench.job()).due_at - failed_at)
        assert (await bench.stored(memory.id)).failure is None
        bench.clock.move(hours=1)
    await bench.fail_once()

    job, stored = await bench.job(), await bench.stored(memory.id)
    assert dues == [timedelta(seconds=2), timedelta(seconds=4)]
    assert (job.state, job.attempts, job.error, job.due_at) == (JobState.FAILED, 3, "RuntimeError", None)
    assert (stored.state, stored.enriched, stored.failure) == (MemoryState.EMBEDDED, False, FAILURE)
    assert stored.content == TEXT


async def test_an_unlinked_memory_is_still_recalled(bench) -> None:
    """D41: an acknowledged memory does not depend on the job."""
    memory = await bench.remember()
    await bench.give_up()

    result = await bench.services.retrieval.recall.recall(
        bench.workspace_id, RecallQuery(query="quokka census")
    )

    assert [hit.memory.id for hit in result.hits] == [memory.id]
    assert result.hits[0].memory.failure == FAILURE


async def test_waiting_ends_if_linking_failed(bench) -> None:
    """B14: nobody waits for a state that cannot be reached."""
    memory = await bench.remember()
    await bench.give_up()

    reads = []

    async def read(ids):
        reads.append(ids)
        return await bench.services.memories.store.find_all(bench.workspace_id, ids)

    found = await wait_for(read, [memory.id], MemoryState.LINKED, timeout_ms=10_000)

    assert reads == [[memory.id]]
    assert (found[memory.id].state, found[memory.id].failure) == (MemoryState.EMBEDDED, FAILURE)


async def test_a_manual_retry_links_the_memory(bench, edges) -> None:
    """``retryJob`` after the cause is fixed; the running engine's linking works."""
    memory = await bench.remember()
    await bench.give_up()

    async def is_linked() -> bool:
        return (await bench.stored(memory.id)).state is MemoryState.LINKED

    await bench.services.core.jobs.retry(bench.workspace_id, (await bench.job()).id)
    await until(is_linked)

    stored = await bench.stored(memory.id)
    assert (stored.enriched, stored.failure) == (True, None)
    assert await edges(memory.id) == [("Ada Lovelace", "rule", "Ada Lovelace")]


async def test_linking_and_embedding_failures_are_separate(bench) -> None:
    """A failed embedding hides the failed linking; once it succeeds, the linking failure shows again."""
    memory = await bench.remember()
    await bench.give_up()
    embed = ClaimJobsRow(
        id="job_x",
        workspace_id=bench.workspace_id,
        subject_id=memory.id,
        revision=1,
        attempts=1,
        waits=0,
        created_at=bench.clock.now(),
    )

    await bench.services.vectors.embeddings.mark_failed([embed], "the model is away")
    assert (await bench.stored(memory.id)).failure == "the model is away"

    await bench.services.vectors.embeddings.embed_memories([embed])
    healed = await bench.stored(memory.id)
    assert (healed.state, healed.failure) == (MemoryState.EMBEDDED, FAILURE)


async def test_a_changed_text_resets_the_attempts(bench) -> None:
    memory = await bench.remember()
    await bench.give_up()

    changed = await bench.memories.update(
        bench.workspace_id, memory.id, MemoryChange(content="I met Grace Hopper")
    )

    stored = await bench.stored(memory.id)
    assert (changed.failure, stored.failure) == (None, None)
    assert (await bench.job()).state is JobState.PENDING
