"""What a checkpoint and the writes of a task must be."""

import base64

import pytest

from graph.conversations.checkpoints.models import CheckpointDraft, WriteDraft, WritesDraft
from graph.conversations.checkpoints.rules import MOST_WRITES, checkpoint_properties, write_rows
from graph.conversations.checkpoints.states import MOST_BYTES, unpacked
from graph.core.errors import InvalidInput

CHECKPOINT = CheckpointDraft(thread_id=" t ", checkpoint_id="1f0-a", state="eA==", state_type="msgpack")
WRITE = WriteDraft(position=0, channel="c", value="eA==", value_type="json")
WRITES = WritesDraft(thread_id="t", checkpoint_id="1f0-a", task_id="task", writes=[WRITE])


def text_of(size: int) -> str:
    return base64.b64encode(bytes(size)).decode()


def test_a_checkpoint_is_stored_with_its_size_and_what_it_is_found_by() -> None:
    stored = checkpoint_properties(CHECKPOINT.model_copy(update={"metadata": {"step": 1, "none": None}}))

    assert unpacked(stored.pop("state")) == b"x"
    assert stored == {
        "parent_id": None,
        "state_type": "msgpack",
        "size": 1,
        "metadata": '{"step": 1, "none": null}',
        "metadata_pairs": ['["step",1]'],
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"thread_id": ""}, "threadId"),
        ({"thread_id": "t" * 513}, "threadId"),
        ({"thread_id": "\x00"}, "threadId"),
        ({"namespace": "n" * 1025}, "namespace"),
        ({"checkpoint_id": ""}, "checkpointId"),
        ({"checkpoint_id": "~"}, "checkpointId"),
        ({"checkpoint_id": "é"}, "checkpointId"),
        ({"parent_id": "a b"}, "parentId"),
        ({"state_type": ""}, "stateType"),
        ({"state_type": "x" * 65}, "stateType"),
        ({"state": "?"}, "state"),
        ({"metadata": {"x": "y" * 65_536}}, "metadata"),
    ],
    ids=repr,
)
def test_a_checkpoint_that_breaks_a_rule_is_refused_by_the_field(change, field) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        checkpoint_properties(CHECKPOINT.model_copy(update=change))

    assert refused.value.field == field


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"writes": []}, "writes"),
        ({"writes": [WRITE] * (MOST_WRITES + 1)}, "writes"),
        ({"task_id": ""}, "taskId"),
        ({"task_path": "x" * 513}, "taskPath"),
        ({"writes": [WRITE.model_copy(update={"channel": ""})]}, "channel"),
        ({"writes": [WRITE.model_copy(update={"value": "?"})]}, "value"),
        ({"writes": [WRITE.model_copy(update={"value_type": ""})]}, "valueType"),
        ({"writes": [WRITE, WriteDraft(position=1, channel="c", value=text_of(MOST_BYTES), value_type="x")]}, "writes"),
    ],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_writes_that_break_a_rule_are_refused_by_the_field(change, field) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        write_rows(WRITES.model_copy(update=change))

    assert refused.value.field == field


def test_of_several_writes_at_one_position_the_last_one_counts() -> None:
    again = WRITE.model_copy(update={"value": text_of(3)})

    (row,) = write_rows(WRITES.model_copy(update={"writes": [WRITE, again]}))

    assert (row["position"], row["properties"]["size"]) == (0, 3)
