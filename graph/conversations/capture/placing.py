"""Finds new and changed messages of a capture and their positions; pure, so that it may be repeated."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph.conversations.capture.models import Message, MessageDraft, MessageRole
from graph.memories.policy import is_begun_by
from graph.memories.rules import message_hash

Text = tuple[str, str | None]
"""Identity of a message without an id or a position: the hash of its text, and the role."""
_COMPARED = ("role", "speaker", "author_id", "session_id", "said_at")
_GIVEN = (*_COMPARED, "utc_offset")


@dataclass(frozen=True)
class Gone:
    """Messages whose text is deleted: their ids, and their hashes by position."""

    ids: frozenset[str] = frozenset()
    texts: dict[int, Text] = field(default_factory=dict)

    def was(self, message: MessageDraft) -> bool:
        """Tell whether a message is one of them."""
        return message.id in self.ids if message.id is not None else message.position in self.texts


@dataclass
class Placement:
    """Writes of a capture.

    Attributes:
        rows: Rows of ``write_messages``.
        places: Positions that a message came to or left.
        next_position: Behind the last message.
        earliest: The first position at which something is new or different; None: nowhere is.
    """

    next_position: int
    earliest: int | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    places: set[int] = field(default_factory=set)
    added: int = 0
    changed: int = 0
    known: int = 0

    def add(self, message: MessageDraft, *, id_: str, position: int) -> None:
        """Take up a new message."""
        self.rows.append({"id": id_, "properties": _properties(message, position)})
        self.places.add(position)
        self.added += 1
        self.next_position = max(self.next_position, position + 1)
        self._note(position)

    def change(self, stored: Message, properties: Mapping[str, Any]) -> None:
        """Record the changes of a stored message."""
        self.rows.append({"id": stored.id, "properties": properties})
        self.changed += 1
        if "content" in properties:
            self._note(stored.position or 0)
        if "position" in properties:
            self.places |= {properties["position"], stored.position or 0}
            self.next_position = max(self.next_position, properties["position"] + 1)
            self._note(properties["position"])

    def _note(self, position: int) -> None:
        self.earliest = position if self.earliest is None else min(self.earliest, position)


def text_of(message: MessageDraft) -> Text:
    """Return the identity of a message without id and position."""
    return _hash_of(message), message.role


def text_of_stored(message: Message) -> Text:
    """Return the same of a message that is stored, if it was stored whole."""
    return message_hash(message.content or ""), message.role


def is_addressed(message: MessageDraft) -> bool:
    """Tell whether a message says which one it is."""
    return message.id is not None or message.position is not None


def as_kept(text: Text) -> str:
    """Return a text as an episode keeps it: hash, space and role."""
    hashed, role = text
    return f"{hashed} {role or ''}"


def text_at(stored: str) -> Text:
    """Return the text that an episode keeps."""
    hashed, _, role = stored.partition(" ")
    return hashed, role or None


def placed(
    messages: Iterable[MessageDraft],
    stored: Iterable[Message],
    next_position: int,
    gone: Gone = Gone(),
    *,
    repeated: Collection[int] = (),
) -> Placement:
    """Place messages that have an id or a position, and those beside them that have neither.

    The same id is the same message; without one, the message at the position is. A message without a position follows
    the last. A text that is the beginning of the stored one is an earlier capture of it, because answers grow during a
    capture; any other text replaces the stored one.

    Args:
        messages: Checked.
        stored: Those of the same ids and positions, in order.
        next_position: Behind the last message stored.
        gone: What must not come back.
        repeated: Places of messages without an id and a position that are stored already, see :func:`repeated_beside`.
    """
    placement = Placement(next_position)
    by_id: dict[str, Message] = {}
    by_position: dict[int, Message] = {}
    for known in stored:
        by_id[known.id] = known
        if known.position is not None:
            by_position.setdefault(known.position, known)
    for place, message in enumerate(messages):
        if place in repeated or gone.was(message):
            placement.known += 1
            continue
        found = _found(message, by_id, by_position)
        if found is None or found.content is None:
            position = message.position if message.position is not None else placement.next_position
            id_ = message.id or id_at(position)
            placement.add(message, id_=id_, position=position)
            now = _as_stored(message, id_, position)
        else:
            properties = _differences(message, found)
            if properties:
                placement.change(found, properties)
            else:
                placement.known += 1
            now = found.model_copy(update=dict(properties))
        by_id[now.id] = now
        by_position.setdefault(now.position or 0, now)
    return placement


def repeated_beside(
    messages: Sequence[MessageDraft],
    stored: Iterable[Message],
    said: Mapping[int, Text],
    next_position: int,
) -> set[int]:
    """Return the places of messages without an id and a position that are stored already, of a batch that has both.

    They are told by their texts and order as in :func:`placed_behind`, together with those beside them; a message
    with a new id or position is no repetition.

    Args:
        messages: Checked.
        stored: Those of the same ids and positions.
        said: The texts stored by their positions, of those that the messages and what is stored of them have.
        next_position: Behind the last message stored.
    """
    found = list(stored)
    by_id = {each.id: each for each in found}
    by_position = {each.position: each for each in found if each.position is not None}
    texts: list[Text] = []
    for place, message in enumerate(messages):
        known = _found(message, by_id, by_position)
        if known is not None and known.position is not None:
            texts.append(said.get(known.position) or text_of_stored(known))
        else:
            texts.append((f"{place}", None) if is_addressed(message) else text_of(message))
    repeated = _known(texts, said, next_position, is_regenerated=False)
    return {place for place in repeated if not is_addressed(messages[place])}


def placed_behind(
    messages: Sequence[MessageDraft],
    said: Mapping[int, Text],
    next_position: int,
    last: Message | None = None,
    first_turn: int = 0,
) -> Placement:
    """Place messages that have neither an id nor a position: by their texts and their order.

    Messages that were said in the same order already are known. Those that begin as the conversation ends go on from
    there. A chat that is sent again with another answer or question in it is known but for these, which come behind
    the last, as the others do. Where the last one stored is a beginning of what stands in its place now, it has
    grown: after others that are known, or as an assistant's answer by itself.

    Args:
        messages: Checked.
        said: The messages of the same texts by their positions, stored or replaced by an episode.
        next_position: Behind the last message stored.
        last: The last message stored, where its words are kept.
        first_turn: Where somebody but the assistant speaks next after the first message, or ``next_position`` where
            nobody has; 0 where that is not known.
    """
    placement = Placement(next_position)
    texts = [text_of(message) for message in messages]
    is_regenerated = _is_regenerated(texts, said, next_position, first_turn)
    known, grown = _known(texts, said, next_position, is_regenerated=is_regenerated), None
    if last is not None and len(known) < len(messages):
        grown = _place_of_grown(messages, texts, said, known, last)
    if last is not None and grown is not None:
        known |= set(range(grown))
        placement.change(last, _differences(messages[grown], last))
    placement.known = len(known)
    for place, message in enumerate(messages):
        if place not in known and place != grown:
            position = placement.next_position
            placement.add(message, id_=id_at(position), position=position)
    return placement


def _place_of_grown(
    messages: Sequence[MessageDraft],
    texts: Sequence[Text],
    said: Mapping[int, Text],
    known: set[int],
    last: Message,
) -> int | None:
    """Return which of the messages is the last stored one, which has grown since; None where none is.

    An answer that was written again has others before it: it is the first that is new of a chat sent again.
    """
    standing = _standing_before(last.position or 0, texts, said)
    first_new = min(set(range(len(texts))) - known)
    is_sent = any(each.content == last.content and each.role == last.role for each in messages) or (
        (message_hash(last.content or ""), last.role) in texts
    )
    if messages[first_new].role is MessageRole.ASSISTANT and not is_sent:
        standing.add(first_new)
    for place, message in enumerate(messages):
        is_longer = message.content != last.content and is_begun_by(message.content, last.content or "\0")
        if not is_longer or message.role != last.role or place in known:
            continue
        if place == 0 and message.role is not MessageRole.ASSISTANT:
            continue
        if place in standing:
            return place
    return None


def _standing_before(position: int, texts: Sequence[Text], said: Mapping[int, Text]) -> set[int]:
    """Return how many texts of the beginning stand right before a position, in their order; 0 always do."""
    borders = _borders(texts)
    matched = 0
    for before in range(max(0, position - len(texts)), position):
        if matched == len(texts):
            matched = borders[matched - 1]
        text = said.get(before)
        while matched and text != texts[matched]:
            matched = borders[matched - 1]
        matched += text == texts[matched]
    counts = {0}
    while matched:
        counts.add(matched)
        matched = borders[matched - 1]
    return counts


def id_at(position: int) -> str:
    """Return the id of a message that came without one; no platform's looks like it."""
    return f"#{position}"


