"""memory.recall, memory.get, memory.associate and memory.before_acting, the resources and the prompt."""

import json
from dataclasses import replace

import pytest
from mcp.shared.exceptions import McpError

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.tenancy.models import Scope
from tests.fixtures.mcp_agents import memory_ids_in
from tests.fixtures.states import reached
from tests.fixtures.telemetry import history
from tests.fixtures.waiting import until


async def save(services, workspace_id: str, content: str, **fields) -> str:
    draft = MemoryDraft(content=content, dedup=False, **fields)
    return (await services.memories.store.save(workspace_id, draft)).memory.id


async def test_recall_filters_by_tags_types_and_importance(agent, services) -> None:
    """C17, C18."""
    wanted = await save(
        services, agent.workspace_id, "one", tags=("a:b", "c"), type="Decision", importance=0.9
    )
    await save(services, agent.workspace_id, "two", tags=("a",), type="Decision", importance=0.9)
    await save(services, agent.workspace_id, "three", tags=("a", "c"), type="Habit", importance=0.9)
    await save(services, agent.workspace_id, "four", tags=("a", "c"), type="Decision", importance=0.1)

    text = await agent.text(
        "memory.recall", tags=["a", "c"], tag_mode="all", types=["Decision"], min_importance=0.5
    )

    assert memory_ids_in(text) == [wanted]


async def test_recall_filters_by_everything_else(agent, services) -> None:
    """C17: like recall in GraphQL."""
    wanted = await save(
        services, agent.workspace_id, "one", tags=("a",), kind="factual", facet="skill", category="work",
        confidence=0.9,
    )  # fmt: skip
    for fields in (
        {"tags": ("a", "b:c")},
        {"kind": "episodic"},
        {"facet": "objective"},
        {"category": "home"},
        {"source_type": "extracted"},
        {"confidence": 0.1},
    ):
        usual = {
            "tags": ("a",), "kind": "factual", "facet": "skill", "category": "work", "confidence": 0.9,
        }  # fmt: skip
        await save(services, agent.workspace_id, f"not {fields}", **usual | fields)

    async def found(**asked) -> list[str]:
        return memory_ids_in(await agent.text("recall", limit=50, **asked))

    every = {
        "excluded_tags": ["b"], "kinds": ["factual"], "facets": ["skill"], "categories": ["work"],
        "source_types": ["api"], "min_confidence": 0.5,
    }  # fmt: skip
    assert await found(**every) == [wanted]
    for name in every:
        less = {key: value for key, value in every.items() if key != name}
        assert len(await found(**less)) == 2, name


async def test_a_recall_names_a_run_and_supports_a_dry_run(agent, services) -> None:
    """C17, H4: used_by excludes nothing, and a dry run does not count."""
    id_ = await save(services, agent.workspace_id, "the port is 9000")

    tried = await agent.text("recall", query="port 9000", used_by="run-7", dry_run=True)
    used = await agent.text("recall", query="port 9000", used_by="run-7")
    await services.telemetry.usage.flush()

    assert [memory_ids_in(each) for each in (tried, used)] == [[id_], [id_]]
    memory = await services.memories.store.get(agent.workspace_id, id_)
    assert memory.usage_count == 1


async def test_an_answer_names_its_fallbacks_and_its_audit_record(agent, services) -> None:
    """L1: like ask in GraphQL."""
    id_ = await save(services, agent.workspace_id, "the port is 9000")

    await reached(services, agent.workspace_id, [id_], MemoryState.EMBEDDED)

    text, citation, audit = (await agent.text("ask", question="Which port is it?")).splitlines()

    assert text == "the port is 9000 [1]"
    assert citation == f"[1] the port is 9000 (memory, {id_})"
    runs = await services.retrieval.answering.runs(agent.workspace_id)
    assert audit == f"Audit: {runs.items[0].id}"


async def test_a_context_preview_counts_no_use(learning_agent, services) -> None:
    """A37."""
    id_ = await save(services, learning_agent.workspace_id, "always ask before a rollout")

    async def told(**asked) -> bool:
        text = await learning_agent.text("context", query="always ask before a rollout", **asked)
        return f"\n\nIds for get: memories {id_}\n" in text

    assert await until(lambda: told(dry_run=True))
    assert await told()
    await services.telemetry.usage.flush()

    assert (await services.memories.store.get(learning_agent.workspace_id, id_)).usage_count == 1


