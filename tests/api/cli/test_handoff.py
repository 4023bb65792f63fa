"""``recollect handoff``."""

import json

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from tests.fixtures.prompts import NOTE


async def test_a_conversation_is_printed_as_markdown(cli, services, workspace_id) -> None:
    """F11: no message reaches the terminal as a control sequence."""
    await services.tenancy.workspaces.update(
        workspace_id, memory_enabled=True, settings={"extractionMode": "off"}
    )
    messages = [MessageDraft(role="user", content="I decided to take the night train \x1b[31m.")]
    await services.conversations.capture.append(
        workspace_id, CaptureDraft(conversation_id="c", messages=messages)
    )

    shown = await cli.ok("handoff", "c")
    summary = json.loads(await cli.ok("handoff", "c", "--json"))

    assert shown.startswith(f"# Handoff summary\n\n{NOTE}\n\n## User / Background\n")
    assert "- The user decided to take the night train" in shown
    assert "\x1b" not in shown
    assert (summary["language"], summary["summarisedBy"], summary["messageCount"]) == ("ENGLISH", "RULES", 1)


async def test_a_missing_conversation_is_reported_in_one_line(cli) -> None:
    assert "there is no conversation 'nowhere'" in await cli.error("handoff", "nowhere")