def _known(
    texts: Sequence[Text], said: Mapping[int, Text], next_position: int, *, is_regenerated: bool
) -> set[int]:
    """Return the indexes of texts that are already stored.

    If a chat is sent again, each text counts as known as often as it is stored. A chat counts as sent again if more
    than half of its texts follow each other somewhere in the conversation, from the first text on; or if it begins like
    the conversation and has another text at its stored position; or if ``is_regenerated``. A single text may be a real
    repetition.
    """
    at_end, longest = _repeated(texts, said, next_position)
    is_again = is_regenerated or 2 * longest > len(texts) or _in_their_places(texts, said) > 1
    if longest == at_end or not is_again:
        return set(range(at_end))
    left = Counter(said.values())
    known = set()
    for place, text in enumerate(texts):
        if left[text]:
            left[text] -= 1
            known.add(place)
    return known


def _is_regenerated(
    texts: Sequence[Text], said: Mapping[int, Text], next_position: int, first_turn: int
) -> bool:
    """Tell whether the texts begin with the conversation's first message and an answer to it.

    That is one of those it had, or any while nobody but the assistant has said anything since.
    """
    roles = [role for _, role in texts[:2]]
    if said.get(0) != texts[0] or roles != [MessageRole.USER, MessageRole.ASSISTANT]:
        return False
    return first_turn == next_position or any(said.get(place) == texts[1] for place in range(1, first_turn))


