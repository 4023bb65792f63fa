"""``overtaken_by`` requires work that waits for the change."""

import pytest

from tests.fixtures.locks import overtaken_by

_CHANGE = "CYPHER 25 MATCH (workspace:Workspace {id: $ws}) SET workspace.name = 'overtaken'"


async def _failing() -> None:
    raise KeyError("model")


async def _returning() -> str:
    return "done"


@pytest.mark.parametrize(
    ("work", "error", "told"),
    [(_failing, KeyError, "model"), (_returning, AssertionError, "did not wait, and returned 'done'")],
    ids=["fails", "ends"],
)
async def test_waiting_for_finished_work_fails_immediately(
    graph_driver, workspace_id, work, error, told
) -> None:
    """A test that runs into its timeout would hide the cause."""
    with pytest.raises(error, match=told):
        await overtaken_by(graph_driver, _CHANGE, work(), ws=workspace_id)
