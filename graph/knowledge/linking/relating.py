"""Relations between memories, from the entities that both mention. Pure."""

from collections import defaultdict
from collections.abc import Sequence
from math import log2

from graph.knowledge.linking.models import Relation, SharedEntity

MOST_MENTIONING = 50
"""An entity that more memories mention tells nothing of two of them."""

MOST_RELATIONS = 5
"""Relations found for one memory: as many as AutoMem's recall shows of one."""

_LEAST_STRENGTH = 0.2


def relations_of(shared: Sequence[SharedEntity]) -> list[Relation]:
    """Return the strongest relations of each memory, five at most.

    A relation's strength is the part that the common entities have in all that the memory mentions, in 0.2..1; the
    fewer memories mention an entity, the more it counts: one that n mention by 1 / log2(1 + n).
    """
    by_memory: dict[str, list[SharedEntity]] = defaultdict(list)
    for each in shared:
        by_memory[each.memory_id].append(each)
    return [relation for entities in by_memory.values() for relation in _strongest(entities)]


def _strongest(entities: Sequence[SharedEntity]) -> list[Relation]:
    whole = sum(_weight(entity) for entity in entities)
    common: dict[str, float] = defaultdict(float)
    for entity in entities:
        if entity.mentioning <= MOST_MENTIONING:
            for other_id in entity.other_ids:
                common[other_id] += _weight(entity)
    found = [
        Relation(entities[0].memory_id, other_id, round(weight / whole, 3))
        for other_id, weight in common.items()
    ]
    found.sort(key=lambda relation: (-relation.strength, relation.other_id))
    return [relation for relation in found if relation.strength >= _LEAST_STRENGTH][:MOST_RELATIONS]


def _weight(entity: SharedEntity) -> float:
    return 1 / log2(1 + entity.mentioning)
