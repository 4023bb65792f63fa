"""LangGraph's own suite for checkpointers, over the running service (issue 16)."""

from collections.abc import AsyncIterator

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate

from app.client.langgraph_checkpointer import RecollectCheckpointer
from graph.tenancy.access.models import Scope

NOT_OFFERED = {"copy_thread", "prune", "delete_for_runs"}


async def test_it_does_what_langgraph_expects_of_a_checkpointer(api_url, services, workspace_id) -> None:
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="conformance", scopes=[Scope.READ, Scope.WRITE]
    )

    @checkpointer_test(name="RecollectCheckpointer")
    async def opened() -> AsyncIterator[BaseCheckpointSaver]:
        with RecollectCheckpointer(api_url, secret) as saver:
            yield saver

    report = await validate(opened)

    results = report.results
    assert {name: result.failures for name, result in results.items() if result.failures} == {}
    assert {name for name, result in results.items() if not result.detected} == NOT_OFFERED
    assert report.passed_all_base()
    assert sum(result.tests_passed for result in results.values()) > 40
