"""Finds names in memories and the entities that they mention. Pure functions that need much processor time."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log2

from graph.knowledge.linking.kinds import PERSON, THING
from graph.knowledge.linking.models import (
    EntityNews,
    LinkingSource,
    MemoryRelation,
    Mention,
    NamedEntity,
    Recognised,
    SharedEntity,
    TextSpan,
)
from graph.knowledge.linking.occurrences import by_name, keys_of, mentions_in, spans
from graph.knowledge.linking.recognition import recognise
from graph.knowledge.ontology.names import RECOGNISED_TYPES, normalized


@dataclass(frozen=True)
class Named:
    """A memory with the normalised names in its text, and the names that rules recognise."""

    source: LinkingSource
    keys: Sequence[str]
    recognised: Sequence[Recognised]


@dataclass
class Links:
    """Mentions of one memory: stored entities, news of them, and names of new entities."""

    source: LinkingSource
    mentions: list[Mention]
    new: list[Recognised] = field(default_factory=list)
    news: list[EntityNews] = field(default_factory=list)


def named_in(sources: Sequence[LinkingSource]) -> list[Named]:
    """Return the possible names of each memory."""
    return [_named(source) for source in sources]


def links_of(named: Sequence[Named], entities: Sequence[NamedEntity]) -> list[Links]:
    """Return the mentions of each memory, given the entities with one of its names."""
    known = by_name(entities)
    return [_links(each, known) for each in named]


def first_names_of(links: Sequence[Links]) -> list[str]:
    """Return the normalised names of one word of new people and unclassified things."""
    people = (each for link in links for each in link.new if each.type in (PERSON, THING))
    return sorted({key for each in people if len((key := normalized(each.name)).split()) == 1})


def with_whole_names(links: Sequence[Links], stored: Sequence[NamedEntity]) -> list[Links]:
    """Replace the first names in mentions of new people by the whole name of the only person who has this first name.

    Args:
        links: Mentions of memories that are linked together.
        stored: Entities whose names may begin with these first names.
    """
    new = [each.name for link in links for each in link.new if each.type == PERSON]
    known = [(key, entity.name) for entity in stored if entity.type == PERSON for key in entity.name_keys] + [
        (normalized(name), name) for name in new
    ]
    whole: dict[str, dict[str, str]] = defaultdict(dict)
    for key, name in known:
        first, _, rest = key.partition(" ")
        if rest:
            whole[first][normalized(name)] = name
    only = {first: next(iter(names.values())) for first, names in whole.items() if len(names) == 1}
    return [
        replace(link, new=[_with_whole_name(each, only) for each in link.new]) if link.new else link
        for link in links
    ]


def _with_whole_name(each: Recognised, whole: Mapping[str, str]) -> Recognised:
    name = whole.get(normalized(each.name)) if each.type in (PERSON, THING) else None
    return each if name is None else each._replace(name=name, type=PERSON)


def chars_of(sources: Sequence[LinkingSource]) -> int:
    """Return the total number of characters of memories."""
    return sum(len(source.content) for source in sources)


def _named(source: LinkingSource) -> Named:
    recognised = [each for each in recognise(source.content, speakers=source.speakers) if each.type]
    names = (name for each in recognised for name in (each.name, *each.aliases))
    keys = [*keys_of(spans(source.content)), *map(normalized, names)]
    return Named(source, keys, recognised)


def _links(named: Named, known: Mapping[str, Sequence[NamedEntity]]) -> Links:
    """Return the mentions of a memory, by stored names and aliases and by rules.

    A recognised person's whole name is no mention of a stored shorter one: "Tom Hardy" is another person than "Tom".
    """
    text = named.source.content
    found = mentions_in(text, spans(text), known)
    by_hand = {entity.id for entities in known.values() for entity in entities if entity.by_hand}
    longer = [each for each in named.recognised if each.type == PERSON and not _bearers(each, found, known)]
    found = [
        (span, mention)
        for span, mention in found
        if mention.entity_id in by_hand or not any(_is_within(span, each) for each in longer)
    ]
    links = Links(named.source, [mention for _, mention in found])
    for each in named.recognised:
        bearers = _bearers(each, found, known)
        if bearers:
            links.news += [news for entity in bearers if (news := _news(each, entity)) is not None]
        elif not any(each.start < span.end and span.start < each.end for span, _ in found):
            links.new.append(each)
    return links


def _is_within(span: TextSpan, each: Recognised) -> bool:
    """Tell whether a span is a part of a recognised name, but not all of it."""
    return each.start <= span.start and span.end <= each.end and span.end - span.start < each.end - each.start


def _bearers(
    each: Recognised, found: Sequence[tuple[TextSpan, Mention]], known: Mapping[str, Sequence[NamedEntity]]
) -> list[NamedEntity]:
    """Return the mentioned entities with the recognised name, or else those of a fitting type with its acronym."""
    for key in map(normalized, (each.name, *each.aliases)):
        ids = {mention.entity_id for span, mention in found if span.key == key}
        bearers = [entity for entity in known.get(key, ()) if entity.id in ids]
        if key != normalized(each.name):
            bearers = [entity for entity in bearers if _fits(each, entity)]
        if bearers:
            return bearers
    return []


def _fits(each: Recognised, entity: NamedEntity) -> bool:
    """Tell whether an entity may have the recognised type; custom types may always."""
    return each.type == THING or entity.type in {THING, each.type} or entity.type not in RECOGNISED_TYPES


def _news(each: Recognised, entity: NamedEntity) -> EntityNews | None:
    """Return the news of an entity in a text, or None; a type that somebody gave the entity stays."""
    is_typed = entity.by_hand or entity.type != THING or each.type == THING
    aliases = tuple(
        name
        for name in (each.name, *each.aliases)
        if each.aliases and normalized(name) not in entity.name_keys
    )
    return (
        None if is_typed and not aliases else EntityNews(entity.id, None if is_typed else each.type, aliases)
    )


MOST_MENTIONING = 50
"""Maximum number of mentions of an entity that relates memories; more common entities say nothing about a pair."""

MOST_RELATIONS = 5
"""Maximum number of relations of one memory; AutoMem's recall shows the same number."""

_LEAST_STRENGTH = 0.2


def relations_of(shared: Sequence[SharedEntity]) -> list[MemoryRelation]:
    """Return the strongest relations of each memory, five at most.

    The strength is the weight of the common entities divided by the weight of all entities that the memory mentions.
    An entity with n mentions has the weight 1 / log2(1 + n). Relations with a strength below 0.2 are omitted.
    """
    by_memory: dict[str, list[SharedEntity]] = defaultdict(list)
    for each in shared:
        by_memory[each.memory_id].append(each)
    return [relation for entities in by_memory.values() for relation in _strongest(entities)]


def _strongest(entities: Sequence[SharedEntity]) -> list[MemoryRelation]:
    whole = sum(_weight(entity) for entity in entities)
    common: dict[str, float] = defaultdict(float)
    for entity in entities:
        if entity.mentioning <= MOST_MENTIONING:
            for other_id in entity.other_ids:
                common[other_id] += _weight(entity)
    found = [
        MemoryRelation(entities[0].memory_id, other_id, round(weight / whole, 3))
        for other_id, weight in common.items()
    ]
    found.sort(key=lambda relation: (-relation.strength, relation.other_id))
    return [relation for relation in found if relation.strength >= _LEAST_STRENGTH][:MOST_RELATIONS]


def _weight(entity: SharedEntity) -> float:
    return 1 / log2(1 + entity.mentioning)
