"""Layers of a context: each gathers its items and renders them as text."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from graph.conversations.episodes.models import Episode, episode_block
from graph.conversations.episodes.service import Episodes
from graph.knowledge.ontology.models import Entity, EntityFilter
from graph.knowledge.ontology.service import Ontology
from graph.retrieval.context.models import MOST_TARGETS, ContextQuery, KnownEntity, LayerName, Related
from graph.retrieval.context.wording import entity_block, memory_block
from graph.retrieval.entities import EntitySearch
from graph.retrieval.profile.models import ProfileEntry
from graph.retrieval.profile.service import Profiles
from graph.retrieval.profile.wording import profile_text
from graph.retrieval.recall.injection import Injection
from graph.retrieval.recall.models import RecallHit, RecallResolution
from graph.retrieval.recall.service import Recall
from graph.telemetry.models import AgentPattern, pattern_block
from graph.telemetry.reading import TelemetryReader

_MOST_FOUND = 5
_MOST_CONSIDERED = 20  # more than are shown, because entities without information are omitted
_MOST_RELATED = 5
_MOST_PATTERNS = 10


class LayerOff(Exception):
    """Raised by a layer that the query gives nothing to search for; the text is the reason.

    Attributes:
        is_failure: True if a search failed.
    """

    def __init__(self, reason: str, *, is_failure: bool = False) -> None:
        super().__init__(reason)
        self.is_failure = is_failure


@dataclass(frozen=True)
class LayerContent:
    """Items of a layer, best first, with a note for the caller on skipped parts.

    Attributes:
        is_cut: True if the layer omitted items that exceed a budget of its own.
    """

    items: Sequence[Any]
    note: str | None = None
    is_cut: bool = False


class Layer(ABC):
    """One part of a context; lives as long as the process. Each layer has its own type of items, hence Any.

    Attributes:
        name: Name of the layer.
        urgency: Order in which layers use the token budget, lowest first; the order in the prompt is another.
    """

    name: ClassVar[LayerName]
    urgency: ClassVar[int]

    @abstractmethod
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        """Return the items for a query.

        Raises:
            LayerOff: The query gives the layer nothing to search for.
            RecollectError: The search failed.
        """

    @abstractmethod
    def render(self, items: Sequence[Any], query: ContextQuery) -> str:
        """Return items as text; empty for no items."""

    def note_use(  # noqa: B027 - most layers count nothing
        self, workspace_id: str, items: Sequence[Any], query: ContextQuery
    ) -> None:
        """Record the use of the rendered items."""


class ProfileLayer(Layer):
    """Profile of the current scope's user; it counts no use of memories."""

    name = LayerName.PROFILE
    urgency = -1

    def __init__(self, profiles: Profiles) -> None:
        self._profiles = profiles

    @override
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        profile = await self._profiles.get(workspace_id)
        note = f"{profile.left_out} more left out" if profile.left_out else None
        return LayerContent(profile.entries, note=note, is_cut=profile.left_out > 0)

    @override
    def render(self, items: Sequence[ProfileEntry], query: ContextQuery) -> str:
        return profile_text(items)


class EpisodeLayer(Layer):
    """Latest episodes of the named conversation: summaries of its deleted messages."""

    name = LayerName.EPISODES
    urgency = 2

    def __init__(self, episodes: Episodes) -> None:
        self._episodes = episodes

    @override
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        if query.conversation_id is None:
            raise LayerOff("no conversationId is named")
        found = await self._episodes.latest(workspace_id, query.conversation_id)
        if not found:
            raise LayerOff("the conversation has no episodes")
        return LayerContent(found)

    @override
    def render(self, items: Sequence[Episode], query: ContextQuery) -> str:
        return episode_block(items)


