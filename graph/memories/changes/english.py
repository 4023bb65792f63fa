"""Reads English texts for statements about slots, by the wordings of ``english.toml``."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import is_question, sentences
from graph.memories.changes.slots import (
    SELF,
    SlotStatement,
    canonical_value,
    known_place,
    last_day,
    lower_case_places,
)
from graph.memories.changes.subjects import DETERMINERS, SEVERAL, TOKEN, Subjects, names_of_thing

TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "english.toml")
_PART = re.compile(r"<([A-Z_]+)(?::(\w+))?>")
TO_PLAIN = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\t": " ", "\n": " "}
)
_BOUNDARY = re.compile(
    r"[,;:!?()\u2013\u2014]|\.(?=\s|$)|\s(?:and|but|so|because|while|then|although|though|yet|which|or|-)(?=\s)"
)
_PEOPLE = frozenset((SELF, *"i we he she they user".split()))
_OF_SOFTWARE = frozenset(("version", "port"))
_DENIED = re.compile(
    r"(?:\bno longer|\bnot|n't|\bstopped)(?: (?!(?:but|and|so)\b)[\w.'/-]+){0,4} ?$", re.IGNORECASE
)
_OF_NAMES = frozenset(("employer", "manager", "spouse"))
_OF_PEOPLE = frozenset(("home", "employer", "role", "manager", "spouse", "project"))
_ADVERBIAL = re.compile(
    r"\s*(?:and |but )?(?:in|on|at|back|after|before|when|during|since|for|as|last|over|while|until|till|once|just|"
    r"only|at least|temporarily|as of|early|late|this|about|around|though only|if|then|some|years|months|weeks|"
    r"two|three|four|five|ten|a|one|\d+|every|each|mostly|except)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:I|[Ww]e)\b")
_BY_NOW = re.compile(r"\s*(?:now|currently|these days|nowadays|lives|works|is)\b", re.IGNORECASE)
_HAS_SUBJECT = re.compile(r"\b(?:I|I'm|I've|we|he|she|they|it|you)\b", re.IGNORECASE)

_WHAT_COMES = frozenset(
    "everything mail mails post letters invoices bills receipts orders applications requests messages newsletters "
    "correspondence".split()
)
_RECEIVER = re.compile(r"\bfor ((?:the |my |our )?[A-Z][\w&'-]*(?: [A-Z][\w&'-]*){0,3})")


def written_out(wording: str) -> str:
    """Return a wording with its named parts expanded."""

    def part(found: re.Match[str]) -> str:
        inner = written_out(str(TABLE["parts"][found[1]]))
        return f"(?P<{found[2]}>{inner})" if found[2] else f"(?:{inner})"

    return _PART.sub(part, wording)


def cue(name: str) -> re.Pattern[str]:
    """Return the pattern of a cue of the table."""
    return re.compile(written_out(str(TABLE[name])), re.IGNORECASE)


@dataclass(frozen=True)
class _Frame:
    """A wording of a slot; see ``english.toml``."""

    pattern: re.Pattern[str]
    slot: str
    says: str
    kind: str
    possessor: bool
    subject_is: str
    place: bool | None
    is_likely: bool
    beside: str
    is_weak: bool
    constant: str
    subject: str


def _frames() -> tuple[_Frame, ...]:
    return tuple(
        _Frame(
            re.compile(written_out(wording), re.IGNORECASE),
            entry["slot"],
            entry["says"],
            entry.get("kind", ""),
            entry.get("possessor", False),
            "value" if entry.get("value") else "thing" if entry.get("thing") else "who",
            entry.get("place"),
            entry.get("likely", False),
            entry.get("beside", ""),
            entry.get("weak", False),
            entry.get("constant", ""),
            entry.get("subject", ""),
        )
        for entry in TABLE["frames"]
        for wording in entry["words"]
    )


_FRAMES = _frames()
_NEEDS = {slot: re.compile(r"\d") for slot in ("version", "port", "phone")} | {"e-mail": re.compile("@")}
_NEEDS["home"] = re.compile(written_out("<CAP>"))
_FICTION, _UNREAL, _NOT_UNREAL = cue("fiction"), cue("unreal"), cue("not_unreal")
_PLAN, _NOT_PLAN, _UNMADE, _NOT_UNMADE = cue("plan"), cue("not_plan"), cue("unmade"), cue("not_unmade")
_UNDONE = cue("undone")
_STAY, _SECOND, _ONE_MORE = cue("stay"), cue("second"), cue("one_more")
_PAST, _NOT_PAST = cue("past"), cue("not_past")
_SEASONAL = cue("seasonal")
_LASTING, _TITLE = cue("lasting"), cue("title")
ENVIRONMENT, LEAVES_FOR_NOW, OTHERS = cue("environment"), cue("leaves_for_now"), cue("others")
_DWELLING, _MEASURED, _TURNED = cue("dwelling"), cue("measured"), cue("turned")
_REGARDED = cue("regarded")
_ORIGIN = re.compile(written_out("<ORIGIN>(?:[ -]<ORIGIN>)*|Dr|Mr|Mrs|Ms|Prof"), re.IGNORECASE)
_CUES_BESIDE = {name: cue(name) for name in ("done", "left", "moved", "changed")}
_CONTACTS = {
    slot: {name: re.compile(written_out(pattern), re.IGNORECASE) for name, pattern in entry.items()}
    for slot, entry in TABLE["contacts"].items()
}


_LOWER_PLACE = re.compile(
    r"(?<=[a-z] [it][no] )(?:"
    + "|".join(sorted(map(re.escape, lower_case_places()), key=len, reverse=True))
    + r")\b"
)


@dataclass(frozen=True)
class _Found:
    """A statement, and the place of its clause and of its words in a sentence."""

    statement: SlotStatement
    clause: int
    start: int

    @property
    def rank(self) -> int:
        """Precedence: a change, then an end, then a state."""
        if self.statement.is_change:
            return 1 if self.statement.value is None else 2
        return 0


def statements_in_english(text: str, stated_on: date | None) -> Iterator[SlotStatement]:
    """Yield the statements of a text about slots, the last one for each subject and slot."""
    plain = text.translate(TO_PLAIN)
    if _FICTION.search(plain):
        return
    best: dict[tuple[str, str], tuple[tuple[int, ...], SlotStatement]] = {}
    parts: dict[tuple[int, int], int] = {}
    reader = _Reader(plain, stated_on)
    for number, sentence in enumerate(sentences(plain)):
        for found in reader.read(sentence):
            stated = found.statement
            key = (stated.subject, stated.slot)
            order = (found.rank, not stated.is_weak, number, found.start, len(stated.words))
            known = best.get(key)
            if known is None or order > known[0]:
                part = parts.setdefault((number, found.clause), len(parts))
                ended = stated.ended or (known[1].ended if known is not None else None)
                best[key] = (order, replace(stated, part=part, ended=ended))
            elif stated.ended and not known[1].ended:
                best[key] = (known[0], replace(known[1], ended=stated.ended))
    yield from (statement for _, statement in best.values())


_NEXT_CLAUSE = re.compile(
    r"[,;.!?]\s+(?:(?:and|but|also|then)\s+)*|\s+(?:and|but|while|yet|plus)\s+(?:also\s+)?"
)


def lasting_beside(text: str, stated: Collection[str]) -> bool:
    """Tell whether a clause without any of the given words states something lasting.

    >>> lasting_beside("I live in Munich and I love hiking", ["live in Munich"])
    True
    >>> lasting_beside("I live in Munich and it rains", ["live in Munich"])
    False
    """
    plain = text.translate(TO_PLAIN)
    return any(
        _LASTING.match(clause) and not any(each in clause or clause in each for each in stated)
        for clause in _NEXT_CLAUSE.split(plain)
    )


class _Reader:
    """Reads the sentences of one text; a pronoun may refer to a person of an earlier sentence."""

    def __init__(self, text: str, stated_on: date | None) -> None:
        self._text = text
        self._stated_on = stated_on
        self._subjects = Subjects()
        self._is_turned = _TURNED.search(text) is not None

    def read(self, sentence: str) -> Iterator[_Found]:
        """Yield the statements of a sentence about slots."""
        sentence = _LOWER_PLACE.sub(lambda found: found[0].title(), sentence)
        if not (is_question(sentence) or _UNREAL.search(_NOT_UNREAL.sub(" ", sentence))):
            has = {slot: need.search(sentence) is not None for slot, need in _NEEDS.items()}
            for frame in _FRAMES:
                if frame.says != "end" and not frame.constant and not has.get(frame.slot, True):
                    continue
                for match in frame.pattern.finditer(sentence):
                    yield from self._stated(sentence, match, frame)
            for slot in filter(has.get, _CONTACTS):
                yield from self._contact(sentence, slot)
        self._subjects.remember(sentence)

    def _stated(self, sentence: str, match: re.Match[str], frame: _Frame) -> Iterator[_Found]:
        groups = {name: found for name, found in match.groupdict().items() if found is not None}
        if not self._is_meant(sentence, match, frame, groups):
            return
        clause = _clause(sentence, match.start(), match.end())
        subjects = self._subjects_of(sentence, match, frame, groups)
        if not subjects:
            return
        if frame.slot == "home" and subjects == ("home",):
            subjects = (SELF,)
        value = groups.get("value") or frame.constant or None
        if frame.subject_is == "value" and "thing" in groups:
            value, subjects = subjects[0], names_of_thing(groups["thing"])
        of = _kind(frame, groups)
        if (
            frame.slot == "version"
            and not of
            and len(subjects) > 1
            and subjects[0].endswith(f" {subjects[1]}")
        ):
            of = subjects[0].removesuffix(f" {subjects[1]}")
        until = last_day(sentence[clause[0] : clause[1]], self._stated_on)
        for subject in filter(None, subjects):
            if frame.slot == "owner" and subject in _PEOPLE:
                continue
            yield _Found(
                SlotStatement(
                    slot=frame.slot,
                    subject=subject,
                    value=None if value is None else _value(frame.slot, value),
                    words=match[0].strip(),
                    is_change=frame.says != "state" or (frame.slot == "role" and self._is_turned),
                    of=of,
                    ended=canonical_value(frame.slot, groups["ended"]) if "ended" in groups else None,
                    until=until,
                    is_weak=(frame.is_weak and not (frame.slot == "role" and self._is_turned))
                    or (frame.says == "state" and subject in SEVERAL),
                ),
                clause[0],
                match.start(),
            )

    def _is_meant(
        self, sentence: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]
    ) -> bool:
        """Return whether the words state a fact about the slot."""
        if not _may_be_named(sentence[: match.start()], frame, groups) or (
            frame.slot in _OF_SOFTWARE
            and _MEASURED.search(sentence[_clause(sentence, match.start(), match.end())[0] : match.end()])
            and "port" not in match[0]
        ):
            return False
        is_unlikely = frame.is_likely and not (known_place(groups["value"]) or _DWELLING.search(sentence))
        if is_unlikely or (frame.subject == "near" and _REGARDED.search(sentence)):
            return False
        if frame.beside and not _CUES_BESIDE[frame.beside].search(self._text.replace(match[0], " ", 1)):
            return False
        if frame.says == "state" and frame.slot == "home" and _SEASONAL.search(sentence):
            return False
        is_end = frame.says == "end"
        return not _is_void(sentence, match, frame.slot, is_weak=frame.is_weak, is_end=is_end)

    def _subjects_of(
        self, sentence: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]
    ) -> tuple[str, ...]:
        subjects = self._subjects
        if "who" in groups or "who2" in groups:
            found = subjects.named(groups.get("who") or groups["who2"])
        elif frame.subject == "user":
            found = (SELF, "team")
        elif frame.subject == "near":
            found = subjects.near(sentence, match.start()) or tuple(
                filter(None, [groups.get("of", "").casefold()])
            )
        elif frame.subject == "sentence":
            clause = sentence[_clause(sentence, match.start(), match.end())[0] : match.start()]
            is_self = _SELF.search(clause) is not None
            found = (SELF,) if is_self else subjects.of_sentence(sentence, match.start())
        elif "thing" in groups and frame.subject_is != "value":
            found = subjects.things(groups["thing"], sentence, match.start())
        elif frame.possessor:
            found = subjects.possessor(sentence, match.start(), skips_a_word=frame.slot == "home")
            if not match.start() and frame.says == "change":
                found = subjects.person or (SELF,)
        else:
            found = subjects.before(sentence, match.start(), is_of_people=frame.slot in _OF_PEOPLE)
            if frame.slot == "version" and found == (SELF,) and "of" in groups:
                found = (groups["of"].casefold(),)
        return found

    def _contact(self, sentence: str, slot: str) -> Iterator[_Found]:
        """Yield the telephone number or address that a sentence states for a person."""
        cues = _CONTACTS[slot]
        values = [
            found
            for found in cues["value"].finditer(sentence)
            if not cues["former"].search(sentence[max(0, found.start() - 24) : found.start()])
        ]
        if not values:
            return
        value = values[-1]
        is_change = cues["change"].search(sentence) is not None
        subjects = self._contacted(sentence, value, cues, is_change=is_change)
        if not subjects or _is_void(sentence, value, slot):
            return
        kind = cues["kind"].search(sentence)
        clause = _clause(sentence, value.start(), value.end())
        for subject in subjects:
            yield _Found(
                SlotStatement(
                    slot=slot,
                    subject=subject,
                    value=canonical_value(slot, value[0]),
                    words=sentence.strip(),
                    is_change=is_change,
                    of=kind.lastgroup or "" if kind else "",
                    until=last_day(sentence, self._stated_on),
                ),
                clause[0],
                value.start(),
            )

    def _contacted(
        self, sentence: str, value: re.Match[str], cues: Mapping[str, re.Pattern[str]], *, is_change: bool
    ) -> tuple[str, ...]:
        """Return the owner of a number or address; empty if the sentence names none."""
        before = sentence[: value.start()]
        for name in ("whose", "possessed", "asked"):
            for found in [*cues[name].finditer(before)][-1:]:
                named = self._subjects.named(found["who"])
                if found["who"].casefold() in {"his", "her", "their", "him", "them"}:
                    named = self._subjects.antecedent(sentence, found.start()) or named
                    named = named or self._subjects.user_before(sentence, found.start())
                return named
        behind = cues["behind"].match(sentence, value.end())
        if behind is not None:
            return self._subjects.named(behind[behind.lastgroup or "who"])
        if not (cues["told"].search(before) or (is_change and cues["noun"].search(sentence))):
            return ()
        clause = _clause(sentence, value.start(), value.end())[0]
        pronoun = re.search(
            r"\b(?:he|she)\b|^\s*(?:and |so )?I\b", sentence[clause : value.start()], re.IGNORECASE
        )
        if pronoun:
            is_self = pronoun[0].endswith("I")
            return (SELF,) if is_self else self._subjects.antecedent(sentence, clause + pronoun.start())
        subjects = self._subjects.first(sentence, value.start())
        appositive = re.match(r"[^,]{1,40}, ([^,]{1,40}),", sentence)
        if appositive and (named := self._subjects.named(appositive[1])):
            return tuple(dict.fromkeys((*subjects, *named)))
        receiver = _RECEIVER.search(before)
        if subjects and subjects[0] in _WHAT_COMES:
            subjects = self._subjects.named(receiver[1]) if receiver else ()
        return subjects or self._subjects.person or (SELF,)


def _may_be_named(before: str, frame: _Frame, groups: Mapping[str, str]) -> bool:
    """Tell whether the values suit the wording: a place only for a place, no denied version, no nationality."""
    named = [groups[name] for name in ("value", "ended") if name in groups]
    if frame.place is not None and any(map(known_place, named)) != frame.place:
        return False
    if frame.slot in _OF_SOFTWARE and _DENIED.search(before):
        return False
    return not (frame.slot in _OF_NAMES and _ORIGIN.fullmatch(groups.get("value", "")))


def _value(slot: str, raw: str) -> str:
    return raw if raw == SELF else canonical_value(slot, raw)


def _kind(frame: _Frame, groups: Mapping[str, str]) -> str:
    of = groups.get("of", "").casefold()
    return frame.kind or str(TABLE["kinds"].get(of, of))


def _is_void(
    sentence: str, match: re.Match[str], slot: str, *, is_weak: bool = False, is_end: bool = False
) -> bool:
    """Return whether a clause changes no slot: a plan, a trip, an addition, the past, or a negated event."""
    start, end = _clause(sentence, match.start(), match.end())
    clause = sentence[start:end]
    if slot in _OF_WORK:
        clause = _TITLE.sub(" ", clause)
    if _PLAN.search(_NOT_PLAN.sub(" ", clause)) or _PAST.search(_NOT_PAST.sub(" ", clause)):
        return True
    asserted = sentence[start : match.start() if is_end else match.end()]
    if _UNMADE.search(_NOT_UNMADE.sub(" ", asserted)) or _UNDONE.search(sentence, match.end()):
        return True
    if _ONE_MORE.search(clause):
        return True
    is_strong = not is_weak or (slot == "home" and " back in " not in clause)
    return slot in _BESIDE and is_strong and (_STAY.search(clause) or _SECOND.search(clause)) is not None


_OF_WORK = frozenset(("employer", "role"))
_BESIDE = _OF_PEOPLE | {"phone", "e-mail"}


def _clause(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Return the start and end of the clause of a match.

    It includes the adjacent adverbial, and earlier clauses with the same subject.
    """
    bounds = [0, *(found.end() for found in _BOUNDARY.finditer(sentence)), len(sentence)]
    lefts = [bound for bound in bounds if bound <= start]
    left = lefts.pop()
    while lefts and not (_starts_anew(sentence[left:start]) or _BY_NOW.match(sentence, left)):
        left = lefts.pop()
    if (
        lefts
        and _ADVERBIAL.match(sentence[lefts[-1] : left])
        and not _HAS_SUBJECT.search(sentence[lefts[-1] : left])
    ):
        left = lefts.pop()
    rights = [bound for bound in bounds if bound >= end]
    right = rights.pop(0) if rights else len(sentence)
    if rights and _ADVERBIAL.match(sentence[right : rights[0]]):
        right = rights[0]
    return left, right


def _starts_anew(before: str) -> bool:
    """Return whether a clause has its own subject before its verb."""
    return bool(_HAS_SUBJECT.search(before)) or any(
        token[0].isupper() or token.casefold() in DETERMINERS for token in TOKEN.findall(before)
    )
