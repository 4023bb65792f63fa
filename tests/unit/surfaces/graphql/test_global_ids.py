"""Global ids: each names one node, and any other text names none."""

from base64 import urlsafe_b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.surfaces.graphql.inputs import with_own_message_id
from graph.core.errors import InvalidInput
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId

KINDS = st.sampled_from([kind for kind in NodeKind if kind is not NodeKind.MESSAGE])


@given(kind=KINDS, workspace_id=st.text(), id_=st.text())
def test_a_global_id_round_trips(kind, workspace_id, id_) -> None:
    """Issue 16."""
    named = GlobalId(kind, workspace_id, id_)

    assert GlobalId.parsed(str(named)) == named


@given(workspace_id=st.text(), id_=st.text(), conversation_id=st.text())
def test_a_message_is_named_with_its_conversation(workspace_id, id_, conversation_id) -> None:
    named = GlobalId(NodeKind.MESSAGE, workspace_id, id_, conversation_id)

    assert GlobalId.parsed(str(named)) == named
    assert with_own_message_id({"message_id": str(named), "content": "x"}, workspace_id) == {
        "message_id": id_, "conversation_id": conversation_id, "content": "x"
    }  # fmt: skip


@pytest.mark.parametrize(
    "id_",
    ["", "mem_ofNobody0000000000000000", "chat-1", "#0", "é", "W10", "bnVsbA", "WyJNZW1vcnkiLCJ3cyJd",
     str(GlobalId(NodeKind.MESSAGE, "ws", "m1")), str(GlobalId(NodeKind.MEMORY, "ws", "m1", "c")),
     urlsafe_b64encode(b"[" * 100_000).decode()],
)  # fmt: skip
def test_a_plain_id_stays_unchanged(id_) -> None:
    assert GlobalId.parsed(id_) is None
    assert with_own_message_id({"message_id": id_}, "ws") == {"message_id": id_}


@pytest.mark.parametrize(
    ("workspace_id", "conversation_id"), [("other", None), ("other", "chat"), ("ws", "another chat")]
)
def test_a_message_of_another_workspace_is_refused(workspace_id, conversation_id) -> None:
    """A2, I1: it must be in the workspace and conversation that the input names."""
    message_id = str(GlobalId(NodeKind.MESSAGE, "ws", "m1", "chat"))
    fields = {"message_id": message_id, "conversation_id": conversation_id}

    with pytest.raises(InvalidInput) as refused:
        with_own_message_id(fields, workspace_id)

    assert refused.value.field == "messageId"
