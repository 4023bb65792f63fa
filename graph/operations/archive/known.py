"""Which node of a workspace a node of an archive is, by what tells nodes of its label apart."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from graph.operations.archive.labels import ARCHIVED

_Identity = tuple[Hashable, ...]


class KnownNodes:
    """The nodes that a workspace has; grows with those that are restored."""

    def __init__(self) -> None:
        self._refs: dict[_Identity, str] = {}

    def add(self, label: str, properties: Mapping[str, Any], ref: str) -> None:
        """Note a node by everything it can be told by."""
        for identity in _identities(label, properties):
            self._refs[identity] = ref

    def find(self, label: str, properties: Mapping[str, Any]) -> tuple[str, bool] | None:
        """Return the element id of the same node, and whether it bears the same id; None where there is none."""
        for place, identity in enumerate(_identities(label, properties)):
            if (ref := self._refs.get(identity)) is not None:
                return ref, place == 0
        return None


def _identities(label: str, properties: Mapping[str, Any]) -> Iterator[_Identity]:
    for names in ARCHIVED[label].identities:
        values = tuple(properties.get(name) for name in names)
        if None not in values:
            yield (label, names, *values)
