"""Recording of actions: one row per action, in its sequence, once, and only with memory on."""

import asyncio
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from graph.core.errors import Conflict, Forbidden, InvalidInput
from graph.core.exact import read_time
from graph.core.scope import ReadScope, seeing
from graph.telemetry.models import ActionFilter, Outcome
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import LATER, Telemetry, action, failing, history

_CHAIN = """CYPHER 25
MATCH (sequence:AgentSequence {workspace_id: $ws, session_id: $session})-[:DID]->(first:AgentAction)
WHERE NOT (first)<-[:NEXT]-()
MATCH path = (first)-[:NEXT]->{0,50}(last)
WHERE NOT (last)-[:NEXT]->()
RETURN [node IN nodes(path) | node.id] AS ids
"""
_MARK_STEPS = """CYPHER 25
MATCH (:AgentAction {workspace_id: $ws})-[step:NEXT]->() SET step.is_old = true
"""
_OLD_STEPS = """CYPHER 25
MATCH (:AgentAction {workspace_id: $ws})-[step:NEXT {is_old: true}]->(action) RETURN action.id AS id ORDER BY id
"""
_ENTITY = """CYPHER 25
CREATE (:Entity:Searchable {workspace_id: $ws, id: $id, type: 'Service', active: true, search_kind: 'entity',
                            search_text: 'a service', revision: 1, name: 'a service'})
"""
_HISTORY = """CYPHER 25
MATCH (:Entity {workspace_id: $ws, id: $id})<-[:TARGETED]-(action)
RETURN action.id AS id, COLLECT { UNWIND labels(action) AS label RETURN label ORDER BY label } AS labels
ORDER BY id
"""


async def chain(stored_telemetry, workspace_id: str, session: str) -> list[list[str]]:
    result = await run(stored_telemetry.driver, _CHAIN, ws=workspace_id, session=session)
    return [record["ids"] for record in result.records]