class OntologyLayer(Layer):
    """Target entities, then entities that match the query, each with its strongest relations.

    A matching entity that linking created from a name in a memory appears only if it has a relation; otherwise it adds
    no information.
    """

    name = LayerName.ONTOLOGY
    urgency = 1

    def __init__(self, ontology: Ontology, entity_search: EntitySearch, injection: Injection) -> None:
        self._ontology = ontology
        self._search = entity_search
        self._injection = injection

    @override
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        targets, (found, lost) = await asyncio.gather(
            self._ontology.find_named(workspace_id, query.target_ids), self._found(workspace_id, query)
        )
        named = {targets[name].id: targets[name] for name in query.target_ids if name in targets}
        others = [entity for entity in found if entity.id not in named]
        known = await self._with_relations(workspace_id, [*named.values(), *others])
        informative = [each for each in known[len(named) :] if _is_informative(each)]
        unknown = [id_ for id_ in dict.fromkeys(query.target_ids) if id_ not in targets]
        notes = [f"{len(unknown)} of the targets are not in this workspace"] if unknown else []
        return LayerContent([*known[: len(named)], *informative[:_MOST_FOUND]], note=_note(*notes, *lost))

    @override
    def render(self, items: Sequence[KnownEntity], query: ContextQuery) -> str:
        return entity_block(items)

    async def _found(self, workspace_id: str, query: ContextQuery) -> tuple[list[Entity], list[str]]:
        """Return the entities that match the query, and notes on skipped searches."""
        result = await self._search.search_entities(
            workspace_id,
            query.query,
            filter_=EntityFilter(types=query.target_types),
            first=_MOST_CONSIDERED,
            min_score=await self._injection.threshold(workspace_id, query.query),
        )
        return [hit.entity for hit in result.hits], _lost(result.resolution)

    async def _with_relations(self, workspace_id: str, entities: Sequence[Entity]) -> list[KnownEntity]:
        ids = [entity.id for entity in entities]
        if not ids:
            return []
        relations = await self._ontology.relations.of_entities(workspace_id, ids, first=_MOST_RELATED)
        ends = {end for found in relations.values() for each in found for end in (each.from_id, each.to_id)}
        others = await self._ontology.find_all(workspace_id, sorted(ends))
        return [
            KnownEntity(
                entity,
                [
                    Related(each.type, is_outgoing=each.from_id == entity.id, entity=others[other_id])
                    for each in relations[entity.id]
                    if (other_id := each.to_id if each.from_id == entity.id else each.from_id) in others
                ],
            )
            for entity in entities
        ]


def _lost(resolution: RecallResolution) -> list[str]:
    """Return notes on the fallback and on skipped legs of a search, without repeated reasons."""
    fallback = resolution.fallback or ""
    legs = [each for each in resolution.degraded if each.partition(": ")[2] not in fallback]
    return [fallback, *legs] if fallback else legs


def _note(*lines: str) -> str | None:
    return "; ".join(lines) or None


def _is_informative(known: KnownEntity) -> bool:
    entity = known.entity
    is_only_a_name = not (entity.by_hand or entity.connection_ids or entity.description or entity.summary)
    return bool(known.related) or not is_only_a_name


class PatternLayer(Layer):
    """Failure patterns of the planned action; first in the token budget.

    Entities named in the query count as targets, so that a chat client need not name targets.
    """

    name = LayerName.PATTERNS
    urgency = 0

    def __init__(self, telemetry: TelemetryReader, entity_search: EntitySearch) -> None:
        self._telemetry = telemetry
        self._search = entity_search

    @override
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        named = await self._search.named_in(workspace_id, query.query)
        lost = _note(*named.degraded)
        if not (query.target_types or query.target_ids or named.ids or query.action_type):
            raise LayerOff(lost or "neither a target nor an actionType is named", is_failure=lost is not None)
        # Separate queries: an action without targets means any node, not only the entities in the query.
        patterns, of_named = await asyncio.gather(
            self._telemetry.patterns_for(
                workspace_id,
                node_types=query.target_types,
                target_ids=query.target_ids,
                action_type=query.action_type,
            ),
            self._telemetry.patterns_for(workspace_id, target_ids=named.ids[:MOST_TARGETS]),
        )
        if of_named:
            every = {pattern.id: pattern for pattern in (*patterns, *of_named)}
            patterns = sorted(
                every.values(),
                key=lambda each: (each.action_type != query.action_type, -each.confidence, -each.sequences),
            )[:_MOST_PATTERNS]
        return LayerContent(patterns, note=lost)

    @override
    def render(self, items: Sequence[AgentPattern], query: ContextQuery) -> str:
        return pattern_block(items)


class MemoryLayer(Layer):
    """Memories relevant to the query."""

    name = LayerName.MEMORIES
    urgency = 3

    def __init__(self, recall: Recall, injection: Injection) -> None:
        self._recall = recall
        self._injection = injection

    @override
    async def gather(self, workspace_id: str, query: ContextQuery) -> LayerContent:
        result = await self._injection.for_turn(workspace_id, query.query, dry_run=True)
        return LayerContent(result.hits, note=_note(*_lost(result.resolution)))

    @override
    def render(self, items: Sequence[RecallHit], query: ContextQuery) -> str:
        return memory_block(items, query.format, query.query)

    @override
    def note_use(self, workspace_id: str, items: Sequence[RecallHit], query: ContextQuery) -> None:
        """Count the shown memories as recalled, but not omitted or late ones."""
        self._recall.note_use(workspace_id, items, used_by=query.used_by)
