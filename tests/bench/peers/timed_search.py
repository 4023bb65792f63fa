"""neo4j-graphrag's hybrid search over the store that is measured, in a process and an environment of its own."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.settings import Settings

PACKAGE = "neo4j-graphrag"
_PROCESS = Path(__file__).parent / "processes" / "timed_search.py"
_HITS = 10
_RATIOS = (1, 4, 16, 64, 256, 1024)
_LONGEST_LINE = 1024 * 1024


@dataclass(frozen=True)
class Peer:
    """The running process."""

    process: asyncio.subprocess.Process

    async def search(
        self, workspace_id: str, text: str, vector: Sequence[float], ratio: int
    ) -> tuple[float, int]:
        """Return the seconds a search took, and how many hits it has.

        Args:
            workspace_id: What is found elsewhere is left out, by its filter behind the indexes.
            text: The words.
            vector: The query's.
            ratio: How many times the hits asked for each index is asked for.

        Raises:
            RuntimeError: The process ended.
        """
        asked = {"workspace_id": workspace_id, "text": text, "vector": list(vector), "ratio": ratio}
        answer = await self._asked(asked)
        return float(answer["seconds"]), int(answer["hits"])

    async def ratio_for(self, workspace_id: str, asked: Sequence[tuple[str, Sequence[float]]]) -> int:
        """Return the least ratio at which most queries have ten hits; the largest where none does."""
        for ratio in _RATIOS:
            found = [(await self.search(workspace_id, text, vector, ratio))[1] for text, vector in asked]
            if sorted(found)[len(found) // 2] >= _HITS:
                return ratio
        return _RATIOS[-1]

    async def _asked(self, line: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(line).encode() + b"\n")
        await self.process.stdin.drain()
        answer = await self.process.stdout.readline()
        if not answer:
            raise RuntimeError("neo4j-graphrag's process ended; is it installed in the environment named?")
        read: dict[str, Any] = json.loads(answer)
        return read


@asynccontextmanager
async def peer(python: Path | None, settings: Settings, vector_index: str) -> AsyncIterator[Peer | None]:
    """Start the peer over a store and end it afterwards; nothing where no interpreter is named."""
    if python is None:
        yield None
        return
    assert settings.neo4j.password is not None
    process = await asyncio.create_subprocess_exec(
        python,
        _PROCESS,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_LONGEST_LINE,
    )
    try:
        assert process.stdin is not None
        store = {
            "uri": settings.neo4j.uri,
            "user": settings.neo4j.user,
            "password": settings.neo4j.password.get_secret_value(),
            "vector_index": vector_index,
        }
        process.stdin.write(json.dumps(store).encode() + b"\n")
        yield Peer(process)
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()
