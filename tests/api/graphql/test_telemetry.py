"""Telemetry through GraphQL: recording, reading, promoting and annotating."""

from collections import Counter

import pytest

from graph.telemetry.models import SequenceFilter
from tests.fixtures.telemetry import failing, history
from tests.fixtures.waiting import until

RECORD = "mutation($inputs: [ActionInput!]!) { recordActions(inputs: $inputs) }"
ACTIONS = """query($filter: ActionFilter, $first: Int, $after: String) {
  actions(filter: $filter, first: $first, after: $after) {
    edges { node { id sessionId position actionType nodeType targetId outcome errorCode latencyMs occurredAt } }
    pageInfo { hasNextPage endCursor }
  }
}"""
SEQUENCES = """query($text: String, $filter: SequenceFilter, $first: Int, $after: String) {
  sequences(query: $text, filter: $filter, first: $first, after: $after) {
    tier fallback
    edges { node { sessionId intentSummary outcome actionCount score actions { id } } }
    pageInfo { hasNextPage endCursor }
  }
}"""
PATTERNS = """query($filter: PatternFilter) { patterns(filter: $filter) { edges { node {
  id actionType nodeType errorCode state sequences attempts confidence note suppressed change text
  evidence(first: 2) { sessionId outcome }
} } } }"""
PROMOTE = "mutation($dryRun: Boolean) { promotePatterns(dryRun: $dryRun) { actionType change state text } }"
ANNOTATE = """mutation($id: ID!, $note: String, $suppressed: Boolean) {
  annotatePattern(id: $id, note: $note, suppressed: $suppressed) { id note suppressed text }
}"""
UPSERT = """mutation($key: String!) {
  upsertEntities(inputs: [{type: "Service", name: "payments", key: $key}]) { id }
}"""
ACTION = {"sessionId": "ses-1", "actionType": "deploy", "nodeType": "Service", "outcome": "SUCCESS"}


async def nodes(client, query: str, name: str, **variables) -> list[dict]:
    return [edge["node"] for edge in (await client.ok(query, **variables))[name]["edges"]]


async def test_actions_are_recorded_and_shown(agents_graphql) -> None:
    """G1, G3, G8."""
    failed = {**ACTION, "outcome": "ERROR", "errorCode": "E_QUOTA", "latencyMs": 12, "id": "act-1"}
    later = {**ACTION, "occurredAt": "2026-01-01T00:00:00Z", "id": "act-2", "targetId": "ent_unknown"}

    assert (await agents_graphql.ok(RECORD, inputs=[failed, later]))["recordActions"] == 2
    assert (await agents_graphql.ok(RECORD, inputs=[failed, later]))["recordActions"] == 0

    first, second = await nodes(agents_graphql, ACTIONS, "actions")
    assert first.pop("occurredAt") > second["occurredAt"]
    assert first == {**failed, "latencyMs": 12.0, "targetId": None, "position": 0}
    assert second == {
        **later, "occurredAt": "2026-01-01T00:00:00+00:00", "latencyMs": None, "errorCode": None, "position": 1,
    }  # fmt: skip
    assert await nodes(agents_graphql, ACTIONS, "actions", filter={"targetId": "ent_unknown"}) == [second]
    (sequence,) = await nodes(agents_graphql, SEQUENCES, "sequences")
    assert sequence == {
        "sessionId": "ses-1",
        "intentSummary": (
            "deploy on service failed with e quota. deploy on service succeeded. 2 actions, ended in error."
        ),
        "outcome": "ERROR",
        "actionCount": 2,
        "score": None,
        "actions": [{"id": "act-2"}, {"id": "act-1"}],
    }


async def test_actions_are_listed_by_run(agents_graphql) -> None:
    """G8: a session has one run for each of its users."""
    mine = {**ACTION, "id": "act-mine", "userId": "ada"}
    await agents_graphql.ok(RECORD, inputs=[mine, {**ACTION, "id": "act-other", "userId": "bob"}])
    runs = await nodes(agents_graphql, "{ sequences { edges { node { id userId } } } }", "sequences")
    (run,) = [run["id"] for run in runs if run["userId"] == "ada"]

    async def listed(**filter_) -> list[str]:
        return [each["id"] for each in await nodes(agents_graphql, ACTIONS, "actions", filter=filter_)]

    assert await listed(sessionId="ses-1") == ["act-other", "act-mine"]
    assert await listed(sequenceId=run) == ["act-mine"]
    assert await listed(sequenceId=run, outcome="ERROR") == await listed(sequenceId="seq_unknown") == []


