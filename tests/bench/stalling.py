"""Stalls: durations for which background jobs block the event loop."""

import asyncio
import contextlib
import gc
import json
import time
from asyncio.events import Handle
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.bootstrap.runtime import warmed_up
from graph.conversations.capture.models import CaptureDraft, MessageDraft, MessageRole
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.errors import Unavailable
from graph.knowledge.documents.models import DocumentDraft
from graph.memories.compaction.service import CompactionMode, CompactionRequest
from graph.memories.models import MemoryDraft
from graph.operations.services import Services
from graph.telemetry.models import ActionDraft
from graph.telemetry.models import Outcome as ActionOutcome
from tests.bench.engine import engine, servers
from tests.bench.engine import settle as settle_once
from tests.bench.progress import say
from tests.bench.results import Table, against

MOST_MS = 50.0
_BEAT_SECONDS = 0.005
_TURN_CHARS = 31_900
_ATTEMPTS = 20
_LONG_TURNS = (
    "I like tea and Ada Lovelace of Acme Corp lives in Oslo since 2019. We still need to call her. It is done. ",
    "我喜欢喝茶。我住在奥斯陆。我们决定用火车。",
    "我喜欢", "a@", "[](", "“", "I ", "A ", "a.a() ", " \n", "1.", "`a` ", "<",
)  # fmt: skip


@dataclass
class Watchdog:
    """Measurements of the event loop.

    Attributes:
        late: Delay of each beat in seconds of wall time, which other tasks would have waited.
        busy: CPU time of the longest callback in seconds, unaffected by other processes.
        culprit: Representation of that callback.
    """

    late: list[float] = field(default_factory=list)
    busy: float = 0.0
    culprit: str = ""

    def percentile(self, share: float) -> float:
        """Return a percentile of the delays in milliseconds; ``share`` is 0 to 1."""
        ordered = sorted(self.late) or [0.0]
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


@contextlib.asynccontextmanager
async def watching() -> AsyncIterator[Watchdog]:
    """Measure the event loop during the block."""
    seen = Watchdog()
    run = Handle._run

    def measured(handle: Handle) -> None:
        begin = time.thread_time()
        run(handle)
        busy = time.thread_time() - begin
        if busy > seen.busy:
            seen.busy, seen.culprit = busy, repr(getattr(handle._callback, "__self__", handle))

    async def beat() -> None:
        while True:
            begin = time.perf_counter()
            await asyncio.sleep(_BEAT_SECONDS)
            seen.late.append(max(0.0, time.perf_counter() - begin - _BEAT_SECONDS))

    beating = asyncio.create_task(beat())
    Handle._run = measured  # type: ignore[method-assign]
    try:
        yield seen
    finally:
        Handle._run = run  # type: ignore[method-assign]
        beating.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await beating


async def settle(services: Services, workspace_id: str) -> None:
    """Run the jobs of a workspace; like workers, retry if Neo4j times out on a busy machine."""
    for _ in range(_ATTEMPTS - 1):
        with contextlib.suppress(Unavailable):
            return await settle_once(services, workspace_id)
    return await settle_once(services, workspace_id)


async def measure_stalls(rounds: int) -> list[Table]:
    """Measure each kind of background job ``rounds`` times, on ordinary and on adversarial texts."""
    say("stalls: starting Neo4j")
    async with contextlib.AsyncExitStack() as stack:
        settings = await stack.enter_async_context(servers())
        services = (await stack.enter_async_context(engine(settings))).services
        await stack.enter_async_context(warmed_up(services))
        while not gc.get_freeze_count():  # the last step of the start; collections then skip frozen objects
            await asyncio.sleep(_BEAT_SECONDS)
        workspace = await services.tenancy.workspaces.create("stalls", memory_enabled=True)
        measured: dict[str, Watchdog] = {}
        async with watching() as idle:
            await asyncio.sleep(1)
        measured["nothing"] = idle
        for name, work in _works(_Jobs(services, workspace.id)).items():
            say(f"stalls: {name}")
            await work(0)  # unmeasured: creates plans, processes and caches
            async with watching() as seen:
                for number in range(1, rounds + 1):
                    await work(number)
            measured[name] = seen
            if 1000 * seen.busy > MOST_MS:
                say(f"stalls: {1000 * seen.busy:.0f} ms in {seen.culprit}")
    return _outcome(measured, rounds)


