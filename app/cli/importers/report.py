"""Report of an import, of constant size: remarks are grouped by reason."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from app.cli.importers.models import Remark

_PLACES_SHOWN = 5


@dataclass
class RemarkGroup:
    """Remarks with one reason and one effect, and the first places they concern."""

    effect: str
    reason: str
    count: int = 0
    places: list[str] = field(default_factory=list)


class UploadReport:
    """Counts saved records and groups skipped ones; one per import, not shared between tasks.

    Attributes:
        saved: Number of memories that the service now stores as in the file.
        unchanged: Number of these that it stored before.
        deleted: Number that it skips because somebody deleted them there.
        others: Number of other stored records by kind: entities, relations, associations, messages, conversations.
    """

    def __init__(self) -> None:
        self.saved = 0
        self.unchanged = 0
        self.deleted = 0
        self.others: Counter[str] = Counter()
        self._groups: dict[tuple[str, str], RemarkGroup] = {}

    @property
    def groups(self) -> Sequence[RemarkGroup]:
        """The remarks, skipped records first."""
        return sorted(self._groups.values(), key=lambda group: (group.effect != "skipped", -group.count))

    @property
    def skipped(self) -> int:
        """Number of skipped records."""
        return sum(group.count for group in self._groups.values() if group.effect == "skipped")

    @property
    def fields(self) -> dict[str, Any]:
        """The report as plain types."""
        return {
            "saved": self.saved,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "others": dict(self.others),
            "skipped": self.skipped,
            "remarks": [asdict(group) for group in self.groups],
        }

    def add(self, remark: Remark) -> None:
        """Count a remark under its reason."""
        key = (remark.effect, remark.reason)
        group = self._groups.setdefault(key, RemarkGroup(*key))
        group.count += 1
        if len(group.places) < _PLACES_SHOWN:
            group.places.append(remark.where)
