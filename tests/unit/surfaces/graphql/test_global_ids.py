"""Global ids name a node, and what is none of them names nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.surfaces.graphql.global_ids import GlobalId, with_own_message_id
from graph.knowledge.traversal.models import NodeKind

KINDS = st.sampled_from([kind for kind in NodeKind if kind is not NodeKind.MESSAGE])


@given(kind=KINDS, workspace_id=st.text(), id_=st.text())
def test_what_it_names_is_read_back(kind, workspace_id, id_) -> None:
    """Issue 16."""
    named = GlobalId(kind, workspace_id, id_)

    assert GlobalId.parsed(str(named)) == named


@given(workspace_id=st.text(), id_=st.text(), conversation_id=st.text())
def test_a_message_is_named_with_its_conversation(workspace_id, id_, conversation_id) -> None:
    named = GlobalId(NodeKind.MESSAGE, workspace_id, id_, conversation_id)

    assert GlobalId.parsed(str(named)) == named
    assert with_own_message_id({"message_id": str(named), "content": "x"}) == {
        "message_id": id_, "conversation_id": conversation_id, "content": "x"
    }  # fmt: skip


@pytest.mark.parametrize(
    "id_",
    ["", "mem_ofNobody0000000000000000", "chat-1", "#0", "é", "W10", "bnVsbA", "WyJNZW1vcnkiLCJ3cyJd",
     str(GlobalId(NodeKind.MESSAGE, "ws", "m1")), str(GlobalId(NodeKind.MEMORY, "ws", "m1", "c"))],
)  # fmt: skip
def test_what_is_no_global_id_stays_an_id(id_) -> None:
    assert GlobalId.parsed(id_) is None
    assert with_own_message_id({"message_id": id_}) == {"message_id": id_}