async def test_an_action_is_stored_with_its_fields_only(
    telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G1, G2, G7."""
    moment = LATER - timedelta(hours=1)
    draft = failing("ses-1", id="act-1", latency_ms=12.5, occurred_at=moment)

    assert await telemetry.recorder.record(agents_workspace_id, [draft]) == 1

    (node,) = await stored_telemetry.labelled(agents_workspace_id, "AgentAction")
    assert set(node["labels"]) == {"_mem", "AgentAction"}
    properties = node["properties"]
    sequence_id = properties.pop("sequence_id")
    assert properties.pop("occurred_at").to_native() == moment
    assert properties.pop("recorded_at").to_native() == LATER
    assert {name: value for name, value in properties.items() if value is not None} == {
        "workspace_id": agents_workspace_id,
        "id": "act-1",
        "session_id": "ses-1",
        "user_id": "",
        "agent_id": "",
        "position": 0,
        "action_type": "deploy",
        "node_type": "Service",
        "outcome": "ERROR",
        "error_code": "E_QUOTA",
        "latency_ms": 12.5,
    }
    (sequence,) = await stored_telemetry.labelled(agents_workspace_id, "AgentSequence")
    assert set(sequence["labels"]) == {"_mem", "AgentSequence", "Searchable"}
    assert sequence["id"] == sequence_id
    assert sequence["outgoing"] == [["DID", "act-1"]]


async def test_recording_again_changes_nothing(telemetry, agents_workspace_id, stored_telemetry) -> None:
    """G1, N6: by id, within a batch, in a later one, and from concurrent writers."""
    batch = [action("s", id="a"), failing("s", id="a"), action("s", id="b")]
    assert await telemetry.recorder.record(agents_workspace_id, batch) == 2
    before = await stored_telemetry.graph(agents_workspace_id)

    again = await asyncio.gather(*(telemetry.recorder.record(agents_workspace_id, batch) for _ in range(5)))

    assert again == [0] * 5
    after = await stored_telemetry.graph(agents_workspace_id)
    assert [node["id"] for node in after if "AgentAction" in node["labels"]] == ["a", "b"]
    assert [node["outgoing"] for node in after] == [node["outgoing"] for node in before]


@pytest.mark.parametrize("other", [{"session_id": "other"}, {"user_id": "ada"}], ids=["session", "user"])
@pytest.mark.parametrize("is_stored", [True, False])
async def test_an_id_of_another_session_or_user_is_refused_with_its_field(
    telemetry, agents_workspace_id, other, is_stored
) -> None:
    """G1: otherwise the action would be lost silently; the error does not name the id's owner."""
    first, second = action("mine", id="a"), action("mine", id="a").model_copy(update=other)
    if is_stored:
        await telemetry.recorder.record(agents_workspace_id, [first])

    with pytest.raises(Conflict) as refused:
        await telemetry.recorder.record(
            agents_workspace_id, [action("mine", id="b"), *([] if is_stored else [first]), second]
        )

    assert refused.value.field == "id"
    assert refused.value.message == (
        "id 'a' is that of an action of another session; ids are unique in a workspace"
    )
    stored = (await telemetry.reader.actions(agents_workspace_id)).items
    assert [each.id for each in stored] == (["a"] if is_stored else [])


async def test_writers_of_one_session_lose_nothing(telemetry, agents_workspace_id, stored_telemetry) -> None:
    """G3, N10: positions have no gaps, and the chain contains every action."""
    ids = [f"a{number:02}" for number in range(12)]

    recorded = await asyncio.gather(
        *(telemetry.recorder.record(agents_workspace_id, [action("s", id=id_)]) for id_ in ids)
    )

    assert recorded == [1] * 12
    nodes = await stored_telemetry.labelled(agents_workspace_id, "AgentAction")
    assert sorted(node["properties"]["position"] for node in nodes) == list(range(12))
    ((*chained,),) = await chain(stored_telemetry, agents_workspace_id, "s")
    by_position = sorted(nodes, key=lambda node: node["properties"]["position"])
    assert chained == [node["id"] for node in by_position]
    (sequence,) = (await telemetry.reader.sequences(agents_workspace_id)).page.items
    assert (sequence.sequence.action_count, sequence.sequence.success_count) == (12, 12)


async def test_concurrent_actions_with_one_id_store_one_action(telemetry, agents_workspace_id) -> None:
    """G1, N10: the other writers get a conflict."""
    recorded = await asyncio.gather(
        *(
            telemetry.recorder.record(agents_workspace_id, [action(f"s{number}", id="one")])
            for number in range(6)
        ),
        return_exceptions=True,
    )

    assert [each for each in recorded if not isinstance(each, Conflict)] == [1]
    assert len((await telemetry.reader.actions(agents_workspace_id)).items) == 1


async def test_nothing_is_captured_while_memory_is_off(services, telemetry, agents_workspace_id) -> None:
    """G13, N13: existing rows stay readable; enabling memory again records nothing from the time between."""
    await telemetry.recorder.record(agents_workspace_id, [action("before", id="kept")])
    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)

    assert await telemetry.recorder.record(agents_workspace_id, [action("while"), action("before")]) == 0
    assert [item.id for item in (await telemetry.reader.actions(agents_workspace_id)).items] == ["kept"]
    assert len((await telemetry.reader.sequences(agents_workspace_id)).page.items) == 1

    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=True)
    assert await telemetry.recorder.record(agents_workspace_id, [action("after", id="new")]) == 1
    assert {item.id for item in (await telemetry.reader.actions(agents_workspace_id)).items} == {
        "kept",
        "new",
    }


