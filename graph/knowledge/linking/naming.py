"""What memories name, read from their texts alone, and which entities that makes them mention. Pure, and slow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graph.knowledge.linking.models import LinkingSource, Mention, NamedEntity, Recognised
from graph.knowledge.linking.occurrences import by_name, keys_of, mentions_in, spans
from graph.knowledge.linking.recognition import recognise
from graph.knowledge.ontology.names import normalized


@dataclass(frozen=True)
class Named:
    """A memory with the names that may stand in its text, as they are compared, and those that rules recognise."""

    source: LinkingSource
    keys: Sequence[str]
    recognised: Sequence[Recognised]


@dataclass
class Links:
    """What one memory mentions: entities there are, and names that are to become entities."""

    source: LinkingSource
    mentions: list[Mention]
    new: list[Recognised] = field(default_factory=list)


def named_in(sources: Sequence[LinkingSource]) -> list[Named]:
    """Return what each memory may name."""
    return [_named(source) for source in sources]


def links_of(named: Sequence[Named], entities: Sequence[NamedEntity]) -> list[Links]:
    """Return what each memory mentions, given the entities that bear one of the names."""
    known = by_name(entities)
    return [_links(each, known) for each in named]


def chars_of(sources: Sequence[LinkingSource]) -> int:
    """Return how many characters memories have together."""
    return sum(len(source.content) for source in sources)


def _named(source: LinkingSource) -> Named:
    recognised = [each for each in recognise(source.content, speakers=source.speakers) if each.type]
    keys = [*keys_of(spans(source.content)), *(normalized(each.name) for each in recognised)]
    return Named(source, keys, recognised)


def _links(named: Named, known: Mapping[str, Sequence[NamedEntity]]) -> Links:
    """Return what a memory mentions: what is named as somebody wrote it, and what only a rule finds beside."""
    text = named.source.content
    found = mentions_in(text, spans(text), known)
    links = Links(named.source, [mention for _, mention in found])
    taken = [span for span, _ in found]
    for each in named.recognised:
        if any(each.start < span.end and span.start < each.end for span in taken):
            continue
        links.new.append(each)
    return links