async def test_a_memory_is_read_with_its_neighbours(agent, services) -> None:
    """E5: memory.get follows edges hop by hop."""
    old = await save(services, agent.workspace_id, "the port is 8000")
    new = await save(services, agent.workspace_id, "the port is 9000", metadata={"a": [1]})

    edge = await agent.call("memory.associate", from_id=old, to_id=new, type="INVALIDATED_BY", strength=0.8)
    node = await agent.call("memory.get", id=new)

    assert (edge["from_id"], edge["to_id"], edge["type"], edge["strength"]) == (
        old, new, "INVALIDATED_BY", 0.8,
    )  # fmt: skip
    assert (node["id"], node["kind"], node["content"]["content"]) == (new, "Memory", "the port is 9000")
    assert node["content"]["metadata"] == {"a": [1]}
    (beside,) = [each for each in node["connected"] if each["id"] == old]
    assert (beside["relation"], beside["outgoing"], beside["strength"], beside["kind"]) == (
        "INVALIDATED_BY", False, 0.8, "Memory",
    )  # fmt: skip


async def test_a_message_is_readable_by_the_id_that_its_neighbours_show(agent, services) -> None:
    """E5: memory.get distinguishes messages with the same id in two conversations."""
    await services.tenancy.workspaces.update(agent.workspace_id, memory_enabled=True)
    for conversation in ("one", "other"):
        messages = [MessageDraft(content=f"Hello from {conversation}")]
        draft = CaptureDraft(conversation_id=conversation, messages=messages)
        await services.conversations.capture.append(agent.workspace_id, draft)

    conversation = await agent.call("memory.get", id="one")
    (beside,) = [each for each in conversation["connected"] if each["kind"] == "Message"]
    message = await agent.call("memory.get", id=beside["id"])
    refused = await agent.error("memory.get", id="#0")

    assert (message["id"], message["kind"], message["caption"]) == (
        beside["id"], "Message", "Hello from one",
    )  # fmt: skip
    assert [
        (each["relation"], each["id"]) for each in message["connected"] if each["kind"] == "Conversation"
    ] == [("PART_OF", "one")]
    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "id")


async def entities(services, workspace_id: str) -> tuple[str, str]:
    checkout, payments = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Service", name="checkout", properties={"tier": 1}),
            EntityDraft(type="Service", name="payments"),
        ],
    )
    relation = RelationDraft(from_name=checkout.id, to_name=payments.id, type="DEPENDS_ON", strength=0.9)
    await services.knowledge.ontology.upsert_relations(workspace_id, [relation])
    return checkout.id, payments.id


async def test_an_entity_is_read_with_its_relations(agent, services) -> None:
    """E5, E14."""
    checkout, payments = await entities(services, agent.workspace_id)

    node = await agent.call("memory.get", id=checkout)

    assert (node["kind"], node["type"], node["content"]["name"]) == ("Entity", "Service", "checkout")
    assert node["content"]["properties"] == {"tier": 1}
    assert [(each["relation"], each["outgoing"], each["id"]) for each in node["connected"]] == [
        ("DEPENDS_ON", True, payments)
    ]


