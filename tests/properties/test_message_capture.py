"""Concurrent captures of one conversation by several writers, in any batches, compared with its messages."""

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId
from tests.fixtures.timeouts import scaled_timeout


@st.composite
def captures(draw):
    """Return the texts of a conversation, and the batches that each writer sends in order."""
    texts = draw(st.lists(st.sampled_from(["yes", "no", "tea?"]), min_size=1, max_size=8))
    with_ids = draw(st.booleans())
    drafts = [
        MessageDraft(content=text, position=place, id=f"m{place}" if with_ids else None)
        for place, text in enumerate(texts)
    ]
    arriving = draw(st.permutations([*drafts, *draw(st.lists(st.sampled_from(drafts), max_size=6))]))
    writers: list[list[list[MessageDraft]]] = [[], [], []]
    while arriving:
        size = draw(st.integers(1, len(arriving)))
        draw(st.sampled_from(writers)).append(list(arriving[:size]))
        arriving = arriving[size:]
    return texts, writers


async def test_any_split_replay_and_interleaving_makes_the_same_conversation(services) -> None:
    """D8, N6, N10: and its messages form one chain."""
    loop = asyncio.get_running_loop()

    async def capture(texts, writers) -> None:
        workspace = (await services.tenancy.workspaces.create("captures", memory_enabled=True)).id

        async def write(batches) -> int:
            added = 0
            for messages in batches:
                draft = CaptureDraft(conversation_id="c", messages=messages)
                added += (await services.conversations.capture.append(workspace, draft)).capture.added
            return added

        added = await asyncio.gather(*(write(batches) for batches in writers))
        page = (await services.conversations.capture.messages_of(workspace, ["c"]))["c"]
        named = {each.id: str(GlobalId(NodeKind.MESSAGE, workspace, each.id, "c")) for each in page.items}
        chained = await services.knowledge.traversal.neighbours(workspace, [*named.values()], first=100)

        assert sum(added) == len(texts)
        assert [(message.position, message.content) for message in page.items] == list(enumerate(texts))
        following = [
            [
                beside.node.id
                for beside in chained[id_]
                if beside.edge.type == "NEXT" and beside.edge.from_id == id_
            ]
            for id_ in named.values()
        ]
        assert following == [*([id_] for id_ in [*named.values()][1:]), []]

    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(captures())
    def try_all(given_) -> None:
        asyncio.run_coroutine_threadsafe(capture(*given_), loop).result(scaled_timeout(60))

    await asyncio.to_thread(try_all)
