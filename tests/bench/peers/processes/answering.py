"""Process of a peer: it answers requests from standard input, one line of JSON each.

Its environment has the peer and no package of the project. The first line is the ``Store``; then come
``{"save": [{id, text, vector}], "group": …}`` and ``{"search": text, "vector": …, "group": …, "limit": …}``.
Each response has its duration in ``seconds``, and the ``ids`` of the hits.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Store:
    """Database and folder of a peer."""

    uri: str
    user: str
    password: str
    folder: str
    dimension: int


@dataclass(frozen=True)
class Row:
    """One memory."""

    id: str
    text: str


class Vectors:
    """Substitute for the peer's embedder, with the vectors from the requests."""

    def __init__(self) -> None:
        self._known: dict[str, list[float]] = {}

    def note(self, text: str, vector: list[float]) -> None:
        """Store the vector of a text."""
        self._known[text.strip()] = vector

    def of(self, text: str) -> list[float]:
        """Return the vector of a text; some peers strip it first."""
        return self._known[text.strip()]


class Peer(Protocol):
    """Operations of each peer, which isolates groups from each other."""

    async def save(self, group: str, rows: Sequence[Row]) -> None: ...

    async def search(self, group: str, text: str, limit: int) -> list[str]: ...


def answer(open_peer: Callable[[Store, Vectors], Awaitable[Peer]]) -> None:
    """Answer requests until the input ends; redirect the peer's output to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    asyncio.run(_answer(open_peer, lambda told: print(json.dumps(told), file=out, flush=True)))


async def _answer(
    open_peer: Callable[[Store, Vectors], Awaitable[Peer]], tell: Callable[[dict[str, Any]], None]
) -> None:
    vectors = Vectors()
    peer = await open_peer(Store(**json.loads(sys.stdin.readline())), vectors)
    while line := await asyncio.to_thread(sys.stdin.readline):
        request = json.loads(line)
        _note_vectors(vectors, request)
        start = time.perf_counter()
        ids = await _done(peer, request)
        tell({"seconds": time.perf_counter() - start, "ids": ids})


def _note_vectors(vectors: Vectors, request: dict[str, Any]) -> None:
    if "search" in request:
        vectors.note(request["search"], request["vector"])
    for row in request.get("save", ()):
        vectors.note(row["text"], row["vector"])


async def _done(peer: Peer, request: dict[str, Any]) -> list[str]:
    if "search" in request:
        return await peer.search(request["group"], request["search"], request["limit"])
    await peer.save(request["group"], [Row(row["id"], row["text"]) for row in request["save"]])
    return []
