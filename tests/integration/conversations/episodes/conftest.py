"""Conversations to consolidate; facts are extracted only if a test asks for it."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft

OLD = datetime.now(UTC) - timedelta(days=40)
TEXTS = [f"I like tea number {number}" for number in range(6)]


@pytest.fixture(autouse=True)
async def nothing_is_extracted(services, capturing_workspace_id):
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "off"})


@pytest.fixture
def talk(services, capturing_workspace_id):
    """Return a function that captures messages, all said 40 days ago except the last ``young`` ones."""

    async def talk(
        id_: str = "c", *, young: int = 0, texts=TEXTS, ids: bool = False, positions: bool = False
    ):
        messages = [
            MessageDraft(
                content=text,
                role="user",
                id=f"m{place}" if ids else None,
                position=place if positions else None,
                said_at=OLD if place < len(texts) - young else None,
            )
            for place, text in enumerate(texts)
        ]
        draft = CaptureDraft(conversation_id=id_, messages=messages)
        return (await services.conversations.capture.append(capturing_workspace_id, draft)).capture

    return talk


@pytest.fixture
def consolidate(services, capturing_workspace_id):
    """Return a function that consolidates a conversation and returns its episode or None."""

    async def consolidate(id_: str = "c", **options):
        made = await services.conversations.episodes.consolidate(capturing_workspace_id, id_, **options)
        assert (made.episode is None) is (made.notice is not None)
        return made.episode

    return consolidate


@pytest.fixture
def left(services, capturing_workspace_id):
    """Return a function that returns the positions of the remaining messages."""

    async def left(id_: str = "c") -> list[int]:
        found = await services.conversations.capture.messages_of(capturing_workspace_id, [id_])
        return [message.position for message in found[id_].items]

    return left