async def test_a_target_can_have_an_id_or_a_key_and_an_unknown_one_is_refused(agents_graphql) -> None:
    """G17: either way, the action belongs to the entity's history."""
    (payments,) = (await agents_graphql.ok(UPSERT, key="payments"))["upsertEntities"]
    by_id = {**ACTION, "id": "act-1", "targetId": payments["id"]}

    by_key = {**ACTION, "id": "act-2", "targetId": "payments"}
    known = (await agents_graphql.post(RECORD, inputs=[by_id, by_key])).json()
    unknown = (await agents_graphql.post(RECORD, inputs=[{**ACTION, "targetId": "nothing"}, ACTION])).json()

    assert known == {"data": {"recordActions": 2}}
    assert unknown == {
        "data": {"recordActions": 2},
        "extensions": {"notices": ["actions that name no node of this workspace as their target: 1"]},
    }
    for name in (payments["id"], "payments"):
        listed = await nodes(agents_graphql, ACTIONS, "actions", filter={"targetId": name})
        assert sorted(each["id"] for each in listed) == ["act-1", "act-2"]


@pytest.mark.parametrize("key", ["Service:payments api", "支付"])
async def test_a_target_is_named_by_a_key_of_any_characters(agents_graphql, key) -> None:
    """G17, G2: a text that names no entity is not stored."""
    await agents_graphql.ok(RECORD, inputs=[{**ACTION, "id": "act-1", "targetId": key}])
    (payments,) = (await agents_graphql.ok(UPSERT, key=key))["upsertEntities"]
    await agents_graphql.ok(RECORD, inputs=[{**ACTION, "id": "act-2", "targetId": key}])

    recorded = await nodes(agents_graphql, ACTIONS, "actions")
    listed = await nodes(agents_graphql, ACTIONS, "actions", filter={"targetId": key})

    assert {each["id"]: each["targetId"] for each in recorded} == {"act-1": None, "act-2": payments["id"]}
    assert [each["id"] for each in listed] == ["act-2"]


async def test_the_history_of_an_entity_includes_earlier_actions_on_its_key(agents_graphql) -> None:
    """G17: the key may have the form of an id."""
    await agents_graphql.ok(RECORD, inputs=[{**ACTION, "id": "act-1", "targetId": "payments"}])
    (payments,) = (await agents_graphql.ok(UPSERT, key="payments"))["upsertEntities"]

    for name in (payments["id"], "payments"):
        listed = await nodes(agents_graphql, ACTIONS, "actions", filter={"targetId": name})
        assert [each["id"] for each in listed] == ["act-1"]


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"actionType": "he said hello"}, "INVALID_INPUT", "actionType"),
        ({"nodeType": ""}, "INVALID_INPUT", "nodeType"),
        ({"errorCode": "no such file: /home/ada"}, "INVALID_INPUT", "errorCode"),
        ({"sessionId": "a b"}, "INVALID_INPUT", "sessionId"),
        ({"targetId": "x" * 513}, "INVALID_INPUT", "targetId"),
        ({"id": "x" * 129}, "INVALID_INPUT", "id"),
        ({"latencyMs": -1}, "INVALID_INPUT", "latencyMs"),
        ({"occurredAt": "2999-01-01T00:00:00Z"}, "INVALID_INPUT", "occurredAt"),
        ({"outcome": "FINE"}, "INVALID_INPUT", None),
        ({"arguments": "hello"}, "INVALID_INPUT", None),
        ({"response": {"body": "hello"}}, "INVALID_INPUT", None),
        ({"errorMessage": "hello"}, "INVALID_INPUT", None),
    ],
    ids=repr,
)
async def test_a_bad_action_is_refused_with_the_batch(agents_graphql, change, code, field) -> None:
    """G2: the schema refuses unknown fields."""
    error = await agents_graphql.error(RECORD, inputs=[ACTION, {**ACTION, **change}])

    assert (error["code"], error["field"]) == (code, field)
    assert await nodes(agents_graphql, ACTIONS, "actions") == []


async def test_batches_have_a_size(agents_graphql) -> None:
    for inputs in ([], [ACTION] * 1001):
        error = await agents_graphql.error(RECORD, inputs=inputs)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "inputs")


async def test_nothing_is_recorded_while_memory_is_off(graphql) -> None:
    """G13."""
    assert (await graphql.ok(RECORD, inputs=[ACTION]))["recordActions"] == 0
    assert await nodes(graphql, ACTIONS, "actions") == []


async def test_a_failure_is_promoted_shown_annotated_and_suppressed(agents_graphql) -> None:
    """G4, G8, G10, G12, G17."""
    inputs = [
        {
            **ACTION,
            "sessionId": f"s{number}",
            **({"outcome": "ERROR", "errorCode": "E_QUOTA"} if number < 6 else {}),
        }
        for number in range(9)
    ]
    await agents_graphql.ok(RECORD, inputs=inputs)

    (promoted,) = (await agents_graphql.ok(PROMOTE))["promotePatterns"]
    (again,) = (await agents_graphql.ok(PROMOTE, dryRun=True))["promotePatterns"]
    (pattern,) = await nodes(agents_graphql, PATTERNS, "patterns", filter={"nodeTypes": ["Service"]})

    text = "deploy on Service → E_QUOTA (6 sequences, 66%)"
    assert promoted["text"] == text
    assert promoted["change"] in {"PROMOTED", None}  # None if a worker was faster
    assert again == {"actionType": "deploy", "change": None, "state": "PROMOTED", "text": text}
    id_, evidence = pattern.pop("id"), pattern.pop("evidence")
    assert pattern == {
        "actionType": "deploy",
        "nodeType": "Service",
        "errorCode": "E_QUOTA",
        "state": "PROMOTED",
        "sequences": 6,
        "attempts": 9,
        "confidence": 6 / 9,
        "note": None,
        "suppressed": False,
        "change": None,
        "text": text,
    }
    assert [sequence["outcome"] for sequence in evidence] == ["ERROR", "ERROR"]
    annotated = (await agents_graphql.ok(ANNOTATE, id=id_, note="raise it", suppressed=True))[
        "annotatePattern"
    ]
    assert annotated == {"id": id_, "note": "raise it", "suppressed": True, "text": f"{text}: raise it"}
    assert await nodes(agents_graphql, PATTERNS, "patterns", filter={"suppressed": False}) == []
    (kept,) = await nodes(agents_graphql, PATTERNS, "patterns", filter={"suppressed": True})
    assert kept["id"] == id_


