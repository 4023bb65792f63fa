"""Models of a context and its request."""

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
"""Layers of a context by default: all but the profile."""


class WhyOff(StrEnum):
    """Reason why nothing is injected."""

    MEMORY = MEMORY_OFF
    BUDGET = "maxTokens leaves no room"


class ContextQuery(Frozen):
    """Request of a context for an agent's planned action.

    Attributes:
        query: Message that the agent works on, unchanged.
        conversation_id: Conversation whose latest episodes are included.
        target_ids: Ids or keys of the entities that the agent will act on.
        target_types: Types of the nodes that the agent will act on, from the ontology or from telemetry.
        action_type: Planned action, as in telemetry.
        max_tokens: Token limit of the prompt, capped at 8000 and the workspace's limit; 0 or less gives an empty
            prompt. None: the workspace's limit, or else 2000.
        provider: Provider of the model, or ``provider/model``.
        used_by: Session whose run uses the memories.
        layers: Layers to gather.
        dry_run: Count no use, and log no injection.
        is_automatic: True for contexts that the service injects into chat turns. They require that memory is on, and
            have a shorter deadline.
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
    """A related entity, seen from the other end of the relation."""

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
        prompt: Text of the layers within the token limit; empty if there are no items.
        messages: The prompt as messages with ``role`` and ``content``.
        tokens: Estimated tokens of the prompt.
        included: Items of each layer in the prompt.
        skipped: Reasons of layers that were off, late, failed or cut, and of a query that was cut.
        missing: Summary of ``skipped``: a layer, ``query``, or ``meaning`` for vectors, with ``late``, ``failed``,
            ``off`` or ``cut``. Omits layers that the query gave nothing to search for.
        off: Reason why layers were not gathered; None: all were.
    """

    prompt: str
    messages: Sequence[Mapping[str, str]]
    tokens: int
    included: Mapping[LayerName, Sequence[Any]]
    skipped: Sequence[str]
    missing: Mapping[str, str] = field(default_factory=dict)
    off: WhyOff | None = None

    def in_short(self, *more: str) -> str:
        """Return the numbers of injected memories and the missing parts, with ``more``, as one line of ASCII.

        For example ``injected=3; skipped=meaning(late),patterns(off)``.
        """
        skipped = ",".join([*(f"{part}({why})" for part, why in self.missing.items()), *more])
        return f"injected={len(self.memories)}" + (f"; skipped={skipped}" if skipped else "")

    @property
    def node_ids(self) -> list[str]:
        """Ids of the included memories, entities, patterns and episodes."""
        return [
            *self.memory_ids,
            *(entity.id for entity in self.entities),
            *(pattern.id for pattern in self.patterns),
            *(episode.id for episode in self.episodes),
        ]

    @property
    def memory_ids(self) -> list[str]:
        """Ids of the included memories, and of the memories behind the profile."""
        ids = (entry.memory_id for entry in self.profile)
        return list(dict.fromkeys([*(hit.memory.id for hit in self.memories), *ids]))

    @property
    def profile(self) -> list[ProfileEntry]:
        """Included entries of the user's profile."""
        return self._of(LayerName.PROFILE)

    @property
    def episodes(self) -> list[Episode]:
        """Included episodes, the most recent last, as in the prompt."""
        return self._of(LayerName.EPISODES)[::-1]

    @property
    def entities(self) -> list[Entity]:
        """Included entities, without those that appear only as related."""
        return [known.entity for known in self._of(LayerName.ONTOLOGY)]

    @property
    def patterns(self) -> list[AgentPattern]:
        """Included failure patterns."""
        return self._of(LayerName.PATTERNS)

    @property
    def memories(self) -> list[RecallHit]:
        """Included memories, best first."""
        return self._of(LayerName.MEMORIES)

    def _of(self, name: LayerName) -> list[Any]:
        return list(self.included.get(name, ()))
