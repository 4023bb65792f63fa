"""Decides whether a newer text ends a known older state, even without a listed wording.

A clause about the subject of the state ends the state in two cases: it has the state's value and a cue of an end, or
another value of the same type and a cue of a change. The section ``pairs`` of each language's table lists the cues.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from graph.memories.changes.slots import SELF, SlotStatement, canonical_value

THINGS = frozenset(("version", "port", "owner"))
"""Slots of things rather than of people."""
SLOTS = ("home", "employer", "role", "spouse", "phone", "e-mail", "project", "version", "port", "owner")
MARK = "\u00a7"
"""Placeholder of the value in the cues of an end."""
CONTACTS = frozenset(("phone", "e-mail"))
_ENDED_BY_ANY = frozenset(("home", "employer", "project"))
_SURE = frozenset(("role", "phone", "e-mail", "version", "port"))
_BEFORE_MARRIAGE = frozenset(("dating", "engaged"))
_MOST_SUBJECTS = 4


class PairReader(ABC):
    """Decides by the cues of one language whether a text ends a state."""

    def __init__(self, tables: Mapping[str, Any], pattern: Callable[[str], re.Pattern[str]]) -> None:
        table = tables["pairs"]
        self._kinds = {slot: pattern(cues["kind"]) for slot, cues in tables["contacts"].items()}
        self._lasting, self._turn, self._end, self.other, self.beside, self._carried, self._shared = (
            pattern(table[name])
            for name in ("lasting", "turn", "end", "other", "beside", "carried", "shared")
        )
        self._together = pattern(table["together"])
        self._former = pattern(table["former"])
        self._any_end = pattern(table["end"].replace(MARK, "[\\w-]+"))
        cues = [table["lasting"], table["turn"], table["end"].replace(MARK, r"[\w-]+")]
        cues += [wording for section in ("ends", "alone") for wording in table[section].values()]
        self._any_cue = pattern("|".join(f"(?:{cue})" for cue in cues))
        self._ends, self._alone, self.about, self._not = (
            {name: pattern(wording) for name, wording in table[section].items()}
            for section in ("ends", "alone", "about", "not")
        )
        self._values: Mapping[str, Sequence[re.Pattern[str]]] = {
            slot: [pattern(wording) for wording in wordings] for slot, wordings in table["values"].items()
        }

    @abstractmethod
    def clauses(self, text: str, slot: str) -> Iterator[tuple[str, str]]:
        """Yield the sentences that state something, each with one of its clauses."""

    @abstractmethod
    def subjects(self, text: str) -> tuple[Sequence[str], Sequence[str]]:
        """Return the people and the things that a text may be about, in canonical form."""

    @abstractmethod
    def about_thing(self, stated: Sequence[tuple[str, str]], state: SlotStatement) -> Iterator[str]:
        """Yield the clauses that are about the thing of a state."""

    @abstractmethod
    def is_about(self, clause: str, state: SlotStatement, text: str) -> bool | None:
        """Tell whether a clause is about the person of a state alone; None if it names nobody."""

    @abstractmethod
    def is_void(self, clause: str, slot: str) -> bool:
        """Tell whether a clause changes no slot: a plan, a trip, an addition, the past, or a negated event."""

    @abstractmethod
    def named(self, state: SlotStatement, clause: str) -> re.Match[str] | None:
        """Return where a clause names the value of a state itself."""

    @abstractmethod
    def is_other(self, found: re.Match[str], value: str, state: SlotStatement) -> bool:
        """Tell whether a clause's value cannot be true at the same time as that of a state."""

    def ended_slots(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield subject and slot of each state that a text may end, for any value."""
        if not self._any_cue.search(text):
            return
        text = ", ".join(clause for _, clause in self.clauses(text, ""))
        is_end = self._any_end.search(text) is not None
        is_turn = is_end or (self._lasting.search(text) or self._turn.search(text)) is not None
        slots = [slot for slot in SLOTS if self._may_end(text, slot, is_end=is_end, is_turn=is_turn)]
        if not slots:
            return
        people, things = self.subjects(text)
        for slot in slots:
            for subject in (things if slot in THINGS else people)[:_MOST_SUBJECTS]:
                yield subject, slot

    def _may_end(self, text: str, slot: str, *, is_end: bool, is_turn: bool) -> bool:
        """Tell whether a clause has a cue of a slot: a quick check without an older state."""
        if slot in self._not and self._not[slot].search(text):
            return False
        alone = [self._alone[name] for name in self._names(slot) if name in self._alone]
        if any(cue.search(text) for cue in alone):
            return True
        ends = (
            slot in self._ends and self._ends[slot].search(text.replace("from ", f"from {MARK} ")) is not None
        )
        if (ends and slot not in CONTACTS | THINGS) or (is_end and slot in _ENDED_BY_ANY):
            return True
        return (ends or is_turn) and any(cue.search(text) for cue in self._values.get(slot, ()))

    @staticmethod
    def _names(slot: str) -> tuple[str, ...]:
        return {"spouse": ("spouse", "single", "dating"), "owner": ("mine",)}.get(slot, (slot,))

    def _is_about(self, text: str, slot: str) -> bool:
        return slot not in self.about or self.about[slot].search(text) is not None

    def ending_words(self, text: str, state: SlotStatement) -> str | None:
        """Return the clause of a newer text that ends a state; None if none does."""
        slot = state.slot
        if state.value is None or (slot in self._not and self._not[slot].search(text)):
            return None
        about = list(self.clauses_about(text, state))
        clauses = [each for each in about if not self._is_void(each, slot)]
        if slot in CONTACTS and clauses != about:
            return None
        return next((each for each in clauses if self._is_end(each, state)), None) or next(
            self._changes(clauses, state), None
        )

    def clauses_about(self, text: str, state: SlotStatement) -> Iterator[str]:
        """Yield the clauses that are about the subject of a state and nobody else.

        A clause without a subject has that of the clause before it. Without an earlier clause it is about the user.
        """
        stated = list(self.clauses(text, state.slot))
        if state.slot in THINGS:
            yield from self.about_thing(stated, state)
            return
        is_meant, is_named = True, state.subject == SELF
        for _, clause in stated:
            is_about = self.is_about(clause, state, text)
            is_meant = is_meant if is_about is None else is_about
            if is_meant and (is_about or is_named):
                is_named = True
                yield clause

    def _is_void(self, clause: str, slot: str) -> bool:
        is_carried = slot in {"home", "employer"} and self._carried.search(clause)
        return bool(is_carried) or self.is_void(clause, slot)

    def _is_end(self, clause: str, state: SlotStatement) -> bool:
        slot = state.slot
        name = (
            "single"
            if state.value == "single"
            else "mine"
            if slot == "owner" and state.value == SELF
            else slot
        )
        if name in self._alone and self._alone[name].search(clause):
            return True
        found = self.named(state, clause)
        if slot == "spouse" and state.of in _BEFORE_MARRIAGE and self._alone["dating"].search(clause):
            return found is not None or self._together.search(clause) is not None
        if found is None:
            return False
        rest = f"{clause[: found.start()]}{MARK}{clause[found.end() :]}"
        ends = self._ends.get(slot)
        return bool((slot != "spouse" and self._end.search(rest)) or (ends and ends.search(rest)))

    def _changes(self, clauses: Sequence[str], state: SlotStatement) -> Iterator[str]:
        """Yield the clauses with another value that is true now."""
        slot = state.slot
        whole = " ; ".join(clauses)
        is_named = any(self.named(state, each) for each in clauses)
        is_sure = is_named or slot in _SURE or self._is_about(whole, slot)
        is_over = slot in _SURE and any(
            cue.search(whole) for cue in (self._end, self._ends.get(slot, self._end))
        )
        if slot in CONTACTS:
            kind = self._kinds[slot].search(whole)
            if kind and kind.lastgroup != state.of:
                return
        for clause in clauses:
            is_lasting = self._lasting.search(clause) is not None
            read = whole if is_named or slot in CONTACTS else clause
            is_turned = is_over or self._turn.search(read) is not None
            if not (is_lasting or (is_turned and is_sure)):
                continue
            for cue in self._values.get(slot, ()):
                for found in cue.finditer(clause):
                    value = canonical_value(slot, found["value"])
                    is_shared = slot in CONTACTS and self._shared.search(found["value"])
                    is_shared = is_shared or self._former.search(clause, 0, found.start("value"))
                    if not is_shared and value != state.value and self.is_other(found, value, state):
                        yield clause
                        break