async def test_before_acting_returns_patterns_and_memories(learning_agent, services) -> None:
    """J10, J13, G12: memory.before_acting."""
    workspace_id = learning_agent.workspace_id
    memory = await save(services, workspace_id, "always ask before a rollout")
    await services.telemetry.recorder.record(workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(workspace_id)

    async def told():
        answer = await learning_agent.text(
            "memory.before_acting",
            query="always ask before a rollout",
            action_type="deploy",
            target_types=["Service"],
        )
        return answer if memory in answer else ""

    answer = await until(told)
    (pattern,) = (await services.telemetry.reader.patterns(workspace_id)).items

    assert "- deploy on Service → E_QUOTA (6 sequences, 66%)" in answer
    assert "always ask before a rollout" in answer
    assert f"\n\nIds for get: memories {memory}; patterns {pattern.id}" in answer


async def test_with_memory_off_no_patterns_are_returned(agent) -> None:
    """I5, G13."""
    assert await agent.text("memory.before_acting", query="deploy") == (
        "Nothing is known that bears on this.\n\n"
        "Left out: patterns: memory is off in this workspace; "
        f"`recollect settings set enabled true --workspace {agent.workspace_id}` turns it on; "
        "episodes: no conversationId is named"
    )


async def test_a_late_graph_is_not_reported_as_empty(agent, services, monkeypatch) -> None:
    """J14: the first sentence must agree with the reason below it."""
    compose = services.retrieval.context.compose

    async def late(*arguments, **named):
        note = "memories: the graph did not answer within 3 seconds"
        return replace(await compose(*arguments, **named), skipped=(note,), missing={"memories": "late"})

    monkeypatch.setattr(services.retrieval.context, "compose", late)

    assert await agent.text("context", query="deploy") == (
        "Nothing was found, but some parts could not be read; call again.\n\n"
        "Left out: memories: the graph did not answer within 3 seconds"
    )


async def test_the_prompt_puts_the_context_before_the_task(learning_agent, services) -> None:
    """Issue 7: the prompt fetches context before acting."""
    workspace_id = learning_agent.workspace_id
    await services.telemetry.recorder.record(workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(workspace_id)

    async with learning_agent.session() as session:
        (listed,) = (await session.list_prompts()).prompts
        prompt = await session.get_prompt(
            "before_acting",
            {"query": "Roll it out", "action_type": "deploy", "target_types": "Service, Queue"},
        )

    (message,) = prompt.messages
    assert (listed.name, [argument.name for argument in listed.arguments if argument.required]) == (
        "before_acting", ["query"],
    )  # fmt: skip
    assert message.role == "user"
    context, task = message.content.text.split("\n\n---\n\n")
    assert "- deploy on Service → E_QUOTA (6 sequences, 66%)" in context
    assert task == "Roll it out"


async def test_the_prompt_uses_the_named_users_memory(learning_agent) -> None:
    """As in every tool; an empty text, which forms send, names nobody."""
    text = "always ask before a rollout"
    await learning_agent.call("remember", content=text, user_id="alice")

    async def told(**owner: str) -> str:
        async with learning_agent.session() as session:
            prompt = await session.get_prompt("before_acting", {"query": "A rollout", **owner})
            return prompt.messages[0].content.text

    async def is_there() -> bool:
        return text in await told(user_id="alice")

    await until(is_there)
    assert text not in await told(user_id="bob")
    assert text in await told(user_id="", agent_id="")


async def test_a_prompt_without_context_is_the_task_alone(agent) -> None:
    async with agent.session() as session:
        prompt = await session.get_prompt("before_acting", {"query": "Roll it out"})

    assert [message.content.text for message in prompt.messages] == ["Roll it out"]
    assert "memory is off in this workspace" in prompt.description


@pytest.mark.parametrize(
    ("name", "arguments", "field"),
    [
        ("before_acting", {}, "query"),
        ("before_acting", {"query": ""}, "query"),
        ("before_acting", {"query": "x", "max_tokens": "7"}, "arguments"),
        ("after_acting", {}, "name"),
    ],
)
async def test_an_invalid_prompt_argument_is_named(agent, name, arguments, field) -> None:
    async with agent.session() as session:
        with pytest.raises(McpError) as raised:
            await session.get_prompt(name, arguments)

    assert raised.value.error.code == -32602
    assert raised.value.error.data == {"code": "INVALID_INPUT", "field": field}


async def test_resources_are_memories_and_entities_as_json(agent, services) -> None:
    """Issue 7: recollect://memory/{id} and recollect://entity/{id}."""
    memory = await save(services, agent.workspace_id, "the port is 9000")
    checkout, payments = await entities(services, agent.workspace_id)

    async with agent.session() as session:
        templates = (await session.list_resource_templates()).resourceTemplates
        listed = (await session.list_resources()).resources
        (of_memory,) = (await session.read_resource(f"recollect://memory/{memory}")).contents
        (of_entity,) = (await session.read_resource(f"recollect://entity/{checkout}")).contents

    assert [template.uriTemplate for template in templates] == [
        "recollect://memory/{id}", "recollect://entity/{id}",
    ]  # fmt: skip
    assert listed == []
    assert of_memory.mimeType == of_entity.mimeType == "application/json"
    assert json.loads(of_memory.text)["content"]["content"] == "the port is 9000"
    read = json.loads(of_entity.text)
    assert read["content"]["name"] == "checkout"
    assert [each["id"] for each in read["connected"]] == [payments]


@pytest.mark.parametrize("uri", [
    "recollect://memory/mem_none", "recollect://entity/ent_none", "recollect://memory/", "recollect://nothing/x",
    "https://example.org/memory/x",
])  # fmt: skip
async def test_an_unknown_id_is_not_found(agent, uri) -> None:
    async with agent.session() as session:
        with pytest.raises(McpError) as raised:
            await session.read_resource(uri)

    assert raised.value.error.code == -32002
    assert raised.value.error.data == {"code": "NOT_FOUND", "field": "uri"}


async def test_a_memory_is_not_readable_as_an_entity(agent, services) -> None:
    memory = await save(services, agent.workspace_id, "the port is 9000")

    async with agent.session() as session:
        with pytest.raises(McpError, match="there is nothing at"):
            await session.read_resource(f"recollect://entity/{memory}")


async def test_resources_and_prompts_need_the_read_scope(agent_of, workspace_id) -> None:
    """K17."""
    writer = await agent_of(workspace_id, [Scope.WRITE])
    async with writer.session() as session:
        with pytest.raises(McpError, match="this key lacks the scope 'read'"):
            await session.read_resource("recollect://memory/mem_1")
        with pytest.raises(McpError, match="this key lacks the scope 'read'"):
            await session.get_prompt("before_acting", {"query": "x"})


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "field"),
    [
        ("memory.recall", {"query": 1}, "INVALID_INPUT", "query"),
        ("memory.recall", {"limit": 0}, "INVALID_INPUT", "limit"),
        ("memory.recall", {"offset": -1}, "INVALID_INPUT", "offset"),
        ("memory.recall", {"tag_mode": "some"}, "INVALID_INPUT", "tag_mode"),
        ("memory.recall", {"types": ["Thought"]}, "INVALID_INPUT", "types.0"),
        ("memory.recall", {"limit": True}, "INVALID_INPUT", "limit"),
        ("memory.recall", {"since": "then"}, "INVALID_INPUT", "since"),
        ("memory.recall", {"until": 2026}, "INVALID_INPUT", "until"),
        ("memory.recall", {"min_importance": 2}, "INVALID_INPUT", "min_importance"),
        ("memory.get", {}, "INVALID_INPUT", "id"),
        ("memory.get", {"id": "mem_none"}, "NOT_FOUND", "id"),
        ("memory.get", {"id": "x", "limit": 101}, "INVALID_INPUT", "limit"),
        ("memory.associate", {"from_id": "a", "to_id": "b"}, "INVALID_INPUT", "type"),
        ("memory.associate", {"from_id": "a", "to_id": "b", "type": "LIKES"}, "INVALID_INPUT", "type"),
        ("memory.associate", {"from_id": "a", "to_id": "a", "type": "RELATES_TO"}, "INVALID_INPUT", "to_id"),
        ("memory.associate", {"from_id": "a", "to_id": "b", "type": "RELATES_TO"}, "NOT_FOUND", "from_id"),
        ("memory.associate", {"from_id": "a", "to_id": "b", "type": "RELATES_TO", "strength": 2}, "INVALID_INPUT",
         "strength"),
        ("memory.before_acting", {}, "INVALID_INPUT", "query"),
        ("memory.before_acting", {"query": " "}, "INVALID_INPUT", "query"),
        ("memory.before_acting", {"query": "x", "target_ids": ["e"] * 101}, "INVALID_INPUT", "target_ids"),
    ],
    ids=lambda value: repr(value)[:60],
)  # fmt: skip
async def test_bad_input_is_named(agent, tool, arguments, code, field) -> None:
    error = await agent.error(tool, **arguments)

    assert (error["code"], error["field"]) == (code, field)
