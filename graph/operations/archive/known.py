"""Matches nodes of an archive with nodes of a workspace, by the identities of their label."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from graph.operations.archive.chains import Chain, chain_of
from graph.operations.archive.labels import ARCHIVED

_Identity = tuple[Hashable, ...]


class Found(NamedTuple):
    """A node of the workspace; ``id`` is None if its label has only one identity."""

    ref: str
    is_same_id: bool
    id: str | None


class KnownNodes:
    """The nodes of a workspace, including those restored so far.

    Attributes:
        chains: Those of turns and messages that were there when it was read.
    """

    def __init__(self) -> None:
        self._refs: dict[_Identity, str] = {}
        self._ids: dict[str, str] = {}
        self.chains: set[Chain] = set()

    def add(self, label: str, properties: Mapping[str, Any], ref: str) -> None:
        """Record a node under each of its identities."""
        for identity in _identities(label, properties):
            self._refs[identity] = ref
        if len(ARCHIVED[label].identities) > 1 and "id" in properties:
            self._ids[ref] = properties["id"]

    def add_stored(self, label: str, properties: Mapping[str, Any], ref: str) -> None:
        """Note a node that the workspace has."""
        self.add(label, properties, ref)
        if (chain := chain_of(label, properties)) is not None:
            self.chains.add(chain)

    def find(self, label: str, properties: Mapping[str, Any]) -> Found | None:
        """Return the same node, and whether it bears the same id; None where there is none."""
        for place, identity in enumerate(_identities(label, properties)):
            if (ref := self._refs.get(identity)) is not None:
                return Found(ref, place == 0, self._ids.get(ref))
        return None


def _identities(label: str, properties: Mapping[str, Any]) -> Iterator[_Identity]:
    for names in ARCHIVED[label].identities:
        values = tuple(properties.get(name) for name in names)
        if None not in values:
            yield (label, names, *values)
