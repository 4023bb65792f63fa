"""Warnings of failure patterns in chats and pages, which name no targets (G12)."""

import pytest

from graph.knowledge.ontology.models import EntityDraft
from graph.tenancy.models import Scope
from tests.fixtures.telemetry import history

FAILURE = "deploy on Service → E_QUOTA (6 sequences, 66%)"
MESSAGE = "Please roll out payments again"
LOG = "\n".join(f"INFO worker {number} has been idle for a while" for number in range(650))


@pytest.fixture
async def failing_service(services, agents_workspace_id) -> None:
    """Create a service and a failure pattern of services."""
    await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(agents_workspace_id)


@pytest.mark.parametrize(
    ("message", "is_told"),
    [(MESSAGE, True), (f"{LOG}\n\n{MESSAGE}", True), ("Please roll it out again", False)],
    ids=["named", "behind a log", "not named"],
)
async def test_a_chat_is_warned_of_failures_of_named_entities(
    chat_proxy, upstream, failing_service, message, is_told
) -> None:
    """G12, K12."""
    await chat_proxy.client().chat.completions.create(
        model="m", messages=[{"role": "user", "content": message}]
    )

    (request,) = upstream.requests
    assert any(FAILURE in each["content"] for each in request.body["messages"]) == is_told


@pytest.mark.parametrize("message", [MESSAGE, f"{LOG}\n\n{MESSAGE}"], ids=["alone", "behind a log"])
@pytest.mark.parametrize("format_", ["user_suffix", "system_prompt", "system_message"])
async def test_an_injected_text_is_warned_of_failures_of_named_entities(
    http, services, agents_workspace_id, failing_service, format_, message
) -> None:
    """G12, J11: in every format; a text that names no entity gets no warning."""
    _, key = await services.tenancy.keys.create(agents_workspace_id, name="page", scopes=[Scope.READ])
    headers = {"Authorization": f"Bearer {key}"}

    answer = await http.post("/v1/inject", json={"text": message, "format": format_}, headers=headers)
    other = await http.post("/v1/inject", json={"text": "Roll it out", "format": format_}, headers=headers)

    told = [answer.json()["text"], *(each["content"] for each in answer.json()["messages"])]
    assert sum(FAILURE in text for text in told) == 1
    assert FAILURE not in other.text
    assert other.json()["text"] == "Roll it out"