async def test_an_unknown_sequence_is_not_found(agents_graphql) -> None:
    error = await agents_graphql.error(ANNOTATE, id="pat_nobodys", suppressed=True)

    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


async def test_search_finds_sequences_by_meaning_and_by_exact_word(agents_graphql) -> None:
    """G8, G9, B27: through the vector index once a worker has embedded them."""
    for session, kind, node in (
        ("s1", "deploy_service", "Service"),
        ("s2", "sendMail", "Mailbox"),
        ("s3", "dump", "DB"),
    ):
        await agents_graphql.ok(
            RECORD, inputs=[{**ACTION, "sessionId": session, "actionType": kind, "nodeType": node}]
        )

    async def found(query: str, **more) -> list[str]:
        return [
            node["sessionId"]
            for node in await nodes(agents_graphql, SEQUENCES, "sequences", text=query, **more)
        ]

    async def embedded() -> bool:
        return len(await found("on")) == 3  # a word that no full-text index contains

    await until(embedded)
    assert (await found("send a mail to the mailbox"))[0] == "s2"
    assert (await found("deploy_service"))[0] == "s1"
    assert await found("deploy_service", filter={"outcome": "ERROR"}) == []
    answer = (await agents_graphql.ok(SEQUENCES, text="service", first=1))["sequences"]
    assert (answer["tier"], answer["fallback"]) == ("VECTOR", None)
    assert answer["edges"][0]["node"]["score"] > 0
    assert answer["pageInfo"]["hasNextPage"] is True
    rest = await nodes(
        agents_graphql, SEQUENCES, "sequences", text="service", after=answer["pageInfo"]["endCursor"]
    )
    assert sorted([answer["edges"][0]["node"]["sessionId"], *(node["sessionId"] for node in rest)]) == [
        "s1",
        "s2",
        "s3",
    ]


@pytest.mark.parametrize(
    ("variables", "field"),
    [
        ({"text": " "}, "query"),
        ({"text": "x", "filter": {"sessionId": "s"}}, "query"),
        ({"text": "x", "after": "nonsense"}, "after"),
        ({"first": 0}, "first"),
    ],
    ids=repr,
)
async def test_a_bad_search_is_refused(agents_graphql, variables, field) -> None:
    error = await agents_graphql.error(SEQUENCES, **variables)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)


async def test_deleting_a_sequence_deletes_its_actions(agents_graphql, services, agents_workspace_id) -> None:
    await agents_graphql.ok(RECORD, inputs=[ACTION, {**ACTION, "sessionId": "ses-2"}])
    page = await services.telemetry.reader.sequences(agents_workspace_id, SequenceFilter(session_id="ses-1"))
    id_ = page.page.items[0].sequence.id
    mutation = "mutation($id: ID!) { deleteSequence(id: $id) }"

    assert (await agents_graphql.ok(mutation, id=id_))["deleteSequence"] is True
    assert (await agents_graphql.ok(mutation, id=id_))["deleteSequence"] is False
    assert [node["sessionId"] for node in await nodes(agents_graphql, ACTIONS, "actions")] == ["ses-2"]


async def test_actions_and_evidence_cost_one_query_for_any_number_of_parents(
    agents_graphql, services, agents_workspace_id, monkeypatch
) -> None:
    kinds = [f"kind{number}" for number in range(20)]
    await services.telemetry.recorder.record(
        agents_workspace_id,
        [failing(f"s{number}", action_type=kind) for number in range(5) for kind in kinds],
    )
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=0, succeeded=20))
    await services.telemetry.promoter.promote(agents_workspace_id)
    ran: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        ran[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    deep = """query($first: Int) {
      sequences(first: $first) { edges { node { actions { id } } } }
      patterns(first: $first) { edges { node { evidence { sessionId } } } }
    }"""
    counts = []
    for first in (1, 20):
        ran.clear()
        data = await agents_graphql.ok(deep, first=first)
        assert [len(data[name]["edges"]) for name in ("sequences", "patterns")] == [first, first]
        counts.append({name: ran[name] for name in ("list_actions_of_sequences", "list_evidence")})

    assert counts == [{"list_actions_of_sequences": 1, "list_evidence": 1}] * 2