async def test_one_bad_action_refuses_the_batch(telemetry, agents_workspace_id) -> None:
    """G2: all or none."""
    for batch, field in (
        ([action("s"), action("s", action_type="said hello")], "actionType"),
        ([], "inputs"),
        ([action("s")] * 1001, "inputs"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await telemetry.recorder.record(agents_workspace_id, batch)
        assert refused.value.field == field
    assert (await telemetry.reader.actions(agents_workspace_id)).items == []


class _Broken:
    """A database with an unexpected failure."""

    async def transaction(self, work, *, attempts=1):
        raise RuntimeError("the user said hello")


async def test_a_failing_capture_never_breaks_the_action(
    services, agents_workspace_id, telemetry_clock
) -> None:
    """G16, N1: and the log does not contain the action's values."""
    broken = Telemetry.on(services, telemetry_clock, database=_Broken())

    with capture_logs() as logged:
        assert await broken.recorder.try_record(agents_workspace_id, [action("s")]) == 0
        assert (
            await broken.recorder.try_record(agents_workspace_id, [action("s", error_code="said hello")]) == 0
        )

    failed = [each for each in logged if each["event"].startswith("telemetry.")]
    assert [(each["reason"], "exc_info" in each) for each in failed] == [
        ("RuntimeError", True),
        ("INVALID_INPUT", False),
    ]
    with pytest.raises(RuntimeError):
        await broken.recorder.record(agents_workspace_id, [action("s")])


async def test_try_record_also_records_actions(telemetry, agents_workspace_id) -> None:
    """G16."""
    assert await telemetry.recorder.try_record(agents_workspace_id, [action("s"), failing("s")]) == 2


async def test_an_entity_has_its_history_one_edge_away(
    telemetry, agents_workspace_id, other_agents_workspace_id, stored_telemetry
) -> None:
    """E14, G17, E15: an unknown target, or another workspace's, is stored without an edge."""
    ours, theirs = f"ent_{agents_workspace_id}", f"ent_{other_agents_workspace_id}"
    await run(stored_telemetry.driver, _ENTITY, ws=agents_workspace_id, id=ours)
    await run(stored_telemetry.driver, _ENTITY, ws=other_agents_workspace_id, id=theirs)

    recorded = await telemetry.recorder.record(
        agents_workspace_id,
        [
            action("s", id="on-ours", target_id=ours),
            failing("s", id="on-ours-too", target_id=ours, action_type="restart"),
            action("s", id="on-theirs", target_id=theirs),
            action("s", id="on-nothing", target_id="ent_unknown"),
            action("s", id="untargeted"),
        ],
    )

    assert recorded == 5
    history_ = await run(stored_telemetry.driver, _HISTORY, ws=agents_workspace_id, id=ours)
    assert [record.data() for record in history_.records] == [
        {"id": "on-ours", "labels": ["AgentAction", "_mem"]},
        {"id": "on-ours-too", "labels": ["AgentAction", "_mem"]},
    ]
    nothing = await run(stored_telemetry.driver, _HISTORY, ws=other_agents_workspace_id, id=theirs)
    assert nothing.records == []
    listed = await telemetry.reader.actions(agents_workspace_id, ActionFilter(target_id=ours))
    assert [item.id for item in listed.items] == ["on-ours-too", "on-ours"]
    assert (
        await telemetry.reader.actions(other_agents_workspace_id, ActionFilter(target_id=ours))
    ).items == []


async def test_a_late_action_is_inserted_by_time(telemetry, agents_workspace_id, stored_telemetry) -> None:
    """G3: actions with equal times keep their order of arrival."""

    async def record(*minutes_and_ids: tuple[int, str]) -> None:
        drafts = [
            action("s", id=id_, occurred_at=LATER - timedelta(minutes=minutes))
            for minutes, id_ in minutes_and_ids
        ]
        await telemetry.recorder.record(agents_workspace_id, drafts)

    await record((30, "c"), (10, "f"))
    await record((40, "a"), (20, "e"), (10, "g"))
    await record((30, "d"), (5, "h"), (35, "b"))

    assert await chain(stored_telemetry, agents_workspace_id, "s") == [list("abcdefgh")]


async def test_a_late_action_relinks_only_its_neighbours(
    telemetry, agents_workspace_id, stored_telemetry
) -> None:
    """G3: otherwise each late action of a long run would rewrite all that follow."""
    drafts = [action("s", id=id_, occurred_at=LATER - timedelta(minutes=200 - ord(id_))) for id_ in "abdef"]
    await telemetry.recorder.record(agents_workspace_id, drafts)
    await run(stored_telemetry.driver, _MARK_STEPS, ws=agents_workspace_id)

    late = action("s", id="c", occurred_at=LATER - timedelta(minutes=200 - ord("c")))
    await telemetry.recorder.record(agents_workspace_id, [late])

    assert await chain(stored_telemetry, agents_workspace_id, "s") == [list("abcdef")]
    left = await run(stored_telemetry.driver, _OLD_STEPS, ws=agents_workspace_id)
    assert [record["id"] for record in left.records] == ["b", "e", "f"]


async def test_a_sequence_has_the_outcome_of_its_last_action(telemetry, agents_workspace_id) -> None:
    """G3: the last by time, even if others arrived later or failed earlier."""

    async def record(outcome: Outcome, minutes: int, latency_ms: float | None = None) -> tuple:
        moment = LATER - timedelta(minutes=minutes)
        await telemetry.recorder.record(
            agents_workspace_id, [action("s", outcome, occurred_at=moment, latency_ms=latency_ms)]
        )
        ((found),) = (await telemetry.reader.sequences(agents_workspace_id)).page.items
        sequence = found.sequence
        counts = (sequence.success_count, sequence.error_count, sequence.dead_end_count)
        return sequence.outcome, counts, sequence.total_latency_ms, sequence.started_at, sequence.ended_at

    def at(minutes: int):
        return LATER - timedelta(minutes=minutes)

    assert await record(Outcome.ERROR, 30, 5.0) == (Outcome.ERROR, (0, 1, 0), 5.0, at(30), at(30))
    assert await record(Outcome.SUCCESS, 20) == (Outcome.SUCCESS, (1, 1, 0), 5.0, at(30), at(20))
    assert await record(Outcome.DEAD_END, 40, 2.5) == (Outcome.SUCCESS, (1, 1, 1), 7.5, at(40), at(20))
    assert await record(Outcome.DEAD_END, 20) == (Outcome.DEAD_END, (1, 1, 2), 7.5, at(40), at(20))


async def test_actions_are_filtered_by_their_fields(telemetry, agents_workspace_id) -> None:
    """G1, G8: latest first, in pages that show each once."""
    drafts = [
        *history(failed=2, succeeded=3),
        action("dead", Outcome.DEAD_END, id="dead-end", action_type="search", node_type="Document"),
        action("old", id="old", occurred_at=LATER - timedelta(days=3)),
    ]
    await telemetry.recorder.record(agents_workspace_id, drafts)

    async def ids(**conditions) -> list[str]:
        found = await telemetry.reader.actions(agents_workspace_id, ActionFilter(**conditions))
        return [item.session_id for item in found.items]

    assert sorted(await ids(outcome=Outcome.ERROR)) == ["failed-0", "failed-1"]
    assert sorted(await ids(error_code="E_QUOTA", session_id="failed-1")) == ["failed-1"]
    assert await ids(action_type="search") == ["dead"]
    assert await ids(node_type="Document") == ["dead"]
    assert await ids(until=LATER - timedelta(days=1)) == ["old"]
    assert len(await ids(since=LATER - timedelta(days=1))) == 6
    naive = (LATER - timedelta(days=1)).replace(tzinfo=None)
    assert (await ids(until=naive), len(await ids(since=naive))) == (["old"], 6)
    day = read_time((LATER - timedelta(days=3)).date().isoformat())
    assert await ids(since=day, until=day) == ["old"]
    with pytest.raises(InvalidInput) as refused:
        await ids(since=LATER, until=LATER - timedelta(days=1))
    assert refused.value.field == "until"
    pages, after = [], None
    while True:
        page = await telemetry.reader.actions(agents_workspace_id, first=3, after=after)
        pages.append([item.session_id for item in page.items])
        if not page.has_more:
            break
        after = page.cursors[-1].encode()
    assert [len(page) for page in pages] == [3, 3, 1]
    assert pages[-1] == ["old"]
    assert len({session for page in pages for session in page}) == 7


async def test_a_run_belongs_to_the_agent_that_began_it(telemetry, agents_workspace_id) -> None:
    """G3: even if other agents act in it, in the same batch or later."""
    batch = [action("s", agent_id="first"), action("s", agent_id="second"), action("s")]
    await telemetry.recorder.record(agents_workspace_id, batch)
    await telemetry.recorder.record(agents_workspace_id, [action("s", agent_id="third")])

    (found,) = (await telemetry.reader.sequences(agents_workspace_id)).page.items
    assert found.sequence.agent_id == "first"


async def test_a_run_belongs_to_the_owner_of_its_actions(telemetry, agents_workspace_id) -> None:
    """Two users' equally named sessions are separate runs; each user sees their own and the shared ones."""
    await telemetry.recorder.record(
        agents_workspace_id, [action("s"), action("s", user_id="bob", agent_id="coder")]
    )
    with seeing(ReadScope(user_id="alice")):
        await telemetry.recorder.record(agents_workspace_id, [action("s")])
        with pytest.raises(Forbidden, match="bob"):
            await telemetry.recorder.record(agents_workspace_id, [action("s", user_id="bob")])

    async def seen(scope: ReadScope) -> list[list[tuple[str | None, str | None]]]:
        reader = telemetry.reader
        with seeing(scope):
            sequences = [each.sequence for each in (await reader.sequences(agents_workspace_id)).page.items]
            found = await reader.search_sequences(agents_workspace_id, "deploy")
            of_runs = await reader.actions_of(agents_workspace_id, [each.id for each in sequences], first=5)
            actions = (await reader.actions(agents_workspace_id)).items
        lists = (
            sequences,
            [each.sequence for each in found.page.items],
            [each for actions_ in of_runs.values() for each in actions_],
            actions,
        )
        return [sorted(((e.user_id, e.agent_id) for e in list_), key=str) for list_ in lists]

    nobody, alice, bob = (None, None), ("alice", None), ("bob", "coder")
    assert await seen(ReadScope()) == [[alice, bob, nobody]] * 4
    assert await seen(ReadScope(user_id="alice")) == [[alice, nobody]] * 4
    assert await seen(ReadScope(user_id="bob", include_shared=False)) == [[bob]] * 4
