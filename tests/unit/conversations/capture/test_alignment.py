"""Aligning captures: a conversation is stored once, however it arrives (D8, N6)."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.conversations.capture.alignment import (
    Text,
    is_addressed,
    placed,
    placed_behind,
    repeated_beside,
    text_of,
)
from graph.conversations.capture.models import CaptureDraft, Message, MessageDraft
from graph.conversations.capture.rules import validated

TEXTS = st.lists(st.sampled_from(["yes", "no", "tea"]), min_size=1, max_size=12)
ROLE_OF = {"yes": "user", "no": "assistant", "tea": None}


def first_turn_of(said: Mapping[int, Text]) -> int:
    """Return the number of messages in the first turn: the first one and the assistant's answers to it."""
    ends = (position for position in range(1, len(said)) if said[position][1] != "assistant")
    return next(ends, len(said))


class Store:
    """A conversation in memory that applies placements as the graph does."""

    def __init__(self) -> None:
        self.messages: dict[str, Message] = {}
        self.hashes: dict[str, str] = {}
        self.next_position = 0

    @property
    def said(self) -> list[str]:
        ordered = sorted(self.messages.values(), key=lambda each: (each.position, each.id))
        return [each.content for each in ordered]

    def append(self, messages: list[MessageDraft]) -> None:
        said = {each.position: (self.hashes[each.id], each.role) for each in self.messages.values()}
        if not any(map(is_addressed, messages)):
            last = max(self.messages.values(), key=lambda each: each.position, default=None)
            placement = placed_behind(messages, said, self.next_position, last, first_turn_of(said))
        else:
            stored = sorted(self.messages.values(), key=lambda each: (each.position, each.id))
            repeated = repeated_beside(messages, stored, said, self.next_position)
            placement = placed(messages, stored, self.next_position, repeated=repeated)
        assert placement.added + placement.changed + placement.known == len(messages)
        for row in placement.rows:
            old = self.messages.get(row["id"])
            fields = (
                old.model_dump() if old else {"id": row["id"], "workspace_id": "w", "conversation_id": "c"}
            )
            created_at = datetime(2026, 1, 1, tzinfo=UTC)
            self.hashes[row["id"]] = row["properties"].get("content_hash") or self.hashes[row["id"]]
            self.messages[row["id"]] = Message(**{"created_at": created_at, **fields, **row["properties"]})
        self.next_position = placement.next_position


@given(texts=TEXTS, data=st.data())
def test_messages_with_a_position_may_come_in_any_batches_any_number_of_times(texts, data) -> None:
    """By position alone, or with ids; each message arrives at least once."""
    with_ids = data.draw(st.booleans())
    drafts = [
        MessageDraft(content=text, position=place, id=f"m{place}" if with_ids else None)
        for place, text in enumerate(texts)
    ]
    again = data.draw(st.lists(st.sampled_from(drafts), max_size=10))
    arriving = data.draw(st.permutations([*drafts, *again]))
    store = Store()
    while arriving:
        size = data.draw(st.integers(1, len(arriving)))
        store.append(list(arriving[:size]))
        arriving = arriving[size:]

    assert store.said == texts
    assert sorted(each.position for each in store.messages.values()) == list(range(len(texts)))


@given(texts=TEXTS, has_id=st.lists(st.booleans(), min_size=12, max_size=12), repeats=st.integers(1, 3))
def test_a_chat_some_of_whose_messages_have_an_id_is_stored_once(texts, has_id, repeats) -> None:
    """Issue 35.3."""
    talk = [
        MessageDraft(content=text, role=ROLE_OF[text], id=f"m{place}" if has_id[place] else None)
        for place, text in enumerate(texts)
    ]
    store = Store()

    for _ in range(repeats):
        store.append(talk)

    assert store.said == texts
    assert {each.id for each in talk if each.id} <= store.messages.keys()


