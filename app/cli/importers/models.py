"""Records that a reader yields from a source: items to save, and remarks on skipped or altered ones.

Every reader yields these in the order of the file; ``app.cli.importers.upload`` sends them.
"""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from graph.core.errors import InvalidInput
from graph.core.exact import read_time
from graph.core.text.normal_forms import is_blank
from graph.core.time import in_utc
from graph.memories.policy import MOST_TURN_CHARS, cut_turn, is_cut

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_DEPTH = 64


class TooDeepError(ValueError):
    """Raised if a JSON value is nested deeper than the service allows."""


class Scrubber:
    """Cleans the values of one record and collects its changes, each kind once."""

    def __init__(self) -> None:
        self._changes: dict[str, None] = {}

    @property
    def changes(self) -> list[str]:
        """Changes so far, in order."""
        return list(self._changes)

    def scrub(self, value: Any, depth: int = 0) -> Any:
        """Return the JSON value with storable strings, including the names in objects.

        Raises:
            TooDeepError: The value is nested deeper than 64 levels.
        """
        if depth > _MAX_DEPTH:
            raise TooDeepError(f"nests deeper than {_MAX_DEPTH} levels")
        if isinstance(value, str):
            return self._scrub_text(value)
        if isinstance(value, float) and not math.isfinite(value):
            self._changes["numbers that are not finite left out"] = None
            return None
        if isinstance(value, list):
            return [self.scrub(each, depth + 1) for each in value]
        if isinstance(value, dict):
            return {self._scrub_text(name): self.scrub(each, depth + 1) for name, each in value.items()}
        return value

    def cut(self, text: str, max_chars: int) -> str:
        """Return the first ``max_chars`` characters."""
        if len(text) <= max_chars or is_cut(text):
            return text
        self._changes[f"content cut to {max_chars} characters"] = None
        return text[:max_chars]

    def cut_turn(self, text: str, max_chars: int) -> str:
        """Return the beginning and the end of a turn that is longer than ``max_chars``."""
        shortened = cut_turn(text.strip()) if len(text) > max_chars else text
        if is_cut(shortened) and not is_cut(text):
            self._changes[f"content cut to its first and last {MOST_TURN_CHARS // 2} characters"] = None
        return self.cut(shortened, max_chars)

    def _scrub_text(self, text: str) -> str:
        if "\0" in text:
            self._changes["NUL bytes removed"] = None
            text = text.replace("\0", "")
        if _LONE_SURROGATE.search(text):
            self._changes["lone surrogates replaced"] = None
            text = _LONE_SURROGATE.sub("\ufffd", text)
        return text


class UnreadableFileError(Exception):
    """Raised if a whole file does not have the given format."""


def read_moment(value: Any) -> datetime | None:
    """Return the time of a value in UTC; a time without an offset counts as UTC; None for null or a blank text.

    Raises:
        ValueError: The value is not a time, or is outside the years 1 to 9999.
    """
    try:
        is_empty = value is None or (isinstance(value, str) and not value.strip())
        return None if is_empty else in_utc("the time", read_time(value))
    except InvalidInput as error:
        raise ValueError(str(error)) from None


