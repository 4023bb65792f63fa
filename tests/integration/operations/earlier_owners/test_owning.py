"""What a store of an earlier release holds, which did not say whose it is."""

from app.adapters.clock import SystemClock
from graph.core.scope import search_term
from graph.memories.models import MemoryDraft
from graph.operations.earlier_owners.service import (
    join_earlier_keys,
    let_search_know_users,
    own_earlier_runs,
)
from graph.telemetry.models import ActionDraft, Outcome
from graph.tenancy.access.models import Scope
from tests.fixtures.graphs import run

_FORGET = """CYPHER 25
MATCH (run:AgentSequence|AgentAction|PromptRun {workspace_id: $ws})
REMOVE run.user_id, run.agent_id
WITH count(*) AS runs
MATCH (version:SchemaVersion {name: 'runs have users'})
DELETE version
"""
_OWNERS = """CYPHER 25
MATCH (run:AgentSequence|PromptRun {workspace_id: $ws})
OPTIONAL MATCH (action:AgentAction {workspace_id: $ws, sequence_id: run.id})
RETURN coalesce(run.session_id, run.api_key_id) AS what, run.user_id AS user,
       collect(DISTINCT action.user_id) AS of_actions
"""


async def test_they_become_the_users_whose_memories_or_key_their_session_is(
    services, workspace_id, graph_driver
) -> None:
    """Those of nobody, or of two users, are everybody's; what is noted once is not looked at again (issue 15)."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    for session, users in {"hers": ["alice"], "both": ["alice", "bob"], "nobodys": [None]}.items():
        for user in users:
            draft = MemoryDraft(content=f"{user} keeps bees in {session}", user_id=user, session_id=session)
            await services.memories.store.save(workspace_id, draft)
    key, _ = await services.tenancy.keys.create(
        workspace_id, name="phone", scopes=[Scope.READ], user_id="carol"
    )
    sessions = ["hers", "both", "nobodys", f"mcp:{key.id}"]
    deploy = {"action_type": "deploy", "node_type": "Service", "outcome": Outcome.SUCCESS}
    drafts = [ActionDraft(session_id=session, **deploy) for session in sessions]
    await services.telemetry.recorder.record(workspace_id, drafts)
    await services.retrieval.answering.ask(workspace_id, "Who keeps bees?", api_key_id=key.id)
    await run(graph_driver, _FORGET, ws=workspace_id)

    await own_earlier_runs(services.core.database, SystemClock())

    found = (await run(graph_driver, _OWNERS, ws=workspace_id)).records
    assert {row["what"]: (row["user"], row["of_actions"]) for row in found} == {
        "hers": ("alice", ["alice"]),
        "both": ("", [""]),
        "nobodys": ("", [""]),
        f"mcp:{key.id}": ("carol", ["carol"]),
        key.id: ("carol", []),
    }


_EARLIER_EPISODES = """CYPHER 25
UNWIND [{id: 'everybodys', user: null}, {id: 'alices', user: 'alice'}] AS row
CREATE (episode:Episode:Searchable {workspace_id: $ws, id: row.id, search_text: row.id, revision: 1})
SET episode.user_id = row.user
WITH count(*) AS episodes
MATCH (version:SchemaVersion {name: 'texts are searched by user'})
DELETE version
"""
_SEARCH_USERS = """CYPHER 25
MATCH (episode:Episode {workspace_id: $ws})
RETURN episode.id AS id, episode.user_id AS user, episode.search_user AS term
"""


async def test_search_knows_the_users_of_what_was_stored_before(services, workspace_id, graph_driver) -> None:
    """What says of no user is everybody's: the vector index is filtered by the same words (issue 15)."""
    await run(graph_driver, _EARLIER_EPISODES, ws=workspace_id)

    await let_search_know_users(services.core.database, SystemClock())

    found = (await run(graph_driver, _SEARCH_USERS, ws=workspace_id)).records
    assert {row["id"]: (row["user"], row["term"]) for row in found} == {
        "everybodys": ("", search_term("")),
        "alices": ("alice", search_term("alice")),
    }


_KEYS = """CYPHER 25
MATCH (key:ApiKey {workspace_id: $ws})
RETURN key.name AS name, [(key)-[:KEY_OF]->(workspace:Workspace) | workspace.id] AS of
ORDER BY name
"""
_WITHOUT_EDGE = """CYPHER 25
MATCH (:ApiKey {workspace_id: $ws, name: 'earlier'})-[edge:KEY_OF]->()
DELETE edge
WITH count(*) AS edges
OPTIONAL MATCH (version:SchemaVersion {name: 'keys open workspaces'})
DELETE version
"""


async def test_every_key_is_joined_to_its_workspace(services, workspace_id, graph_driver) -> None:
    """E16: a key is drawn beside the workspace that it opens, those of an earlier release too."""
    for name in ("earlier", "later"):
        await services.tenancy.keys.create(workspace_id, name=name, scopes=[Scope.READ])
    await run(graph_driver, _WITHOUT_EDGE, ws=workspace_id)

    await join_earlier_keys(services.core.database, SystemClock())
    await join_earlier_keys(services.core.database, SystemClock())

    found = (await run(graph_driver, _KEYS, ws=workspace_id)).records
    assert [(row["name"], row["of"]) for row in found] == [
        ("earlier", [workspace_id]),
        ("later", [workspace_id]),
    ]
