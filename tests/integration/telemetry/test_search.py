"""Search for sequences by the actions in them."""

import pytest

from graph.core.models import RecallTier
from graph.telemetry import queries
from graph.vectors.index.service import Embeddings
from tests.fixtures.telemetry import Telemetry, action, failing


@pytest.fixture
def wordless(services, telemetry_clock) -> Telemetry:
    """Return telemetry services without an embedding model."""
    embeddings = Embeddings(
        services.core.database,
        None,
        telemetry_clock,
        quantization="SCALAR",
        text_work=services.core.text_work,
    )
    return Telemetry.on(services, telemetry_clock, embeddings=embeddings)


async def test_without_a_model_words_serve_with_a_notice(wordless, agents_workspace_id) -> None:
    """G9: word search finds identifiers written as words or unchanged."""
    await wordless.recorder.record(
        agents_workspace_id,
        [
            action("mail", action_type="sendMail", node_type="Mailbox"),
            failing("deploy", "IMAGE_PULL_BACKOFF", action_type="deploy_service"),
        ],
    )

    async def found(query: str) -> list[str]:
        answer = await wordless.reader.search_sequences(agents_workspace_id, query)
        assert answer.tier is RecallTier.KEYWORD
        assert answer.fallback == "words only: no embedding model is configured"
        return [hit.sequence.session_id for hit in answer.page.items]

    assert await found("sending mails") == ["mail"]
    assert await found("image pull") == ["deploy"]
    assert await found("IMAGE_PULL_BACKOFF") == ["deploy"]
    assert await found("invoices") == []
    assert await found("发票") == []


async def test_pages_come_from_the_same_ranking(wordless, agents_workspace_id, monkeypatch) -> None:
    """G9: a limit that grew with the page would change the fused order and skip or repeat hits."""
    await wordless.recorder.record(agents_workspace_id, [action(f"s{number}") for number in range(5)])
    limits: list[int] = []

    async def searched(*arguments, **parameters):
        limits.append(parameters["limit"])
        return await search(*arguments, **parameters)

    search = queries.search_sequences
    monkeypatch.setattr(queries, "search_sequences", searched)
    seen, after = [], None
    for _ in range(3):
        answer = await wordless.reader.search_sequences(
            agents_workspace_id, "deploy service", first=2, after=after
        )
        seen += [hit.sequence.session_id for hit in answer.page.items]
        after = answer.page.cursors[-1].encode()

    assert sorted(seen) == [f"s{number}" for number in range(5)]
    assert len(limits) == 3
    assert len(set(limits)) == 1


async def test_another_workspace_finds_nothing(
    wordless, agents_workspace_id, other_agents_workspace_id
) -> None:
    """G14, C27."""
    await wordless.recorder.record(agents_workspace_id, [action("s")])

    answer = await wordless.reader.search_sequences(other_agents_workspace_id, "deploy service")

    assert answer.page.items == []
