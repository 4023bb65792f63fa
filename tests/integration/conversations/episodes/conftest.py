"""Conversations to consolidate; facts of them are extracted only where a test says so."""

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
    """A function that captures messages, all said 40 days ago but the last ``young`` ones."""

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
    """A function that consolidates a conversation and returns the episode, if there is one."""

    async def consolidate(id_: str = "c", **options):
        made = await services.conversations.episodes.consolidate(capturing_workspace_id, id_, **options)
        assert (made.episode is None) is (made.notice is not None)
        return made.episode

    return consolidate


@pytest.fixture
def left(services, capturing_workspace_id):
    """A function that returns the places of the messages that are left."""

    async def left(id_: str = "c") -> list[int]:
        found = await services.conversations.capture.messages_of(capturing_workspace_id, [id_])
        return [message.position for message in found[id_].items]

    return left