def _split_texts(value: Any) -> Any:
    """Accept ``"a, b"`` for ``["a", "b"]``."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


def _split_tags(value: Any) -> Any:
    """Split tags at commas, as every search by tags does; a tag with a comma could never be found."""
    if not isinstance(value, list):
        return _split_texts(value)
    parts = [_split_texts(each) if isinstance(each, str) and "," in each else [each] for each in value]
    return [each for part in parts for each in part]


def _upper(value: Any) -> Any:
    """Return enum values in upper case, as in GraphQL."""
    return value.upper() if isinstance(value, str) else value


Moment = Annotated[datetime | None, BeforeValidator(read_moment)]
Tags = Annotated[list[str], BeforeValidator(_split_tags)]
Texts = Annotated[list[str], BeforeValidator(_split_texts)]
EnumName = Annotated[str, BeforeValidator(_upper)]


class ImportedMemory(BaseModel):
    """The fields of ``SaveMemoryInput`` in snake case; the service checks ranges and vocabularies."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=False,
        coerce_numbers_to_str=True,
        allow_inf_nan=False,
    )

    content: str
    category: str | None = None
    type: EnumName | None = None
    kind: EnumName | None = None
    facet: EnumName | None = None
    key: str | None = None
    id: str | None = None
    tags: Tags | None = None
    keywords: Texts | None = None
    importance: float | None = None
    confidence: float | None = None
    metadata: dict[str, Any] | None = None
    timestamp: Moment = None
    created_at: Moment = None
    updated_at: Moment = None
    last_accessed_at: Moment = None
    t_valid: Moment = None
    t_invalid: Moment = None
    expires_at: Moment = None
    embedding: list[float] | None = None
    speaker: str | None = None
    source_type: str = "imported"
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    session_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    dedup: bool | None = None

    def to_input(self) -> dict[str, Any]:
        """Return the GraphQL variable, with camelCase names and ISO times, without unset fields."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


@dataclass(frozen=True)
class ImportItem:
    """One memory to save, with its place in the file (``"line 12"``, ``"conv-26 D1:3"``).

    ``id_in`` returns its id if the id contains the workspace's id, which readers do not know.
    """

    where: str
    memory: ImportedMemory
    id_in: Callable[[str], str] | None = None


@dataclass(frozen=True)
class EntityItem:
    """One entity to write; ``fields`` has the fields of ``EntityInput``, by their names in the API."""

    where: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class RelationItem:
    """One relation to create; ``fields`` has the fields of ``RelationInput``."""

    where: str
    fields: Mapping[str, Any]


@dataclass(frozen=True)
class LinkItem:
    """One association to create between memories of the source, by their keys or ids."""

    where: str
    from_name: str
    to_name: str
    type: str = "RELATES_TO"
    strength: float | None = None


@dataclass(frozen=True)
class ChatItem:
    """A conversation with its platform and title.

    Attributes:
        messages: Fields of ``MessageInput``. Already stored messages stay unchanged.
        is_extracted: Extract facts from it if a message is new.
    """

    where: str
    conversation_id: str
    platform: str
    title: str | None
    messages: Sequence[Mapping[str, Any]]
    is_extracted: bool = False


@dataclass(frozen=True)
class Remark:
    """A skipped or altered part of the file, with place and reason."""

    where: str
    reason: str
    effect: Literal["skipped", "changed"] = "skipped"


Item = ImportItem | EntityItem | RelationItem | LinkItem | ChatItem
Record = Item | Remark


@dataclass(frozen=True)
class Contents:
    """The records of one source.

    Attributes:
        records: Records, read lazily and once.
        total: Expected number of records, for the progress bar; None if unknown.
        has_links: True if the records include links, which follow the memories that they connect.
    """

    records: Iterable[Record]
    total: int | None = None
    has_links: bool = False


Reader = Callable[[Any, int], Contents]
"""Opens a file or, for some formats, a folder or an address; the second argument is the maximum length of a content, in
characters."""


def read_item(where: str, fields: Mapping[str, Any], *, max_chars: int) -> Iterator[Record]:
    """Yield the item of ``fields`` (snake case), after remarks on alterations.

    Yields one skipping remark instead if there is no text or a field has the wrong form.
    """
    scrubber = Scrubber()
    try:
        cleaned = {name: scrubber.scrub(value) for name, value in fields.items()}
    except TooDeepError as error:
        yield Remark(where, str(error))
        return
    content = cleaned.get("content")
    if isinstance(content, str):
        is_turn = cleaned.get("source_conversation_id") is not None
        cleaned["content"] = (scrubber.cut_turn if is_turn else scrubber.cut)(content, max_chars)
        if is_blank(content):
            yield Remark(where, "no text")
            return
    for change in scrubber.changes:
        yield Remark(where, change, "changed")
    try:
        yield ImportItem(where, ImportedMemory.model_validate(cleaned))
    except ValidationError as error:
        yield Remark(where, first_reason(error))


def first_reason(error: ValidationError) -> str:
    """Return the first error of a record, with its field."""
    first = error.errors(include_url=False, include_input=False)[0]
    reason = first["msg"].removeprefix("Value error, ")
    return f"{first['loc'][0]}: {reason}" if first["loc"] else reason


_IDENTITY = ("content", "speaker", "source_conversation_id", "source_message_id", "session_id", "timestamp")


class DerivedKeys:
    """Derives keys of items without ``key`` from their content, so that a second import finds the memories again.

    Equal facts become one memory. Equal turns of a conversation ("Thanks!") are numbered and stay separate.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._seen: Counter[str] = Counter()

    def complete(self, item: ImportItem) -> ImportItem:
        """Return the item with a key, unless it has a key or an id."""
        memory = item.memory
        updates: dict[str, Any] = {} if memory.dedup is not None else {"dedup": False}
        if memory.key is None and memory.id is None:
            updates["key"] = self._derive(memory)
        return replace(item, memory=memory.model_copy(update=updates))

    def _derive(self, memory: ImportedMemory) -> str:
        digest = _digest(memory.model_dump(mode="json", include=set(_IDENTITY)))
        if memory.source_conversation_id is None:
            return f"{self._source}/{digest}"
        self._seen[digest] += 1
        occurrence = self._seen[digest]
        return f"{self._source}/{digest}" if occurrence == 1 else f"{self._source}/{digest}-{occurrence}"


def _digest(identity: Mapping[str, Any]) -> str:
    text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


_PLACES_SHOWN = 5


@dataclass
class RemarkGroup:
    """Remarks with the same reason and effect, and their first places."""

    effect: str
    reason: str
    count: int = 0
    places: list[str] = field(default_factory=list)


class UploadReport:
    """Counts saved records and groups skipped ones; one per import, not shared between tasks.

    Attributes:
        saved: Number of memories that the service now stores in the form of the file.
        unchanged: Number of these that were stored before.
        deleted: Number of memories skipped because somebody deleted them in the workspace.
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
