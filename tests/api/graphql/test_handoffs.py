"""Handoff summaries through GraphQL (F11, F12, K1)."""

from tests.fixtures.prompts import NOTE

APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { handoffSummary { id } } }"
HANDOFF = """mutation($id: ID!) { handoffSummary(conversationId: $id) {
  id workspaceId conversationId language userBackground projectTopic currentStatus keyInformation { topic points }
  openItems continuationPoint markdown summarisedBy model fallback messageCount createdAt updatedAt
} }"""
READ = """query($id: ID!) { conversation(id: $id) { handoffSummary {
  id markdown updatedAt conversation { id handoffSummary { id } } neighbours { edge { type } node { nodeId kind } }
} } }"""
NODE = "query($id: ID!) { node(id: $id) { __typename ... on ConversationSummary { markdown } } }"


async def test_a_summary_is_written_and_read_back(graphql, services, workspace_id) -> None:
    """F11: by its conversation and as a node, with Markdown to copy."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    messages = [
        {"role": "USER", "content": "I decided to take the night train."},
        {"role": "ASSISTANT", "content": "Which class is wanted?"},
    ]
    appended = await graphql.ok(
        APPEND, input={"conversationId": "c", "title": "Moving", "messages": messages}
    )
    assert appended == {"appendMessages": {"handoffSummary": None}}

    made = (await graphql.ok(HANDOFF, id="c"))["handoffSummary"]
    read = (await graphql.ok(READ, id="c"))["conversation"]["handoffSummary"]

    asks = "“Which class is wanted?”"
    topic = "Moving (“I decided to take the night train.”)"
    assert made == {
        "id": made["id"],
        "workspaceId": workspace_id,
        "conversationId": "c",
        "language": "ENGLISH",
        "userBackground": [],
        "projectTopic": topic,
        "currentStatus": [
            "The user said last: “I decided to take the night train.”",
            f"The assistant answered: {asks}",
        ],
        "keyInformation": [{"topic": "Decisions", "points": ["The user decided to take the night train."]}],
        "openItems": [f"Not answered yet: {asks}"],
        "continuationPoint": f"The user has yet to answer: {asks}",
        "markdown": made["markdown"],
        "summarisedBy": "RULES",
        "model": None,
        "fallback": None,
        "messageCount": 2,
        "createdAt": made["createdAt"],
        "updatedAt": made["createdAt"],
    }
    assert made["markdown"].startswith(
        f"# Handoff summary\n\n{NOTE}\n\n## User / Background\n\nNothing that the conversation tells.\n\n"
        f"## Project / Topic\n\n{topic}\n\n## Current Status\n"
    )
    assert read == {
        "id": made["id"],
        "markdown": made["markdown"],
        "updatedAt": made["updatedAt"],
        "conversation": {"id": "c", "handoffSummary": {"id": made["id"]}},
        "neighbours": [{"edge": {"type": "SUMMARISES"}, "node": {"nodeId": "c", "kind": "CONVERSATION"}}],
    }
    assert await graphql.ok(NODE, id=made["id"]) == {
        "node": {"__typename": "ConversationSummary", "markdown": made["markdown"]}
    }


async def test_a_missing_conversation_has_no_handoff_summary(graphql) -> None:
    """K18."""
    error = await graphql.error(HANDOFF, id="nowhere")

    assert (error["code"], error["field"]) == ("NOT_FOUND", "conversationId")