@dataclass(frozen=True)
class _Jobs:
    """Background jobs of each kind, on different texts in each round."""

    services: Services
    workspace_id: str

    @staticmethod
    def turns(number: int) -> list[str]:
        return [f"{number} {text * (_TURN_CHARS // len(text))}" for text in _LONG_TURNS]

    async def embed_and_link(self, number: int) -> None:
        drafts = [MemoryDraft(content=f"{number}-{each} Ada Lovelace met Bob in Oslo") for each in range(300)]
        await self.services.memories.store.save_all(self.workspace_id, drafts)
        await settle(self.services, self.workspace_id)

    async def embed_and_link_turns(self, number: int) -> None:
        drafts = [
            MemoryDraft(content=text, source_conversation_id=f"turns-{number}") for text in self.turns(number)
        ]
        await self.services.memories.store.save_all(self.workspace_id, drafts)
        await settle(self.services, self.workspace_id)

    async def capture_and_extract(self, number: int) -> None:
        messages = [
            MessageDraft(role=MessageRole.USER if place % 2 == 0 else MessageRole.ASSISTANT, content=text)
            for place, text in enumerate(self.turns(number) * 3)
        ]
        draft = CaptureDraft(conversation_id=f"talk-{number}", messages=messages)
        await self.services.conversations.capture.append(self.workspace_id, draft)
        await self.services.conversations.extraction.request(self.workspace_id, f"talk-{number}")
        await settle(self.services, self.workspace_id)

    async def hand_over(self, number: int) -> None:
        await self.services.conversations.handoffs.summarise(self.workspace_id, f"talk-{number}")

    async def consolidate(self, number: int) -> None:
        await self.services.conversations.episodes.consolidate(
            self.workspace_id, f"talk-{number}", retain_last=0, max_age_days=0
        )

    async def compact(self, _: int) -> None:
        request = CompactionRequest(dry_run=True, older_than_days=0)
        await self.services.memories.compaction.compact(self.workspace_id, request)
        request = CompactionRequest(dry_run=True, mode=CompactionMode.TRUNCATE, max_tokens=100)
        await self.services.memories.compaction.compact(self.workspace_id, request)

    async def distil(self, number: int) -> None:
        for place, text in enumerate(self.turns(number)):
            output = Output(
                source=DistillSource.RESEARCH, text=text, api_key_id="k", invocation_id=f"{number}-{place}"
            )
            await self.services.conversations.distillation.enqueue(self.workspace_id, output)
        await settle(self.services, self.workspace_id)

    async def add_documents(self, number: int) -> None:
        lines = (f"Section {each} says that Ada Lovelace lives in Oslo." for each in range(20_000))
        draft = DocumentDraft(
            key=f"plain-{number}",
            title="Plain",
            media_type="text/plain",
            content="\n\n".join(lines)[:600_000],
        )
        await self.services.knowledge.documents.add(self.workspace_id, draft)
        page = "<p>" + "</p><p>".join(f"Paragraph {each} of {number}." for each in range(2_000)) + "</p>"
        await self.services.knowledge.documents.add(
            self.workspace_id,
            DocumentDraft(key=f"page-{number}", title="Page", media_type="text/html", content=page),
        )
        await settle(self.services, self.workspace_id)

    async def exchange(self, number: int) -> None:
        types = [
            {"name": f"Kind{number}x{each}", "description": f"Kind {each} of things"} for each in range(300)
        ]
        await self.services.knowledge.exchange.import_types(
            self.workspace_id, json.dumps({"entityTypes": types})
        )
        await self.services.knowledge.exchange.export(self.workspace_id)

    async def promote(self, number: int) -> None:
        drafts = [
            ActionDraft(
                session_id=f"{number}-{each // 10}",
                action_type=f"action{each % 50}",
                node_type="Service",
                outcome=ActionOutcome.ERROR if each % 3 else ActionOutcome.SUCCESS,
                error_code="E" if each % 3 else None,
                latency_ms=10.0,
            )
            for each in range(1000)
        ]
        await self.services.telemetry.recorder.record(self.workspace_id, drafts)
        await self.services.telemetry.promoter.promote(self.workspace_id)
        await settle(self.services, self.workspace_id)


def _works(jobs: _Jobs) -> Mapping[str, Callable[[int], Awaitable[Any]]]:
    return {
        "embed and link 300 statements": jobs.embed_and_link,
        f"embed and link {len(_LONG_TURNS)} turns of 32,000 characters": jobs.embed_and_link_turns,
        f"capture and extract {3 * len(_LONG_TURNS)} such messages": jobs.capture_and_extract,
        "handoff of them": jobs.hand_over,
        "consolidation of them": jobs.consolidate,
        "compaction of all, tried out": jobs.compact,
        "distilling of such texts": jobs.distil,
        "documents": jobs.add_documents,
        "import and export of an ontology": jobs.exchange,
        "telemetry promotion": jobs.promote,
    }


def _outcome(measured: Mapping[str, Watchdog], rounds: int) -> list[Table]:
    table = Table(
        "What a background job keeps the event loop from",
        ["job", "beats", "late p99 ms", "late worst ms", "longest callback, CPU ms", "target"],
        note=(
            f"{rounds} rounds each after one unmeasured, ordinary and adversarial texts, the workers in the service. "
            "A beat every 5 ms; how late it comes counts whatever else runs on the machine. The longest callback is "
            "measured in processor time of the loop's thread, and is held to the target. Mirroring needs Qdrant and "
            "is not measured."
        ),
    )
    for name, seen in measured.items():
        busy = 1000 * seen.busy
        table.rows.append(
            [
                name,
                f"{len(seen.late):,}",
                f"{seen.percentile(0.99):.1f}",
                f"{1000 * max(seen.late, default=0.0):.1f}",
                f"{busy:.1f}",
                against(busy, MOST_MS, at_most=True),
            ]
        )
    return [table]
