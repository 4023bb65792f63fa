"""Matches captured messages with stored ones and assigns positions; pure, because transactions may run twice."""

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
_COPIED = (*_COMPARED, "utc_offset")


@dataclass(frozen=True)
class Gone:
    """Messages whose text is deleted: their ids, and their hashes by position."""

    ids: frozenset[str] = frozenset()
    texts: dict[int, Text] = field(default_factory=dict)

    def was(self, message: MessageDraft) -> bool:
        """Tell whether a message with an id or a position is one of them."""
        return message.id in self.ids if message.id is not None else message.position in self.texts


@dataclass
class Placement:
    """Writes of a capture.

    Attributes:
        rows: Rows of ``write_messages``.
        places: Old and new positions of messages that were added or moved; their links must be redrawn.
        next_position: Position after the last message.
        earliest: First position with a new or different text; None: there is none.
    """

    next_position: int
    earliest: int | None = None
    rows: list[dict[str, Any]] = field(default_factory=list)
    places: set[int] = field(default_factory=set)
    added: int = 0
    changed: int = 0
    known: int = 0

    def add(self, message: MessageDraft, *, id_: str, position: int) -> None:
        """Add a new message."""
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
    """Return the identity of a message without an id or a position."""
    return _hash_of(message), message.role


def text_of_stored(message: Message) -> Text:
    """Return the identity of a stored message; differs from ``text_of`` if the text was truncated."""
    return message_hash(message.content or ""), message.role


def is_addressed(message: MessageDraft) -> bool:
    """Tell whether a message has an id or a position."""
    return message.id is not None or message.position is not None


def text_key(text: Text) -> str:
    """Return a text identity in the form that episodes store: hash, space and role."""
    hashed, role = text
    return f"{hashed} {role or ''}"


