"""What can be asked of the connections between nodes."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.ports import Clock
from graph.core.time import in_utc
from graph.knowledge.traversal import queries
from graph.knowledge.traversal.models import (
    Direction,
    FoundNode,
    Neighbour,
    NodeKind,
    Path,
    Subgraph,
    TraversalQuery,
)
from graph.knowledge.traversal.paths import cheapest_paths
from graph.knowledge.traversal.walking import MOST_EXAMINED_PER_NODE, Rules, Walk

MAX_DEPTH = 5
_MAX_STARTS = 50
_MAX_NODES = 1000
_MAX_PATHS = 20
_MAX_NEIGHBOURS = 100
_MAX_TYPES = 50
_REACHED_FROM_EACH_END = 2000
_EDGE_TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_EVERY_KIND = tuple(NodeKind)


class Traversal:
    """The use cases of traversal; lives as long as the process.

    Every hop stays in the workspace it started in, and what is deleted or expired is neither reached nor passed, nor is
    what was not there at the moment that is asked for: what came later, and memories that were not true then. What has
    been deleted or has expired since is in no answer.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def find(self, workspace_id: str, ids: Sequence[str]) -> dict[str, FoundNode]:
        """Return those of the nodes that the workspace has, of whatever kind, by their ids."""
        return await self._find(workspace_id, ids, as_of=None)

    async def traverse(self, workspace_id: str, query: TraversalQuery) -> Subgraph:
        """Return what lies within ``depth`` hops of the starts, nearest first, strongest edges first.

        Of a hub 5,000 edges are looked at and 500 followed, so the answer may be truncated, and says so. Starts that
        were not there ``as_of`` the moment are left out.

        Raises:
            InvalidInput: A field breaks a rule.
            NotFound: A start is no node of the workspace.
        """
        _check(query)
        as_of = in_utc("asOf", query.as_of)
        starts = await self._starts(workspace_id, query.start, field="start", as_of=as_of)
        walk = Walk.from_nodes(starts)
        kinds = [kind for kind in NodeKind if query.include_memories or kind is not NodeKind.MEMORY]
        rules = self._rules(workspace_id, query.types, query.direction, kinds, as_of)
        for _ in range(query.depth):
            room = query.limit + len(starts) - len(walk.reached)
            if room == 0:
                walk.truncated |= bool(walk.frontier)
                break
            await walk.hop(self._database, rules, room=room)
        return Subgraph(
            nodes=list(walk.reached.values()), edges=list(walk.edges.values()), truncated=walk.truncated
        )

    async def paths(
        self,
        workspace_id: str,
        *,
        from_id: str,
        to_id: str,
        max_depth: int = 4,
        limit: int = 5,
        as_of: datetime | None = None,
    ) -> list[Path]:
        """Return ways between two nodes, whichever way their edges point; the cheapest first.

        Both ends are walked from, each half of the hops, up to 2,000 nodes from either. There is none where an end was
        not there ``as_of`` the moment.

        Raises:
            InvalidInput: ``max_depth`` is not 1 to 5, ``limit`` not 1 to 20, or ``as_of`` no moment of UTC.
            NotFound: An end is no node of the workspace.
        """
        _within("maxDepth", max_depth, MAX_DEPTH)
        _within("limit", limit, _MAX_PATHS)
        moment = in_utc("asOf", as_of)
        starts = await self._starts(workspace_id, [from_id], field="from", as_of=moment)
        ends = await self._starts(workspace_id, [to_id], field="to", as_of=moment)
        if not (starts and ends):
            return []
        rules = self._rules(workspace_id, (), Direction.BOTH, _EVERY_KIND, moment)
        walks = (Walk.from_nodes(starts), Walk.from_nodes(ends))
        for number in range(max_depth):
            walk = walks[number % 2]
            await walk.hop(self._database, rules, room=_REACHED_FROM_EACH_END - len(walk.reached) + 1)
        return await asyncio.to_thread(
            cheapest_paths,
            {id_: reached.node for walk in walks for id_, reached in walk.reached.items()},
            {**walks[0].edges, **walks[1].edges}.values(),
            start=from_id,
            end=to_id,
            most_hops=max_depth,
            limit=limit,
        )

    async def neighbours(
        self, workspace_id: str, ids: Sequence[str], *, first: int = 10, conversation_id: str | None = None
    ) -> dict[str, list[Neighbour]]:
        """Return what each of the nodes is joined to directly, the strongest edges first.

        Args:
            workspace_id: Where they are.
            ids: Of the nodes; of messages those within one conversation are unique.
            first: How many of each are returned at most.
            conversation_id: Only messages of this conversation are meant; None: nodes of any kind.

        Raises:
            InvalidInput: ``first`` is not 1 to 100.
        """
        _within("first", first, _MAX_NEIGHBOURS)
        rows = await queries.expand_nodes(
            self._database,
            workspace_id=workspace_id,
            ids=list(ids),
            conversation_id=conversation_id,
            kinds=_EVERY_KIND,
            types=(),
            direction=Direction.BOTH,
            passed_over=(),
            examined=MOST_EXAMINED_PER_NODE,
            fan_out=first,
            now=self._clock.now(),
            as_of=None,
        )
        result: dict[str, list[Neighbour]] = defaultdict(list)
        for row in rows:
            if row.edge and row.node:
                result[row.from_id].append(Neighbour(edge=row.edge, node=row.node))
        return dict(result)

    async def _find(
        self, workspace_id: str, ids: Sequence[str], *, as_of: datetime | None
    ) -> dict[str, FoundNode]:
        nodes = await queries.find_nodes(
            self._database,
            workspace_id=workspace_id,
            ids=list(dict.fromkeys(ids)),
            kinds=_EVERY_KIND,
            now=self._clock.now(),
            as_of=as_of,
        )
        return {node.id: node for node in nodes}

    async def _starts(
        self, workspace_id: str, ids: Sequence[str], *, field: str, as_of: datetime | None
    ) -> list[FoundNode]:
        found = await self.find(workspace_id, ids)
        for id_ in ids:
            if id_ not in found:
                raise NotFound(f"there is no node {id_!r} in this workspace", field=field)
        there = found if as_of is None else await self._find(workspace_id, ids, as_of=as_of)
        return list(there.values())

    def _rules(
        self,
        workspace_id: str,
        types: Sequence[str],
        direction: Direction,
        kinds: Sequence[NodeKind],
        as_of: datetime | None,
    ) -> Rules:
        return Rules(workspace_id, self._clock.now(), kinds, types, direction, as_of)


def _check(query: TraversalQuery) -> None:
    if not 1 <= len(query.start) <= _MAX_STARTS:
        raise InvalidInput("start", f"start must name 1 to {_MAX_STARTS} nodes, got {len(query.start)}")
    if len(query.types) > _MAX_TYPES:
        raise InvalidInput("types", f"types must have at most {_MAX_TYPES} entries, got {len(query.types)}")
    for type_ in query.types:
        if not _EDGE_TYPE.fullmatch(type_):
            raise InvalidInput("types", f"types must be in UPPER_SNAKE_CASE, got {type_[:80]!r}")
    _within("depth", query.depth, MAX_DEPTH)
    _within("limit", query.limit, _MAX_NODES)


def _within(field: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InvalidInput(field, f"{field} must be between 1 and {most}, got {value}")
