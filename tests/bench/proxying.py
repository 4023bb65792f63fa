"""``recollect bench proxy``: what the chat proxy adds before the first byte of an answer."""

import time
from collections.abc import Mapping
from typing import Any

import httpx
import numpy as np

from tests.bench.engine import ADMIN_KEY, servers
from tests.bench.retrieval import Outcome
from tests.bench.service import Timings, service
from tests.bench.tables import Table, against
from tests.fixtures.upstream import ChatUpstream, Says, listening

_BATCH = 100
_WARM_UP = 20
_MOST_ADDED_P50_MS = 10.0  # the bound, beyond the context call
_TOPICS = "harbour orchard violin glacier lantern compass bakery meadow".split()
_HABITS = "in the morning|on Fridays|before a journey|in winter|with friends|after work".split("|")


async def measure_proxy(memories: int, turns: int) -> Outcome:
    """Stream turns from a local upstream, straight and through the proxy of a service process of its own."""
    upstream = ChatUpstream(answers=[Says("An answer of some words, as a model would stream it.")])
    async with (
        servers() as settings,
        listening(upstream) as url,
        service(settings, RECOLLECT_PROXY_URL=f"{url}/v1") as running,
        httpx.AsyncClient(timeout=60, headers={"Authorization": f"Bearer {ADMIN_KEY}"}) as http,
    ):
        upstream.url = f"{url}/v1"
        workspace_id = await running.client.own_workspace()
        for first in range(0, memories, _BATCH):
            texts = [_memory(number) for number in range(first, min(first + _BATCH, memories))]
            await running.client.save(workspace_id, texts)
        await running.client.until_embedded(workspace_id)
        measured = [await _turn(http, upstream.url, f"{running.url}/v1", n) for n in range(turns + _WARM_UP)]
    return _outcome(memories, measured[_WARM_UP:])


async def _turn(http: httpx.AsyncClient, upstream: str, proxy: str, number: int) -> Mapping[str, float]:
    """Return the seconds to the first byte of one turn on each way, and those its context took."""
    opted_out = {"x-omniroute-no-memory": "true"}
    conversation = {"x-recollect-conversation-id": f"bench-{number}"}
    direct, _ = await _first_byte(http, upstream, number, {})
    passed, _ = await _first_byte(http, proxy, number, opted_out)
    given, told = await _first_byte(http, proxy, number, conversation)
    context = float(told.rpartition("dur=")[2] or 0) / 1000
    return {"direct": direct, "opted out": passed, "with memory": given, "context": context}


async def _first_byte(
    http: httpx.AsyncClient, url: str, number: int, headers: Mapping[str, str]
) -> tuple[float, str]:
    question = f"What about the {_TOPICS[number % len(_TOPICS)]}, number {number}?"
    body: dict[str, Any] = {
        "model": "bench",
        "stream": True,
        "messages": [{"role": "user", "content": question}],
    }
    start = time.perf_counter()
    async with http.stream("POST", f"{url}/chat/completions", json=body, headers=dict(headers)) as response:
        response.raise_for_status()
        chunks = response.aiter_raw()
        await anext(chunks)
        seconds = time.perf_counter() - start
        async for _ in chunks:
            pass
    return seconds, response.headers.get("server-timing", "")


def _memory(number: int) -> str:
    topic, habit = _TOPICS[number % len(_TOPICS)], _HABITS[number % len(_HABITS)]
    return f"Note {number}: the {topic} is visited {habit}"


def _outcome(memories: int, measured: list[Mapping[str, float]]) -> Outcome:
    columns = {name: np.array([turn[name] for turn in measured]) for name in measured[0]}
    added = {
        "through the proxy, opted out": columns["opted out"] - columns["direct"],
        "with memory and capture": columns["with memory"] - columns["direct"],
        "of this: the context call": columns["context"],
        "with memory, beyond the context call": columns["with memory"]
        - columns["direct"]
        - columns["context"],
    }
    table = Table(
        f"added before the first byte, {memories:,} memories, {len(measured)} turns one after the other",
        ["what", "p50 ms", "p95 ms", "target p50"],
        note="Each turn beside the same turn sent straight to the upstream, which answers at once.",
    )
    figures = {}
    for name, seconds in added.items():
        times = Timings(seconds.tolist())
        target = _MOST_ADDED_P50_MS if "beyond" in name else None
        reached = against(times.ms(50), target, at_most=True)
        table.rows.append([name, f"{times.ms(50):.1f}", f"{times.ms(95):.1f}", reached])
        figures[name] = [times.ms(50), times.ms(95)]
    return Outcome([table], figures)
