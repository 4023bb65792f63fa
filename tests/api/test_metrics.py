"""Prometheus metrics: times, queues and fallbacks, without user data."""

import httpx
import pytest

from app.bootstrap.runtime import open_runtime
from app.cli.servers.api_server import operations_port
from app.main import create_app
from app.observability.metrics import Metrics
from app.settings.servers import MetricsSettings
from graph.memories.models import MemoryDraft
from graph.operations.status import Health
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.app import ADMIN_KEY, GraphQLClient
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.measuring import samples, value
from tests.fixtures.replaced import with_service
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

ADMIN = {"Authorization": f"Bearer {ADMIN_KEY}"}
MARK = "quokkamarmalade"
SAVE = "mutation($text: String!) { saveMemory(input: {content: $text}) { memory { id } } }"
RECALL = "query($text: String!) { recall(input: {query: $text}) { hits { memory { id } } } }"
LABELS = {
    "recollect_requests": {"surface", "status"},
    "recollect_request_seconds": {"surface"},
    "recollect_stage_seconds": {"stage"},
    "recollect_statement_seconds": {"query"},
    "recollect_statement_failures": {"query"},
    "recollect_fallbacks": {"operation", "reason"},
    "recollect_jobs": {"kind", "outcome"},
    "recollect_queue_jobs": {"kind", "state"},
    "recollect_queue_age_seconds": {"kind", "state"},
    "recollect_server_up": {"server"},
    "recollect_embedder_ready": set(),
    "recollect_embedding_cache": {"result"},
    "recollect_embedding_cache_entries": set(),
}


async def measured(http) -> str:
    response = await http.get("/metrics", headers=ADMIN)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
    return response.text


async def test_metrics_on_the_api_port_need_an_administrator(http, graphql) -> None:
    """I11: they reveal other tenants' load."""
    assert (await http.get("/metrics")).status_code == 401
    assert (await http.get("/metrics", headers={"X-API-Key": graphql.key})).status_code == 403
    assert (await http.get("/metrics", headers=ADMIN)).status_code == 200


async def test_each_stage_of_a_recall_and_a_save_is_timed(http, graphql) -> None:
    before = await measured(http)
    await graphql.ok(SAVE, text="tabs over spaces")
    await graphql.ok(RECALL, text="tabs or spaces")
    after = await measured(http)

    for stage in ("save", "recall.embed", "recall.graph", "recall.rank", "recall.read"):
        counts = [value(text, "recollect_stage_seconds_count", stage=stage) for text in (before, after)]
        assert counts[0] + 1 <= counts[1], stage
    for query in ("create_memories", "get_hits"):
        counts = [value(text, "recollect_statement_seconds_count", query=query) for text in (before, after)]
        assert counts[0] < counts[1], query


async def test_requests_are_counted_by_surface_and_status(http, graphql) -> None:
    before = await measured(http)
    await graphql.ok("{ me { name } }")
    await http.get("/health")
    await http.get("/nothing/of/the/kind")
    await http.post("/graphql", json={"query": "{ me { name } }"})
    after = await measured(http)

    for surface, status in (("graphql", "200"), ("operations", "200"), ("none", "404"), ("graphql", "401")):
        assert value(before, "recollect_requests_total", surface=surface, status=status) < value(
            after, "recollect_requests_total", surface=surface, status=status
        ), (surface, status)


async def test_labels_contain_no_user_data(http, services, graphql, workspace_id) -> None:
    """N7: for any input; the code therefore limits the number of time series."""
    await graphql.ok(SAVE, text=f"{MARK} is what I like")
    await graphql.ok(RECALL, text=MARK)
    await graphql.post("{ " + MARK + " }")
    await http.get(f"/{MARK}")
    await http.get(f"/v1/workspaces/{workspace_id}/{MARK}", headers={"X-API-Key": graphql.key})
    text = await measured(http)

    assert MARK not in text
    assert workspace_id not in text
    assert graphql.key not in text
    ours = [sample for sample in samples(text) if sample.name.startswith("recollect_")]
    for sample in ours:
        family = max((name for name in LABELS if sample.name.startswith(name)), key=len)
        assert set(sample.labels) - {"le"} == LABELS[family], sample.name