def _in_their_places(texts: Sequence[Text], said: Mapping[int, Text]) -> int:
    """Return the number of texts at their positions in the conversation; 0 if the first is not."""
    if said.get(0) != texts[0]:
        return 0
    return sum(said.get(place) == text for place, text in enumerate(texts))


def _repeated(texts: Sequence[Text], said: Mapping[int, Text], next_position: int) -> tuple[int, int]:
    """Return how many of the first texts end the conversation, and how many occur in sequence; all, if all do.

    Uses the search of Knuth, Morris and Pratt, so that a conversation of one repeated word takes no longer.
    """
    borders = _borders(texts)
    matched, longest, expected = 0, 0, 0
    for position in sorted(said):
        if position != expected:
            matched = 0
        expected = position + 1
        while matched and said[position] != texts[matched]:
            matched = borders[matched - 1]
        matched += said[position] == texts[matched]
        longest = max(longest, matched)
        if matched == len(texts):
            return matched, matched
    return matched if expected == next_position else 0, longest


def _borders(texts: Sequence[Text]) -> list[int]:
    """Return for each text how many of those up to it are also its list's beginning, without all of them."""
    borders = [0] * len(texts)
    matched = 0
    for place in range(1, len(texts)):
        while matched and texts[place] != texts[matched]:
            matched = borders[matched - 1]
        matched += texts[place] == texts[matched]
        borders[place] = matched
    return borders


def _found(
    message: MessageDraft, by_id: Mapping[str, Message], by_position: Mapping[int, Message]
) -> Message | None:
    if message.id is not None:
        return by_id.get(message.id)
    if message.position is None:
        return None
    return by_id.get(id_at(message.position)) or by_position.get(message.position)


def _differences(message: MessageDraft, stored: Message) -> dict[str, Any]:
    assert stored.content is not None  # noqa: S101 - asked before
    properties = {
        name: value
        for name in _COMPARED
        if (value := getattr(message, name)) is not None and value != getattr(stored, name)
    }
    if "said_at" in properties:
        properties["utc_offset"] = message.utc_offset
    if not is_begun_by(stored.content, message.content):
        properties |= {"content": message.content, "content_hash": _hash_of(message)}
    if message.position is not None and message.position != stored.position:
        properties["position"] = message.position
    return properties


def _properties(message: MessageDraft, position: int) -> dict[str, Any]:
    given = {name: value for name in _GIVEN if (value := getattr(message, name)) is not None}
    return {
        **given,
        "content": message.content,
        "content_hash": _hash_of(message),
        "position": position,
    }


def _hash_of(message: MessageDraft) -> str:
    return message.whole_hash or message_hash(message.content)


def _as_stored(message: MessageDraft, id_: str, position: int) -> Message:
    return Message.model_construct(
        id=id_,
        position=position,
        content=message.content,
        **{name: getattr(message, name) for name in _GIVEN},
    )