@given(texts=TEXTS, batches=st.lists(st.tuples(st.integers(0, 11), st.integers(1, 12)), max_size=12))
def test_messages_with_an_id_keep_their_first_order_however_often_they_come(texts, batches) -> None:
    drafts = [MessageDraft(content=text, id=f"m{place}") for place, text in enumerate(texts)]
    store = Store()
    reached = 0
    for first, last in [*batches, (12, 12)]:
        start = min(first, reached, len(drafts) - 1)
        reached = min(max(reached, start + 1, last), len(drafts))
        store.append(drafts[start:reached])

    assert store.said == texts


class CountedTexts(Mapping):
    """Texts by position that count their reads."""

    def __init__(self, texts) -> None:
        self.texts, self.reads = texts, 0

    def __getitem__(self, position):
        self.reads += 1
        return self.texts[position]

    def __iter__(self):
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)


def test_messages_that_all_begin_like_the_last_stored_one_are_compared_in_one_pass() -> None:
    """N3: within the conversation's lock, after most of it was rolled up."""
    messages = [MessageDraft(content=f"I see {number}", role="user") for number in range(300)]
    said = CountedTexts({position: text_of(message) for position, message in enumerate(messages[1:])})
    last = Message(
        id="#299", workspace_id="w", conversation_id="c", position=299, content="I", role="user",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip

    placement = placed_behind(messages, said, 300, last)

    assert (placement.changed, placement.known, placement.added) == (0, 0, 300)
    assert said.reads <= 5 * len(messages)


@given(texts=TEXTS, sent=TEXTS, end=st.integers(0, 12))
def test_only_stored_messages_of_the_same_texts_matter(texts, sent, end) -> None:
    """A capture therefore reads no more of a conversation than it sends again."""
    messages = [
        MessageDraft(content=text + "!" * (end == place), role=ROLE_OF[text])
        for place, text in enumerate(sent)
    ]
    stored = {
        place: text_of(MessageDraft(content=text, role=ROLE_OF[text])) for place, text in enumerate(texts)
    }
    same = {place: text for place, text in stored.items() if text in {text_of(each) for each in messages}}
    last = Message(
        id="last", workspace_id="w", conversation_id="c", position=len(texts) - 1, content=texts[-1],
        role=ROLE_OF[texts[-1]], created_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    first_turn = first_turn_of(stored)

    assert placed_behind(messages, same, len(texts), last, first_turn) == placed_behind(
        messages, stored, len(texts), last, first_turn
    )


@given(texts=TEXTS, data=st.data())
def test_a_page_that_sends_the_whole_conversation_adds_new_messages(texts, data) -> None:
    """Without ids or positions, each batch begins with the first message and ends with the latest."""
    drafts = [MessageDraft(content=text) for text in texts]
    store = Store()
    for end in [*sorted(data.draw(st.sets(st.integers(1, len(texts))))), len(texts)]:
        store.append(drafts[:end])
        start, stop = sorted((data.draw(st.integers(0, end - 1)), end))
        store.append(drafts[start:stop])

    assert store.said == texts


@given(texts=st.lists(st.uuids().map(str), min_size=1, max_size=12, unique=True), data=st.data())
def test_texts_that_differ_may_come_in_overlapping_batches(texts, data) -> None:
    drafts = [MessageDraft(content=text) for text in texts]
    store = Store()
    reached = 0
    while reached < len(texts):
        start = data.draw(st.integers(0, reached))
        reached = data.draw(st.integers(max(reached, start + 1), len(texts)))
        for _ in range(data.draw(st.integers(1, 2))):
            store.append(drafts[start:reached])

    assert store.said == texts


@given(data=st.data())
def test_a_chat_with_other_answers_and_questions_is_sent_again_and_stored_once(data) -> None:
    """D8: a page sends all that it shows after a new answer, an edited question, or a reload."""
    shown = ["u0", "a0"]
    written = list(shown)
    store = Store()
    for number in range(1, data.draw(st.integers(1, 12))):
        store.append([MessageDraft(content=text) for text in shown])
        kept = data.draw(st.integers(2, len(shown)), label="how many stay")
        tail = shown[kept + 1 :] if data.draw(st.booleans(), label="shown differently") else []
        shown = [*shown[:kept], f"n{number}", *tail]
        written.append(f"n{number}")
    store.append([MessageDraft(content=text) for text in shown])

    assert store.said == written


@given(data=st.data())
def test_repeated_answers_are_stored_once(data) -> None:
    """D8: also the first answer, any number of times, growing or not; the page shows the latest."""
    store, shown, written = Store(), ["user: u0"], ["u0"]
    numbers = iter(range(100))

    def answer() -> None:
        text = f"a{next(numbers)}."
        if data.draw(st.booleans(), label="is seen while it grows"):
            store.append(drafts_of(*shown, f"assistant: {text[:-1]}"))
        shown.append(f"assistant: {text}")
        written.append(text)
        store.append(drafts_of(*shown))

    for number in range(data.draw(st.integers(1, 4), label="how many are asked")):
        if number:
            shown.append(f"user: u{number}")
            written.append(f"u{number}")
        answer()
        for _ in range(data.draw(st.integers(0, 2), label="how often the answer is written again")):
            shown.pop()
            answer()
    store.append(drafts_of(*shown))

    assert store.said == written


@pytest.mark.parametrize(
    ("stored", "sent", "added"),
    [
        ("u1 a1", "u1 b1", "b1"),
        ("u1 a1 b1", "u1 c1", "c1"),
        ("u1 a1 b1", "u1 a1", ""),
        ("u1 a1", "u1 b1 u2 a2", "b1 u2 a2"),
        ("u1 a1 b1 u2 a2", "u1 b1 u2 a2 u3 a3", "u3 a3"),
        ("u1 a1 u2 a2", "u1 b1", "u1 b1"),
        ("u1 a1 u2 b1", "u1 b1", "u1 b1"),
        ("u1 a1 u2 a2 u3 a3", "u2 b2", "u2 b2"),
        ("u1 a1", "u1 u2", "u1 u2"),
        ("a1 a2", "a1 a3", "a1 a3"),
    ],
)
def test_a_first_message_with_another_answer_is_new_once_a_user_wrote_again(stored, sent, added) -> None:
    """D8: the same message if only the assistant has written since; ``u`` are users' texts, others ``a``."""
    roles = {"u": "user", "a": "assistant", "b": "assistant", "c": "assistant"}
    store = Store()
    store.append([MessageDraft(content=text, role=roles[text[0]]) for text in stored.split()])

    store.append([MessageDraft(content=text, role=roles[text[0]]) for text in sent.split()])

    assert store.said == [*stored.split(), *added.split()]


@pytest.mark.parametrize(
    ("stored", "sent", "added"),
    [
        ("u1 a1 u2 a2", "u1 a1 u2 b2", "b2"),
        ("u1 a1 u2 a2 b2", "u1 a1 u2 b2 u3 a3", "u3 a3"),
        ("u1 a1 u2 a2", "u1 a1 v2", "v2"),
        ("u1 a1 u2", "u1 o1 u2 a2", "o1 a2"),
        ("u1 a1 u2 a2 u3 a3", "u2 a2 u3 b3", "b3"),
        ("yes ok yes ok go", "yes ok yes ok yes ok", "yes ok"),
        ("yes ok u2 yes", "yes a3 u4", "a3 u4"),
        ("u1 a1", "u1 b1", "u1 b1"),
        ("u1 yes ok a2", "yes ok u4 a4 u5", "yes ok u4 a4 u5"),
        ("u1 yes ok a2 u3", "u3 yes ok", "yes ok"),
    ],
)
def test_a_chat_sent_again_adds_only_new_messages(stored, sent, added) -> None:
    """D8: if a caller sends only new messages, a repeated text is a new message."""
    store = Store()
    store.append([MessageDraft(content=text) for text in stored.split()])

    store.append([MessageDraft(content=text) for text in sent.split()])

    assert store.said == [*stored.split(), *added.split()]


def test_an_offset_changes_only_together_with_the_time() -> None:
    """D8, D21: a message that only gains an offset is not extracted again."""
    store, said_at = Store(), datetime(2026, 3, 4, 23, tzinfo=UTC)
    first = MessageDraft(id="m", content="tea", said_at=said_at)
    store.append([first])

    again = first.model_copy(update={"utc_offset": 480})
    later = again.model_copy(update={"said_at": said_at.replace(minute=5)})

    assert placed([again], list(store.messages.values()), 1).known == 1
    (row,) = placed([later], list(store.messages.values()), 1).rows
    assert row["properties"] == {"said_at": later.said_at, "utc_offset": 480}


def test_equal_texts_of_different_speakers_are_separate_messages() -> None:
    store = Store()
    store.append([MessageDraft(content="Hi", role="user")])
    store.append([MessageDraft(content="Hi", role="assistant")])

    assert store.said == ["Hi", "Hi"]


def test_a_gap_does_not_count_as_a_repetition() -> None:
    """Messages on both sides of another one do not form one turn."""
    store = Store()
    store.append([MessageDraft(content=text) for text in ("a", "x", "b")])
    store.append([MessageDraft(content=text) for text in ("a", "b")])

    assert store.said == ["a", "x", "b", "a", "b"]


def drafts_of(*said: str) -> list[MessageDraft]:
    """Return messages written as ``role: text``."""
    return [MessageDraft(role=role, content=text) for role, text in (each.split(": ") for each in said)]


@pytest.mark.parametrize(
    ("stored", "sent", "said"),
    [
        (["user: a", "assistant: b"], ["user: a", "assistant: bc"], ["a", "bc"]),
        (["user: a", "assistant: b"], ["assistant: bc", "user: d"], ["a", "bc", "d"]),
        (["user: a", "assistant: b"], ["user: a", "user: bc"], ["a", "b", "a", "bc"]),
        (["user: yes"], ["user: yes, please"], ["yes", "yes, please"]),
        (["user: a", "assistant: b", "user: c"], ["assistant: bd"], ["a", "b", "c", "bd"]),
        (["assistant: bc"], ["assistant: b"], ["bc", "b"]),
    ],
)
def test_only_the_last_message_can_grow(stored, sent, said) -> None:
    """D8: if the messages before it match, or if it is an assistant's answer."""
    store = Store()
    store.append(drafts_of(*stored))
    store.append(drafts_of(*sent))

    assert store.said == said


LONG = "".join(f"line {number}\n" for number in range(10_000))


def checked(messages):
    return validated(CaptureDraft(conversation_id="c", messages=messages))[0].messages


@pytest.mark.parametrize("id_", ["a1", None])
@pytest.mark.parametrize(
    "lengths", [(15_000, 31_999, 32_001, 98_890), (40_000, 40_001, 98_890), (98_890, 98_890)]
)
def test_an_answer_that_outgrows_the_limit_is_one_message(lengths, id_) -> None:
    """Issue 35.3: with or without an id."""
    store = Store()
    for length in lengths:
        sent = [MessageDraft(content="Tell me all", role="user", id=id_ and "u1")]
        sent.append(MessageDraft(content=LONG[:length], role="assistant", id=id_))
        store.append(list(checked(sent)))

    assert store.said == ["Tell me all", f"{LONG[:16_000]}\n\n[… 66890 characters …]\n\n{LONG[-16_000:]}"]


@pytest.mark.parametrize("earlier", [100, 16_000, 20_000, 32_001, 98_000])
def test_an_earlier_capture_of_a_cut_answer_changes_nothing(earlier) -> None:
    """Issue 35.3: it arrives late, with an id."""
    store = Store()
    store.append(list(checked([MessageDraft(content=LONG, id="a")])))
    store.append(list(checked([MessageDraft(content=LONG[:earlier], id="a")])))
    assert store.said[0].endswith(LONG[-16_000:])