def text_at(stored: str) -> Text:
    """Return the text identity that an episode stores."""
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
    """Place the messages of a batch in which some have an id or a position.

    A stored message matches by its id, otherwise by its position. A message without a position follows the last one.
    Answers grow while a page is captured, so a text that is the beginning of the stored text is an older capture and
    changes nothing. Any other text replaces the stored one.

    Args:
        messages: Validated messages.
        stored: Stored messages with the same ids and positions, in order.
        next_position: Position after the last stored message.
        gone: Messages that must not be restored.
        repeated: Indexes of messages without id and position that are stored already; see :func:`repeated_beside`.
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
        match = _match(message, by_id, by_position)
        if match is None or match.content is None:
            position = message.position if message.position is not None else placement.next_position
            id_ = message.id or id_at(position)
            placement.add(message, id_=id_, position=position)
            current = _as_stored(message, id_, position)
        else:
            properties = _differences(message, match)
            if properties:
                placement.change(match, properties)
            else:
                placement.known += 1
            current = match.model_copy(update=dict(properties))
        by_id[current.id] = current
        by_position.setdefault(current.position or 0, current)
    return placement


def repeated_beside(
    messages: Sequence[MessageDraft],
    stored: Iterable[Message],
    by_place: Mapping[int, Text],
    next_position: int,
) -> set[int]:
    """Return the indexes of messages without id and position that are stored already, in a mixed batch.

    Compares the texts and their order as :func:`placed_behind` does. The messages with a known id or position take
    part in the comparison; a message with a new id or position matches nothing.

    Args:
        messages: Validated messages.
        stored: Stored messages with the same ids and positions.
        by_place: Stored texts by position, limited to the texts of ``messages`` and ``stored``.
        next_position: Position after the last stored message.
    """
    candidates = list(stored)
    by_id = {each.id: each for each in candidates}
    by_position = {each.position: each for each in candidates if each.position is not None}
    texts: list[Text] = []
    for place, message in enumerate(messages):
        known = _match(message, by_id, by_position)
        if known is not None and known.position is not None:
            texts.append(by_place.get(known.position) or text_of_stored(known))
        else:
            texts.append((f"{place}", None) if is_addressed(message) else text_of(message))
    repeated = _known(texts, by_place, next_position, is_regenerated=False)
    return {place for place in repeated if not is_addressed(messages[place])}


def placed_behind(
    messages: Sequence[MessageDraft],
    by_place: Mapping[int, Text],
    next_position: int,
    last: Message | None = None,
    first_turn: int = 0,
) -> Placement:
    """Place messages without id and position by their texts and their order.

    - All texts occur in the conversation in this order: every message is known.
    - The batch begins with the last texts of the conversation: those are known, and the rest is appended.
    - A whole chat is sent again with an edited question or answer: only the edited messages are appended.
    - The last stored text is the beginning of the text now at its place: that message has grown and is changed. Known
      messages must precede it, unless it is an assistant's answer.

    Args:
        messages: Validated messages.
        by_place: Positions and identities of equal texts, stored or replaced by an episode.
        next_position: Position after the last stored message.
        last: Last stored message, if its text is kept.
        first_turn: Position of the next message after the first one that is not the assistant's; ``next_position`` if
            there is none, 0 if unknown.
    """
    placement = Placement(next_position)
    texts = [text_of(message) for message in messages]
    is_regenerated = _is_regenerated(texts, by_place, next_position, first_turn)
    known, grown = _known(texts, by_place, next_position, is_regenerated=is_regenerated), None
    if last is not None and len(known) < len(messages):
        grown = _place_of_grown(messages, texts, by_place, known, last)
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
    by_place: Mapping[int, Text],
    known: set[int],
    last: Message,
) -> int | None:
    """Return the index of the message that is a longer version of the last stored one; None if there is none.

    A regenerated answer moves the stored answer away from its neighbours. It may still have grown if it is the first
    new message of a chat that is sent again.
    """
    standing = _standing_before(last.position or 0, texts, by_place)
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


def _standing_before(position: int, texts: Sequence[Text], by_place: Mapping[int, Text]) -> set[int]:
    """Return every n for which the first n texts precede a position directly, in order; always contains 0."""
    borders = _borders(texts)
    matched = 0
    for before in range(max(0, position - len(texts)), position):
        if matched == len(texts):
            matched = borders[matched - 1]
        text = by_place.get(before)
        while matched and text != texts[matched]:
            matched = borders[matched - 1]
        matched += text == texts[matched]
    counts = {0}
    while matched:
        counts.add(matched)
        matched = borders[matched - 1]
    return counts


def id_at(position: int) -> str:
    """Return the id of a message that came without one; no platform uses this form."""
    return f"#{position}"


def _known(
    texts: Sequence[Text], by_place: Mapping[int, Text], next_position: int, *, is_regenerated: bool
) -> set[int]:
    """Return the indexes of texts that are already stored.

    If a chat is sent again, each text counts as known as often as it is stored. A chat counts as sent again if more
    than half of its texts follow each other somewhere in the conversation, from the first text on; or if it begins like
    the conversation and has another text at its stored position; or if ``is_regenerated``. A single text may be a real
    repetition.
    """
    at_end, longest = _repeated(texts, by_place, next_position)
    is_again = is_regenerated or 2 * longest > len(texts) or _in_their_places(texts, by_place) > 1
    if longest == at_end or not is_again:
        return set(range(at_end))
    left = Counter(by_place.values())
    known = set()
    for place, text in enumerate(texts):
        if left[text]:
            left[text] -= 1
            known.add(place)
    return known


def _is_regenerated(
    texts: Sequence[Text], by_place: Mapping[int, Text], next_position: int, first_turn: int
) -> bool:
    """Tell whether the texts begin with the conversation's first message and an answer to it.

    The answer is a stored one, or any answer if nobody but the assistant has spoken since the first message.
    """
    roles = [role for _, role in texts[:2]]
    if by_place.get(0) != texts[0] or roles != [MessageRole.USER, MessageRole.ASSISTANT]:
        return False
    return first_turn == next_position or any(
        by_place.get(place) == texts[1] for place in range(1, first_turn)
    )


def _in_their_places(texts: Sequence[Text], by_place: Mapping[int, Text]) -> int:
    """Return the number of texts at their positions in the conversation; 0 if the first is not."""
    if by_place.get(0) != texts[0]:
        return 0
    return sum(by_place.get(place) == text for place, text in enumerate(texts))


def _repeated(texts: Sequence[Text], by_place: Mapping[int, Text], next_position: int) -> tuple[int, int]:
    """Return how many of the first texts end the conversation, and how many occur in sequence anywhere.

    Both numbers are the length of the batch if all of it occurs. Uses the search of Knuth, Morris and Pratt, which
    stays linear for a conversation that repeats one word.
    """
    borders = _borders(texts)
    matched, longest, expected = 0, 0, 0
    for position in sorted(by_place):
        if position != expected:
            matched = 0
        expected = position + 1
        while matched and by_place[position] != texts[matched]:
            matched = borders[matched - 1]
        matched += by_place[position] == texts[matched]
        longest = max(longest, matched)
        if matched == len(texts):
            return matched, matched
    return matched if expected == next_position else 0, longest


def _borders(texts: Sequence[Text]) -> list[int]:
    """Return the failure function of Knuth, Morris and Pratt: the longest proper border of each prefix."""
    borders = [0] * len(texts)
    matched = 0
    for place in range(1, len(texts)):
        while matched and texts[place] != texts[matched]:
            matched = borders[matched - 1]
        matched += texts[place] == texts[matched]
        borders[place] = matched
    return borders


def _match(
    message: MessageDraft, by_id: Mapping[str, Message], by_position: Mapping[int, Message]
) -> Message | None:
    if message.id is not None:
        return by_id.get(message.id)
    if message.position is None:
        return None
    return by_id.get(id_at(message.position)) or by_position.get(message.position)


def _differences(message: MessageDraft, stored: Message) -> dict[str, Any]:
    assert stored.content is not None  # noqa: S101 - the callers have checked it
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
    values = {name: value for name in _COPIED if (value := getattr(message, name)) is not None}
    return {
        **values,
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
        **{name: getattr(message, name) for name in _COPIED},
    )