async def test_metrics_match_the_queue_the_cache_and_the_servers(settings, services, workspace_id) -> None:
    """The number and age of waiting jobs, by kind and state."""
    async with open_runtime(settings, embedder=HashingEmbedder()) as runtime:  # without workers
        await runtime.services.memories.store.save(workspace_id, MemoryDraft(content="nobody links this"))
        text = (
            await Metrics(runtime.watch.metrics._recorder, runtime.services, shared_seconds=0).text()
        ).decode()

    assert value(text, "recollect_server_up", server="neo4j") == 1
    assert value(text, "recollect_server_up", server="redis") == 1
    assert value(text, "recollect_embedder_ready") == 1
    names = {sample.name for sample in samples(text)}
    assert {"recollect_embedding_cache_total", "recollect_embedding_cache_entries"} <= names


class SlowQueue:
    """The jobs of a store without workers, which count their reads."""

    def __init__(self, real) -> None:
        self._real = real
        self.asked = 0

    async def backlog(self):
        self.asked += 1
        return await self._real.backlog()


async def test_frequent_scrapes_query_the_graph_once(services, runtime) -> None:
    jobs = SlowQueue(services.core.jobs)
    metrics = Metrics(
        runtime.watch.metrics._recorder, with_service(services, "core.jobs", jobs), shared_seconds=3600
    )

    texts = [await metrics.text() for _ in range(5)]

    assert jobs.asked == 1
    assert all(texts)


async def test_metrics_without_the_graph_include_the_rest(services, runtime) -> None:
    """Operators need them most during such an outage."""

    class Away:
        async def health(self):
            return Health(neo4j=False, redis=True, embedder=services.vectors.embeddings.state)

    away = with_service(services, "operations.status", Away())
    text = (await Metrics(runtime.watch.metrics._recorder, away).text()).decode()

    assert value(text, "recollect_server_up", server="neo4j") == 0
    assert "recollect_queue_jobs" not in text
    assert "recollect_stage_seconds" in text


async def test_an_answer_without_vectors_is_counted_by_its_reason(settings, workspace_id) -> None:
    """The label has only the kind of the reason, never a server's message."""
    embedder = HashingEmbedder()
    async with open_runtime(settings, embedder=embedder) as runtime:
        embedder.failure = f"the endpoint says {MARK}"
        await runtime.services.retrieval.recall.recall(workspace_id, RecallQuery(query="tabs"))
        await runtime.services.retrieval.search.search(workspace_id, "tabs")
        text = (await runtime.watch.metrics.text()).decode()

    for operation in ("recall", "search"):
        for reason in ("keywords only", "vector"):
            assert value(text, "recollect_fallbacks_total", operation=operation, reason=reason) >= 1
    assert MARK not in text


async def test_jobs_are_counted_as_they_end(http, services, workspace_id) -> None:
    """M9: here for ``done``; tests/integration/core/jobs has the other outcomes."""
    before = value(await measured(http), "recollect_jobs_total", kind="LINK", outcome="done")
    await services.memories.store.save(workspace_id, MemoryDraft(content="a thing to be linked"))

    async def is_counted() -> bool:
        return value(await measured(http), "recollect_jobs_total", kind="LINK", outcome="done") > before

    await until(is_counted)


@pytest.mark.parametrize("path", ["/metrics", "/ready", "/health"])
async def test_the_separate_metrics_port_needs_no_key(runtime, path) -> None:
    """For Prometheus and probes; it is the only port of a worker."""
    async with (
        operations_port(MetricsSettings(port=0), runtime) as port,
        httpx.AsyncClient(timeout=scaled_timeout(60)) as client,
    ):

        async def answer() -> httpx.Response | None:
            try:
                found = await client.get(f"http://127.0.0.1:{port}{path}", timeout=scaled_timeout(60))
            except httpx.ConnectError:
                return None
            return found if found.is_success else None

        # /ready is polled while a slow machine plans its first statements.
        response = await until(answer)
        nothing = await client.post(f"http://127.0.0.1:{port}/graphql", json={"query": "{ me { name } }"})

    assert response.status_code == 200
    assert nothing.status_code == 404


async def test_there_is_no_separate_metrics_port_by_default(runtime) -> None:
    async with operations_port(MetricsSettings(), runtime) as port:
        assert port is None


async def test_without_measurements_there_is_no_route(services) -> None:
    transport = httpx.ASGITransport(create_app(services))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        assert (await http.get("/metrics", headers=ADMIN)).status_code == 404
        assert await GraphQLClient(http, ADMIN_KEY).ok("{ me { name } }")
