"""Who does the jobs that saving memories asks for, and by which rules all jobs are done."""

from collections.abc import Mapping, Sequence

from app.bootstrap.vector_tier import Tier
from app.settings import WorkerSettings
from graph.core.database import Database
from graph.core.jobs.failing import failing_as_job
from graph.core.jobs.models import JobKind
from graph.core.jobs.queries import ClaimJobsRow
from graph.core.jobs.service import JobRules, JobRunner
from graph.core.ports import Clock
from graph.knowledge.linking.service import Linking
from graph.memories.service import Memories
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.service import Embeddings

_EMBEDDED_FIRST = 16
"""Batches: many memories that are saved at once are found by meaning before they are linked."""


def job_rules(settings: WorkerSettings) -> JobRules:
    """Return how jobs are claimed and tried again."""
    return JobRules(
        batch_size=settings.batch_size,
        lease_seconds=settings.lease_seconds,
        max_attempts=settings.max_attempts,
    )


def memory_runners(
    database: Database,
    clock: Clock,
    embeddings: Embeddings,
    reembedding: Reembedding,
    memories: Memories,
    tier: Tier,
    linking: Linking,
) -> Mapping[JobKind, JobRunner]:
    """Return who embeds memories and links them.

    The queue of texts to embed flushes itself (B13): a worker takes at once whatever is due, so a lone memory is
    embedded when it is saved, and what comes in while a batch is with the model is the next batch. Waiting two
    seconds for twenty texts would make the batches no larger under load and every lone memory late.
    """

    async def embed(jobs: Sequence[ClaimJobsRow]) -> None:
        await embeddings.embed_memories(jobs)
        await memories.note_duplicates(jobs)
        embedded = [(job.workspace_id, job.subject_id) for job in jobs]
        await tier.mirroring.enqueue_memories(database, embedded, clock.now())

    return {
        JobKind.EMBED: JobRunner(
            failing_as_job(embed),
            is_ready=lambda: embeddings.can_embed_memories,
            on_parked=embeddings.mark_failed,
            batches=_EMBEDDED_FIRST,
        ),
        JobKind.LINK: JobRunner(failing_as_job(linking.run_jobs), on_parked=linking.mark_failed),
        JobKind.REEMBED: JobRunner(failing_as_job(reembedding.run), is_ready=lambda: reembedding.is_ready),
    }
