"""Selects and orders the facts of a profile, and fits them into its token budget."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from graph.core.text.budget import estimate_tokens
from graph.core.text.language import contains_cjk
from graph.core.text.normal_forms import comparable
from graph.memories.changes.relative_times import text_time, with_day
from graph.memories.changes.slots import SELF, SlotStatement, canonical_value
from graph.memories.changes.timeline import own_keys, slots_of
from graph.retrieval.profile.models import (
    SLOTS,
    Profile,
    ProfileEntry,
    ProfileFact,
    ProfileSection,
)
from graph.retrieval.profile.wording import profile_line, profile_text
from graph.retrieval.recall.attribution import attributed

PROJECT: Final = "Project"
PERSON: Final = "Person"
_WORK: Final = "project"  # the slot for projects that the user works on
_LIKES: Final = re.compile(
    r"\b(?:likes?|loves?|enjoys?|prefers?|hates?|dislikes?|wants?|favou?rite)\b|喜欢|喜爱|偏好|偏爱|讨厌|爱"
)
_OF_THE_USER: Final = re.compile(r"\b(?:user's|my|our)\b|用户|我", re.IGNORECASE)
_SEVERAL: Final = frozenset({"role", _WORK})  # slots that may have several values at a time


class _State(NamedTuple):
    """A fact's statement about a slot of the user; closed if a newer statement ended it."""

    fact: ProfileFact
    stated: SlotStatement
    is_closed: bool


def profile_of(user_id: str | None, facts: Iterable[ProfileFact], budget: int) -> Profile:
    """Build the profile of a user from facts.

    Args:
        user_id: The user, who is not listed among the people.
        facts: Current facts, and facts that newer statements closed.
        budget: Token budget of the text.
    """
    newest_first = sorted(sorted(facts, key=lambda fact: fact.id), key=lambda fact: fact.date, reverse=True)
    current = [fact for fact in newest_first if fact.is_current]
    states = [state for fact in current for state in _own_states(fact)]
    ended = [state for fact in newest_first if not fact.is_current for state in _own_states(fact)]
    over = _values_over(ended, states)
    chosen = _Chosen(user_id, besides={state.fact.id for state in states if state.stated.value is None})
    for fact, slots in _by_memory(states, SLOTS):
        chosen.add(ProfileSection.SLOT, fact, states=slots)
    preferences = [fact for fact in current if fact.is_preference and not _is_of_another(fact, user_id)]
    for fact in sorted(preferences, key=lambda fact: (not fact.is_standing, -fact.importance)):
        chosen.add(ProfileSection.PREFERENCE, fact)
    for fact, slots in _by_memory(states, [_WORK]):
        chosen.add(ProfileSection.PROJECT, fact, states=slots)
    for name, of_project in _by_entity(current, PROJECT):
        if not _is_over(name, over):
            chosen.add_entity(ProfileSection.PROJECT, name, of_project)
    for name, of_person in _by_entity(current, PERSON):
        chosen.add_entity(ProfileSection.PERSON, name, of_person)
    return _fitted(user_id, chosen.entries, budget)


class _Chosen:
    """Collects the entries of a profile, without repeated memories or texts.

    Attributes:
        besides: Ids of facts that only state the end of something; they never represent a project or person.
    """

    def __init__(self, user_id: str | None, besides: Collection[str]) -> None:
        self.entries: list[ProfileEntry] = []
        self.besides = besides
        self._user = comparable(user_id or "")
        self._ids: set[str] = set()
        self._texts: set[str] = set()

    def add(
        self,
        section: ProfileSection,
        fact: ProfileFact,
        *,
        states: Sequence[_State] = (),
        name: str | None = None,
    ) -> bool:
        """Add a fact; return whether it is new. If some of its slots are closed, show only the words of the others."""
        if fact.id in self._ids or (fact.closed_keys and not states):
            return False
        content = fact.content
        if fact.closed_keys:
            content = "; ".join(dict.fromkeys(state.stated.words for state in states))
        dated = with_day(content, text_time(fact))
        text = attributed(dated, fact.speaker)
        if not text or comparable(text) in self._texts:
            return False
        self._ids.add(fact.id)
        self._texts.add(comparable(text))
        slots = [state.stated.slot for state in states]
        self.entries.append(
            ProfileEntry(
                section=section,
                slots=tuple(slot for slot in SLOTS if slot in slots),
                name=name,
                text=text,
                date=fact.date,
                is_dated=dated != content and fact.t_valid is None,
                memory_id=fact.id,
                source_type=fact.source_type,
                source_conversation_id=fact.source_conversation_id,
                source_message_id=fact.source_message_id,
            )
        )
        return True

    def add_entity(self, section: ProfileSection, name: str, facts: Iterable[ProfileFact]) -> None:
        """Add the newest fact about a project or person that the profile does not have yet."""
        for fact in facts:
            is_user = comparable(name) in (self._user, comparable(fact.speaker or ""))
            if not is_user and fact.id not in self.besides and self.add(section, fact, name=name):
                return


