"""Actions that surfaces record automatically, and their targets.

An action on an entity has the entity's type, like an agent's own records. Types of other nodes have a prefix, so
that failures of memory tools do not become patterns of an agent's own types. Sessions have a prefix as well, so that
memory calls do not determine the outcome of an agent's run.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from graph.core.current_call import Touched
from graph.core.rows import Row
from graph.core.scope import EVERYTHING, ReadScope
from graph.core.text.checks import is_identifier
from graph.telemetry.models import ActionDraft

NOTED_SESSION: Final = "recollect:"
"""Prefix of the sessions of automatically recorded actions; the caller's own id follows."""
NOTED_TYPE: Final = "recollect."
"""Prefix of the types of targets other than entities."""
TARGET_KINDS: Final = (
    "Entity",
    "Memory",
    "Document",
    "Chunk",
    "Artifact",
    "Conversation",
    "Episode",
)
"""Labels of the nodes that actions may target."""
_ENTITY: Final = TARGET_KINDS[0]


@dataclass(frozen=True)
class NotedAction:
    """An automatically recorded action.

    Attributes:
        draft: The action; its node type applies if no node is known.
        touched: Nodes that the call touched.
        scope: Read scope of the caller.
    """

    draft: ActionDraft
    touched: Sequence[Touched] = ()
    scope: ReadScope = EVERYTHING


class TargetRow(Row):
    """A node with one of the requested names.

    Attributes:
        kind: Label of the node.
        type: Type, if it is an entity.
    """

    name: str
    id: str
    kind: str
    type: str | None


def with_targets(
    noted: NotedAction, known: Mapping[str, TargetRow], types: frozenset[str]
) -> Iterator[ActionDraft]:
    """Yield an action for each type of node that a call touched, or one without a known target.

    Args:
        noted: The action.
        known: Nodes by the ids or keys that the call used.
        types: Entity types of the workspace.
    """
    by_type: dict[str, dict[str, None]] = {}
    for name, type_ in noted.touched:
        node = known.get(name or "")
        if node is not None:
            is_entity = node.kind == _ENTITY and node.type is not None
            node_type = node.type if is_entity and node.type else NOTED_TYPE + node.kind
            by_type.setdefault(node_type, {})[node.id] = None
        elif type_ in types:
            by_type.setdefault(type_, {})
    if not by_type:
        unknown = next((name for name, _ in noted.touched if name and is_identifier(name)), None)
        yield noted.draft.model_copy(update={"target_id": unknown})
        return
    for place, (node_type, ids) in enumerate(by_type.items()):
        first, *others = ids or (None,)
        yield noted.draft.model_copy(
            update={
                "id": f"{noted.draft.id}-{place}" if place else noted.draft.id,
                "node_type": node_type,
                "target_id": first,
                "also_touched": tuple(others),
            }
        )
