"""Timelines of slots: statements in any order leave one current state per slot, and it is stable."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from graph.memories.changes.timeline import Closing, Member, Settlement, settlements, slots_of, state_keys

PLACES = ("Munich", "Berlin", "Hamburg")
SAID = st.lists(st.tuples(st.sampled_from(PLACES), st.integers(0, 30)), min_size=1, max_size=8)
START = datetime(2025, 1, 1, tzinfo=UTC)


def members_of(said: Sequence[tuple[str, int]]) -> list[Member]:
    """Return statements on their days, as they are first stored."""
    found = [
        Member(
            id=f"mem_{number}",
            content=f"I live in {place}",
            speaker=None,
            user_id=None,
            agent_id=None,
            timestamp=START + timedelta(days=day),
            created_at=START,
            t_valid=None,
            t_invalid=None,
            slot_closed_at=None,
        )
        for number, (place, day) in enumerate(said)
    ]
    return [each.model_copy(update=_keys_of(each)) for each in found]


def _keys_of(member: Member) -> dict[str, tuple[str, ...]]:
    slots = slots_of(member)
    return {"slot_keys": tuple(sorted(slots)), "state_keys": state_keys(slots)}


def written(members: Sequence[Member], changed: Sequence[Settlement]) -> list[Member]:
    """Return the members as they are stored after a settlement."""
    by_id = {each.member.id: each for each in changed}
    return [_written(each, by_id[each.id]) if each.id in by_id else each for each in members]


def _written(member: Member, settlement: Settlement) -> Member:
    gone = {*settlement.dropped}
    closings = [each for each in member.closings if each.id not in gone]
    closings += [
        Closing(
            id=f"{member.id}-{drawn.newer_id}",
            key=drawn.key,
            newer_id=drawn.newer_id,
            at=drawn.at,
        )
        for drawn in settlement.drawn
    ]
    ended = settlement.closed_at if settlement.changes_validity else member.t_invalid
    return member.model_copy(
        update={
            "t_invalid": ended,
            "slot_closed_at": settlement.closed_at,
            "slot_keys": settlement.slot_keys,
            "state_keys": settlement.state_keys,
            "slot_refused": settlement.slot_refused,
            "closings": tuple(closings),
        }
    )


def settled_once(members: Sequence[Member]) -> list[Member]:
    (key,) = slots_of(members[0])
    return written(members, settlements(members, key))


@given(SAID)
def test_only_the_last_state_stays_open(said) -> None:
    """Issue 36, point 1: open memories have the last day's values; a span ends when the next value starts."""
    members = settled_once(members_of(said))

    last = max(day for _, day in said)
    latest = {place for place, day in said if day == last}
    open_ = [each for each in members if each.t_invalid is None]
    assert latest <= {each.content.rpartition(" ")[2] for each in open_}
    for each in members:
        later = [
            other.timestamp
            for other in members
            if other.timestamp > each.timestamp and other.content != each.content
        ]
        assert each.t_invalid == (min(later) if later else None)


@given(SAID, st.randoms())
def test_recomputing_a_timeline_changes_nothing(said, random) -> None:
    """Issue 36, point 1."""
    members = settled_once(members_of(said))
    shuffled = list(members)
    random.shuffle(shuffled)

    (key,) = slots_of(members[0])
    assert settlements(shuffled, key) == []


@given(SAID)
def test_imported_ends_give_the_same_closings(said) -> None:
    """Issue 36, point 7: an export contains ends but no edges."""
    members = settled_once(members_of(said))
    imported = [each.model_copy(update={"slot_closed_at": None, "closings": ()}) for each in members]

    assert settled_once(imported) == members


@given(SAID, st.data())
def test_deleting_a_statement_gives_the_timeline_without_it(said, data) -> None:
    """Issue 36, point 1: deleting a newer statement reopens the memories it closed."""
    members = settled_once(members_of(said))
    gone = data.draw(st.sampled_from(members))
    left = [
        each.model_copy(update={"closings": tuple(one for one in each.closings if one.newer_id != gone.id)})
        for each in members
        if each.id != gone.id
    ]
    if not left:
        return

    again = {each.id: each.t_invalid for each in settled_once(left)}
    rest = [each for each in members_of(said) if each.id != gone.id]
    assert again == {each.id: each.t_invalid for each in settled_once(rest)}


@given(SAID, st.data())
def test_a_reopened_memory_stays_open_to_the_same_statement(said, data) -> None:
    """Issue 36, point 1: if a person removed an end, the same statement does not set it again."""
    members = settled_once(members_of(said))
    closed = [each for each in members if each.t_invalid is not None]
    if not closed:
        return
    opened = data.draw(st.sampled_from(closed))
    before = {each.newer_id for each in opened.closings}
    members = [each.model_copy(update={"t_invalid": None}) if each == opened else each for each in members]

    members = settled_once(members)
    (kept,) = [each for each in members if each.id == opened.id]
    assert before.isdisjoint(each.newer_id for each in kept.closings)
    (key,) = slots_of(members[0])
    assert settlements(members, key) == []