def _is_of_another(fact: ProfileFact, user_id: str | None) -> bool:
    """Tell whether a preference is that of somebody else: "My colleague Tom likes chess".

    "Tom likes chess" alone may be about a user of that name.
    """
    verb = _LIKES.search(fact.content)
    subject = fact.content[: verb.start()] if verb else ""
    own = (comparable(user_id or ""), comparable(fact.speaker or ""))
    return _OF_THE_USER.search(subject) is not None and any(
        each.type == PERSON and comparable(each.name) not in own and each.name in subject
        for each in fact.mentions
    )


def _by_entity(facts: Iterable[ProfileFact], kind: str) -> list[tuple[str, list[ProfileFact]]]:
    """Return the names of entities of a type with the facts that mention them, in the order of the facts."""
    found: dict[str, tuple[str, list[ProfileFact]]] = {}
    for fact in facts:
        for mention in sorted(fact.mentions, key=lambda each: (each.name, each.id)):
            if mention.type == kind:
                found.setdefault(mention.id, (mention.name, []))[1].append(fact)
    return list(found.values())


def _own_states(fact: ProfileFact) -> list[_State]:
    """Return the statements of a fact about slots of the user.

    Omits a weak statement if the fact states the same slot of another person or thing.
    """
    if own_keys(fact, (*SLOTS, _WORK)).isdisjoint(fact.slot_keys):
        return []
    found = {key: each for key, each in slots_of(fact).items() if each.words}
    of_others = {each.slot for each in found.values() if each.subject != SELF}
    return [
        _State(fact, each, key in fact.closed_keys)
        for key, each in found.items()
        if each.subject == SELF and not (each.is_weak and each.slot in of_others)
    ]


def _by_memory(states: Sequence[_State], slots: Iterable[str]) -> list[tuple[ProfileFact, Sequence[_State]]]:
    """Return the current statements about slots, grouped by fact, in the order of the slots.

    Of equal values, the newest statement counts. If the slot has one value at a time, a weak statement is omitted
    beside a strong one.
    """
    found: dict[str, list[_State]] = {}
    for slot in slots:
        current = [
            each
            for each in states
            if each.stated.slot == slot and each.stated.value is not None and not each.is_closed
        ]
        if slot not in _SEVERAL and not all(each.stated.is_weak for each in current):
            current = [each for each in current if not each.stated.is_weak]
        newest: dict[tuple[str | None, ...], _State] = {}
        for each in current:
            newest.setdefault((each.fact.speaker, each.stated.of, each.stated.value), each)
        for each in newest.values():
            found.setdefault(each.fact.id, []).append(each)
    return [(of_fact[0].fact, of_fact) for of_fact in found.values()]


def _values_over(ended: Sequence[_State], current: Sequence[_State]) -> list[str]:
    """Return the projects that the user no longer works on."""
    holding = {each.stated.value for each in current if not each.is_closed}
    over = [
        each.stated.value or each.stated.ended
        for each in (*ended, *(each for each in current if each.is_closed or each.stated.value is None))
        if each.stated.slot == _WORK
    ]
    return [value for value in over if value is not None and value not in holding]


def _is_over(name: str, over: Iterable[str]) -> bool:
    named = canonical_value(_WORK, name)
    return any(_names_the_same(named, value) for value in over)


def _names_the_same(one: str, other: str) -> bool:
    if contains_cjk(one) or contains_cjk(other):
        return one in other or other in one
    first, second = set(one.split()), set(other.split())
    return first <= second or second <= first


def _fitted(user_id: str | None, entries: Sequence[ProfileEntry], budget: int) -> Profile:
    """Return the profile of the entries that fit, with the number of the others.

    An entry that is too long is skipped, so that it does not block later ones.
    """
    text = profile_text(entries)
    fitting, left_out = list(entries), 0
    if estimate_tokens(text) > budget:
        fitting, shown = [], profile_text([], left_out=len(entries))
        for entry in entries:
            longer = f"{shown}\n{profile_line(entry)}"
            if estimate_tokens(longer) <= budget:
                fitting.append(entry)
                shown = longer
        left_out = len(entries) - len(fitting)
        text = profile_text(fitting, left_out) if estimate_tokens(shown) <= budget else ""
    return Profile(
        user_id=user_id, entries=tuple(fitting), text=text, tokens=estimate_tokens(text), left_out=left_out
    )
