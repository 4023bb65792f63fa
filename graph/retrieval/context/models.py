"""Models of a context and of its request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graph.conversations.episodes.models import Episode
from graph.core.models import Frozen
from graph.knowledge.ontology.models import Entity
from graph.retrieval.profile.models import ProfileEntry
from graph.retrieval.recall.models import RecallHit
from graph.telemetry.models import AgentPattern
from graph.tenancy.models import MEMORY_OFF

DEFAULT_TOKENS = 2000
"""Default of the setting ``maxTokens``."""
MOST_TARGETS = 100


class InjectionFormat(StrEnum):
    """Place of the context for a model."""

    SYSTEM_MESSAGE = "system_message"
    SYSTEM_PROMPT = "system_prompt"
    USER_SUFFIX = "user_suffix"


class LayerName(StrEnum):
    """Layers of a context, in the order of the prompt."""

    PROFILE = "profile"
    EPISODES = "episodes"
    ONTOLOGY = "ontology"
    PATTERNS = "patterns"
    MEMORIES = "memories"


DEFAULT_LAYERS = frozenset(LayerName) - {LayerName.PROFILE}
"""Layers of a context whose caller asks for no profile."""


class WhyOff(StrEnum):
    """Why nothing is injected."""

    MEMORY = MEMORY_OFF
    BUDGET = "maxTokens leaves no room"


class ContextQuery(Frozen):
    """Intended action of an agent.

    Attributes:
        query: The message it works on, as it came.
        conversation_id: Conversation whose latest episodes are included.
        target_ids: Entities it is about to act on, by id or key.
        target_types: Types of nodes it is about to act on, whether the ontology knows them or telemetry alone.
        action_type: Planned action, as in telemetry.
        max_tokens: Token limit of the prompt; at most 8000 and the workspace's limit, and nothing for 0 or less. None:
            the limit of the workspace or the deployment.
        provider: Provider of the model, alone or as in ``provider/model``.
        used_by: The session whose run uses the memories, as of a recall.
        layers: Permitted layers; others are not searched.
        dry_run: Count no use, and log no injection.
        is_automatic: True if nobody requested it, as in the turns of a chat: then memory must be on, and the turn
            waits.
    """

    query: str
    conversation_id: str | None = None
    target_ids: tuple[str, ...] = ()
    target_types: tuple[str, ...] = ()
    action_type: str | None = None
    max_tokens: int | None = None
    format: InjectionFormat = InjectionFormat.SYSTEM_PROMPT
    provider: str | None = None
    used_by: str | None = None
    layers: frozenset[LayerName] = DEFAULT_LAYERS
    dry_run: bool = False
    is_automatic: bool = False


@dataclass(frozen=True)
class Related:
    """One end of a relation, seen from the other."""

    relation_type: str
    is_outgoing: bool
    entity: Entity


@dataclass(frozen=True)
class KnownEntity:
    """An entity with its strongest relations."""

    entity: Entity
    related: Sequence[Related]


@dataclass(frozen=True)
class AgentContext:
    """The composed context, its parts and its missing parts.

    Attributes:
        prompt: Text of the layers, within the requested tokens; empty for nothing.
        messages: The same as messages with ``role`` and ``content``.
        tokens: Approximate tokens of the prompt.
        included: Items of each layer in the prompt.
        skipped: Each layer that was off, late, failed or cut, and why; and the query, where only its end was read.
        missing: Short words for the same: a layer, ``query``, or ``meaning`` where no vectors were had, and ``late``,
            ``failed``, ``off`` or ``cut``.
        off: Why not every layer was looked into, where it was not.
    """

    prompt: str
    messages: Sequence[Mapping[str, str]]
    tokens: int
    included: Mapping[LayerName, Sequence[Any]]
    skipped: Sequence[str]
    missing: Mapping[str, str] = field(default_factory=dict)
    off: WhyOff | None = None

    def in_short(self, *more: str) -> str:
        """Return what became of it, and what ``more`` is missing, in one line of ASCII.

        For example ``injected=3; skipped=meaning(late),patterns(off)``.
        """
        skipped = ",".join([*(f"{part}({why})" for part, why in self.missing.items()), *more])
        return f"injected={len(self.memories)}" + (f"; skipped={skipped}" if skipped else "")

    @property
    def node_ids(self) -> list[str]:
        """Ids of the memories, entities, patterns and episodes it speaks of."""
        return [
            *self.memory_ids,
            *(entity.id for entity in self.entities),
            *(pattern.id for pattern in self.patterns),
            *(episode.id for episode in self.episodes),
        ]

    @property
    def memory_ids(self) -> list[str]:
        """Ids of its memories, and of those that the profile was made of."""
        told = (entry.memory_id for entry in self.profile)
        return list(dict.fromkeys([*(hit.memory.id for hit in self.memories), *told]))

    @property
    def profile(self) -> list[ProfileEntry]:
        """The entries of the user's profile that it begins with."""
        return self._of(LayerName.PROFILE)

    @property
    def episodes(self) -> list[Episode]:
        """The summaries it begins with, the most recent last as there."""
        return self._of(LayerName.EPISODES)[::-1]

    @property
    def entities(self) -> list[Entity]:
        """The entities it speaks of, without those it names as related only."""
        return [known.entity for known in self._of(LayerName.ONTOLOGY)]

    @property
    def patterns(self) -> list[AgentPattern]:
        """The patterns it warns of."""
        return self._of(LayerName.PATTERNS)

    @property
    def memories(self) -> list[RecallHit]:
        """The memories it holds, best first."""
        return self._of(LayerName.MEMORIES)

    def _of(self, name: LayerName) -> list[Any]:
        return list(self.included.get(name, ()))
