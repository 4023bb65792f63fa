"""What a checkpoint and the writes of a task must be, and the properties that they are stored with."""

from typing import Any, Final

from graph.conversations.checkpoints.metadata import pairs_of
from graph.conversations.checkpoints.models import CheckpointDraft, WriteDraft, WritesDraft
from graph.conversations.checkpoints.states import MOST_BYTES, decoded, packed, too_large
from graph.core.errors import InvalidInput
from graph.core.text.checks import identifier, storable
from graph.memories.rules import as_json, validated_metadata

MOST_WRITES: Final = 1000
_THREAD_CHARS: Final = 512
_NAMESPACE_CHARS: Final = 1024
"""Together with a thread's id, and each character four bytes, still what a key of a range index holds: 8 KB."""
_NAME_CHARS: Final = 512
_TYPE_CHARS: Final = 64


def checkpoint_properties(draft: CheckpointDraft) -> dict[str, Any]:
    """Return what a checkpoint is stored with, apart from what it is known by.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    _check_place(draft)
    if draft.parent_id is not None:
        identifier("parentId", draft.parent_id)
    metadata = validated_metadata(draft.metadata or {})
    state = decoded("state", draft.state)
    return {
        "parent_id": draft.parent_id,
        "state": packed(state),
        "state_type": _text("stateType", draft.state_type, _TYPE_CHARS),
        "size": len(state),
        "metadata": as_json(metadata),
        "metadata_pairs": pairs_of(metadata),
    }


def write_rows(draft: WritesDraft) -> list[dict[str, Any]]:
    """Return the writes of a task as they are stored; of several at one position the last one counts.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
    """
    _check_place(draft)
    identifier("taskId", draft.task_id)
    if not 1 <= len(draft.writes) <= MOST_WRITES:
        raise InvalidInput("writes", f"writes must be 1 to {MOST_WRITES}, got {len(draft.writes)}")
    path = _text("taskPath", draft.task_path, _NAME_CHARS, least=0)
    rows = {write.position: {"task_path": path, **_write_properties(write)} for write in draft.writes}
    if sum(row["size"] for row in rows.values()) > MOST_BYTES:
        raise too_large("writes")
    return [{"position": position, "properties": row} for position, row in rows.items()]


def _write_properties(write: WriteDraft) -> dict[str, Any]:
    value = decoded("value", write.value)
    return {
        "channel": _text("channel", write.channel, _NAME_CHARS),
        "value": packed(value),
        "value_type": _text("valueType", write.value_type, _TYPE_CHARS),
        "size": len(value),
    }


def _check_place(draft: CheckpointDraft | WritesDraft) -> None:
    _text("threadId", draft.thread_id, _THREAD_CHARS)
    _text("namespace", draft.namespace, _NAMESPACE_CHARS, least=0)
    identifier("checkpointId", draft.checkpoint_id)


def _text(field: str, value: str, most: int, *, least: int = 1) -> str:
    """Return a name as it stands: the framework asks for it again just so, with the blanks at its ends."""
    if not least <= len(storable(field, value)) <= most:
        raise InvalidInput(field, f"{field} must have {least} to {most} characters, got {len(value)}")
    return value
