"""Links restored turns and messages to existing ones in their chains, by their positions.

The archive's own links are not enough: since the export, deletions have linked the neighbours of deleted turns, and
newer turns have followed.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from graph.conversations.capture.service import draw_messages
from graph.core.database import Database
from graph.core.deadlines import long_work
from graph.core.rows import Runner
from graph.memories.saving.neighbourhood import draw_turns
from graph.operations import queries

LINK: Final = "NEXT"
_SCOPES: Final = {"Memory": "turn_scope", "Message": "conversation_id"}
_CONVERSATIONS: Final = {"Memory": "source_conversation_id", "Message": "conversation_id"}
_DRAWN_TOGETHER: Final = 500  # positions


class Chain(NamedTuple):
    """Identity of a chain of turns or messages."""

    label: str
    scope: str
    conversation_id: str


class _Place(NamedTuple):
    position: int
    id: str


def chain_of(label: str, properties: Mapping[str, Any]) -> Chain | None:
    """Return the chain of a node, or None."""
    if label not in _SCOPES or properties.get("position") is None:
        return None
    scope, conversation_id = properties.get(_SCOPES[label]), properties.get(_CONVERSATIONS[label])
    return None if scope is None or conversation_id is None else Chain(label, scope, conversation_id)


@dataclass
class Chains:
    """Positions of restored nodes in existing chains, recorded while nodes are written."""

    database: Database
    workspace_id: str
    now: datetime
    _places: dict[Chain, list[_Place]] = field(default_factory=lambda: defaultdict(list))

    def note(self, chain: Chain, properties: Mapping[str, Any]) -> None:
        """Record a node to link with its neighbours."""
        self._places[chain].append(_Place(properties["position"], properties["id"]))

    async def draw(self) -> None:
        """Link the recorded nodes with the existing ones; idempotent."""
        for chain, places in self._places.items():
            ids = {place.id for place in places}
            for since, until in _stretches(places):
                with long_work():
                    await self._draw(chain, ids, since, until)

    async def _draw(self, chain: Chain, ids: set[str], since: int, until: int) -> None:
        workspace_id = self.workspace_id

        async def work(tx: Runner) -> None:
            if chain.label == "Message":
                await queries.lock_restored_conversation(tx, workspace_id=workspace_id, id=chain.scope)
                await draw_messages(tx, workspace_id, conversation_id=chain.scope, since=since, until=until)
                return
            await draw_turns(
                tx,
                workspace_id,
                turn_scope=chain.scope,
                conversation_id=chain.conversation_id,
                since=since,
                until=until,
                new_ids=ids,
                now=self.now,
            )

        await self.database.transaction(work)


def _stretches(places: Sequence[_Place]) -> Iterator[tuple[int, int]]:
    """Yield the first and last position of each part that one transaction links."""
    positions = sorted({place.position for place in places})
    since = until = positions[0]
    for position in positions:
        if position - since >= _DRAWN_TOGETHER:
            yield since, until
            since = position
        until = position
    yield since, until
