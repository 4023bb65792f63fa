"""Synthetic store of known shape: workspaces of Zipf sizes, each memory a turn about one of 1,000 topics.

A topic is a dozen words of the model's vocabulary; its centre is the model's vector of them. A memory's
vector is its topic's centre plus noise, so queries about the topic are near it and the model need not embed
each memory.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from graph.core.ports import Embedder, Vectors
from graph.memories.models import MemoryDraft
from tests.fixtures.local_models import files_of

_SEED = 4
_TOPICS = 1000
_TOPIC_WORDS = 12
_OWN_WORDS = 7  # words of a memory from its topic
_COMMON_WORDS = 9
_QUERY_WORDS = 4
_SPREAD = 0.8  # length of the noise on a centre of length 1; two memories of a topic have a cosine of 0.6
_SESSION_TURNS = 20
_START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Size:
    """Number of memories and of workspaces."""

    memories: int = 100_000
    workspaces: int = 200

    def of_workspaces(self) -> list[int]:
        """Return the number of memories in each workspace, largest first, proportional to 1 / rank."""
        shares = 1.0 / np.arange(1, self.workspaces + 1)
        sizes = np.maximum(np.floor(self.memories * shares / shares.sum()), 1).astype(int)
        sizes[0] += self.memories - sizes.sum()
        return [int(size) for size in sizes]


@dataclass(frozen=True)
class World:
    """Deterministic texts and vectors, by workspace number or seed."""

    centres: NDArray[np.float32]

    @classmethod
    async def embedded_by(cls, embedder: Embedder) -> "World":
        """Return a world with the topics embedded."""
        return cls(await embedder.embed([" ".join(words) for words in _topics()]))

    @cached_property
    def topics(self) -> Sequence[Sequence[str]]:
        """The words of each topic."""
        return _topics()

    def memories(self, workspace: int, count: int) -> Iterator[MemoryDraft]:
        """Yield the turns of one workspace, in order, with their vectors."""
        random = np.random.default_rng((_SEED, workspace))
        of = random.integers(_TOPICS, size=count)
        vectors = self.vectors(random, of)
        for number in range(count):
            session, turn = divmod(number, _SESSION_TURNS)
            yield MemoryDraft(
                content=self._text(random, of[number]),
                speaker=("Ada", "Bert")[turn % 2],
                timestamp=_START + timedelta(days=session, seconds=turn),
                source_conversation_id=f"conversation-{session // 50}",
                session_id=f"session-{session}",
                embedding=tuple(vectors[number].tolist()),
                source_type="imported",
                dedup=False,
            )

    def notes(self, count: int, *, seed: int) -> list[str]:
        """Return texts that are not turns of a conversation."""
        random = np.random.default_rng((_SEED, seed, 1))
        return [self._text(random, random.integers(_TOPICS)) for _ in range(count)]

    def queries(self, count: int, *, seed: int) -> list[str]:
        """Return distinct questions about topics."""
        random = np.random.default_rng((_SEED, seed, 2))
        asked = [
            f"What did Ada say about {' '.join(random.choice(self.topics[topic], _QUERY_WORDS, replace=False))}?"
            for topic in random.integers(_TOPICS, size=count)
        ]
        return list(dict.fromkeys(asked))

    def query_vectors(self, count: int, *, seed: int) -> NDArray[np.float32]:
        """Return unit vectors with the distribution of the stored ones."""
        random = np.random.default_rng((_SEED, seed, 3))
        return self.vectors(random, random.integers(_TOPICS, size=count))

    def vectors(self, random: np.random.Generator, topics: NDArray[np.int64]) -> Vectors:
        """Return one unit vector near the centre of each given topic."""
        dimension = self.centres.shape[1]
        noise = random.standard_normal((len(topics), dimension)) * (_SPREAD / np.sqrt(dimension))
        around = self.centres[topics] + noise
        return (around / np.linalg.norm(around, axis=1, keepdims=True)).astype(np.float32)

    def _text(self, random: np.random.Generator, topic: int) -> str:
        own = random.choice(self.topics[topic], _OWN_WORDS, replace=False)
        common = random.choice(self.topics[0], _COMMON_WORDS)
        words = [*own, *common]
        random.shuffle(words)
        return f"{' '.join(words).capitalize()}."


def _topics() -> list[list[str]]:
    tokenizer = json.loads(files_of().tokenizer())
    words = sorted(word for word in tokenizer["model"]["vocab"] if word.isalpha() and len(word) > 3)
    random = np.random.default_rng(_SEED)
    return [[str(word) for word in random.choice(words, _TOPIC_WORDS, replace=False)] for _ in range(_TOPICS)]
