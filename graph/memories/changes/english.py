"""Reads English texts for statements about slots, by the wordings of ``english.toml``."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import is_question, sentences
from graph.memories.changes.slots import SELF, SlotStatement, canonical_value, known_place, last_day, lower_case_places

_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "english.toml")
_PART = re.compile(r"<([A-Z_]+)(?::(\w+))?>")
_TO_PLAIN = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\t": " ", "\n": " "}
)
_BOUNDARY = re.compile(
    r"[,;:!?()\u2013\u2014]|\.(?=\s|$)|\s(?:and|but|so|because|while|then|although|though|yet|which|or|-)(?=\s)"
)
_TOKEN = re.compile(r"[,;:!?()\u2013\u2014\"]|[^\s,;:!?()\u2013\u2014\"]+")
_JOINS = frozenset("and or then but , & - ; : ( ) so because \u2014 \u2013 ! ? \"".split())
_SELVES = frozenset("i we me us myself user".split())
_POSSESSIVE = frozenset("my our his her their".split())
_PERSONS = frozenset("he she they".split())
_THINGS = frozenset("it that this".split())
_OF_PEOPLE = frozenset(("home", "employer", "role", "spouse", "project"))
_CONTRACTED = re.compile(r"'(?:m|ve|re|s|d)$")
_MOST_WORDS_OF_A_SUBJECT = 5
_ADVERBIAL = re.compile(
    r"\s*(?:and |but )?(?:in|on|at|back|after|before|when|during|since|for|as|last|over|while|until|till|once|just|only|"
    r"at least|temporarily|as of|early|late|this|about|around|though only|if|then|some|years|months|weeks|two|three|"
    r"four|five|ten|a|one|\d+|every|each|mostly|except)\b",
    re.IGNORECASE,
)
_HAS_SUBJECT = re.compile(r"\b(?:I|I'm|I've|we|he|she|they|it|you)\b", re.IGNORECASE)


def _words(name: str) -> frozenset[str]:
    return frozenset(str(_TABLE["subjects"][name]).split())


def _written_out(wording: str) -> str:
    """Return a wording with what its names in brackets stand for."""

    def part(found: re.Match[str]) -> str:
        inner = _written_out(str(_TABLE["parts"][found[1]]))
        return f"(?P<{found[2]}>{inner})" if found[2] else f"(?:{inner})"

    return _PART.sub(part, wording)


def _cue(name: str) -> re.Pattern[str]:
    return re.compile(_written_out(str(_TABLE[name])), re.IGNORECASE)


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
    of_sentence: bool


def _frames() -> tuple[_Frame, ...]:
    return tuple(
        _Frame(
            re.compile(_written_out(wording), re.IGNORECASE),
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
            entry.get("subject") == "sentence",
        )
        for entry in _TABLE["frames"]
        for wording in entry["words"]
    )


_FRAMES = _frames()
_FICTION, _UNREAL, _NOT_UNREAL = _cue("fiction"), _cue("unreal"), _cue("not_unreal")
_PLAN, _NOT_PLAN, _UNMADE, _NOT_UNMADE = _cue("plan"), _cue("not_plan"), _cue("unmade"), _cue("not_unmade")
_UNDONE = _cue("undone")
_STAY, _SECOND, _ONE_MORE = _cue("stay"), _cue("second"), _cue("one_more")
_PAST, _NOT_PAST = _cue("past"), _cue("not_past")
_DWELLING, _DONE, _MEASURED = _cue("dwelling"), _cue("done"), _cue("measured")
_ADVERBS, _NEGATIONS, _MODALS = _words("adverbs"), _words("negations"), _words("modals")
_HAPPENED, _DETERMINERS = _words("happened"), _words("determiners")
_PREPOSITIONS, _TIMES, _TITLES = _words("prepositions"), _words("times"), _words("titles")
_BEGAN, _GENERIC = _words("began"), _words("generic")
_KIN = {
    form: kin for kin, forms in _TABLE["subjects"]["kin"].items() for form in (kin, *forms.split())
}
_CONTACTS = {
    slot: {name: re.compile(_written_out(pattern), re.IGNORECASE) for name, pattern in entry.items()}
    for slot, entry in _TABLE["contacts"].items()
}



_LOWER_PLACE = re.compile(
    r"(?<=[a-z] [it][no] )(?:" + "|".join(sorted(map(re.escape, lower_case_places()), key=len, reverse=True)) + r")\b"
)


@dataclass(frozen=True)
class _Found:
    """A statement, and the place of its clause and of its words in a sentence."""

    statement: SlotStatement
    clause: int
    start: int

    @property
    def rank(self) -> int:
        """What precedes what: a change, an end, a state."""
        if self.statement.is_change:
            return 1 if self.statement.value is None else 2
        return 0


def statements_in_english(text: str, said_on: date | None) -> Iterator[SlotStatement]:
    """Yield what a text says about slots, the last statement for each subject and slot."""
    plain = text.translate(_TO_PLAIN)
    if _FICTION.search(plain):
        return
    best: dict[tuple[str, str], tuple[tuple[int, int, int, int], SlotStatement]] = {}
    parts: dict[tuple[int, int], int] = {}
    reader = _Reader(said_on)
    for number, sentence in enumerate(sentences(plain)):
        for found in reader.read(sentence):
            stated = found.statement
            key = (stated.subject, stated.slot)
            order = (found.rank, number, found.start, len(stated.words))
            known = best.get(key)
            if known is None or order > known[0]:
                part = parts.setdefault((number, found.clause), len(parts))
                ended = stated.ended or (known[1].ended if known is not None else None)
                best[key] = (order, replace(stated, part=part, ended=ended))
    yield from (statement for _, statement in best.values())


class _Reader:
    """Reads the sentences of one text; whom one speaks of, the next may call "he"."""

    def __init__(self, said_on: date | None) -> None:
        self._said_on = said_on
        self._person: tuple[str, ...] | None = None
        self._thing: str | None = None

    def read(self, sentence: str) -> Iterator[_Found]:
        """Yield what a sentence says about slots."""
        sentence = _LOWER_PLACE.sub(lambda found: found[0].title(), sentence)
        if not (is_question(sentence) or _UNREAL.search(_NOT_UNREAL.sub(" ", sentence))):
            for frame in _FRAMES:
                for match in frame.pattern.finditer(sentence):
                    yield from self._stated(sentence, match, frame)
            for slot in _CONTACTS:
                yield from self._contact(sentence, slot)
        self._remember(sentence)

    def _remember(self, sentence: str) -> None:
        subjects = self._first_subject(sentence, len(sentence))
        if subjects and subjects != (SELF,):
            self._person = subjects
            self._thing = subjects[0]

    def _stated(self, sentence: str, match: re.Match[str], frame: _Frame) -> Iterator[_Found]:
        groups = {name: found for name, found in match.groupdict().items() if found is not None}
        if not self._is_meant(sentence, match, frame, groups):
            return
        clause = _clause(sentence, match.start(), match.end())
        subjects = self._subjects(sentence, match, frame, groups)
        if not subjects:
            return
        value = groups.get("value") or frame.constant or None
        if frame.subject_is == "value" and "thing" in groups:
            value, subjects = subjects[0], _and_its_name(groups["thing"])
        of = _kind(frame, groups)
        if frame.slot == "version" and not of and len(subjects) > 1 and subjects[0].endswith(f" {subjects[1]}"):
            of = subjects[0].removesuffix(f" {subjects[1]}")
        until = last_day(sentence[clause[0] : clause[1]], self._said_on)
        for subject in filter(None, subjects):
            if subject == SELF and frame.slot == "owner":
                continue
            yield _Found(
                SlotStatement(
                    slot=frame.slot,
                    subject=subject,
                    value=None if value is None else _value(frame.slot, value),
                    words=match[0].strip(),
                    is_change=frame.says != "state",
                    of=of,
                    ended=canonical_value(frame.slot, groups["ended"]) if "ended" in groups else None,
                    until=until,
                    is_weak=frame.is_weak,
                ),
                clause[0],
                match.start(),
            )

    def _is_meant(
        self, sentence: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]
    ) -> bool:
        """Return whether the words say what is so, and say it of the slot."""
        if frame.place is not None:
            named = [groups[name] for name in ("value", "ended") if name in groups]
            if any(map(known_place, named)) != frame.place:
                return False
        if frame.slot in {"version", "port"} and _MEASURED.search(sentence[: match.end()]) and "port" not in match[0]:
            return False
        if frame.is_likely and not (known_place(groups["value"]) or _DWELLING.search(sentence)):
            return False
        if frame.beside and not _DONE.search(sentence[: match.start()] + " " + sentence[match.end() :]):
            return False
        return not _is_void(sentence, match, frame.slot, is_weak=frame.is_weak)

    def _subjects(
        self, sentence: str, match: re.Match[str], frame: _Frame, groups: Mapping[str, str]
    ) -> tuple[str, ...]:
        if "who" in groups or "who2" in groups:
            return self._named(groups.get("who") or groups["who2"])
        if frame.of_sentence:
            return self._whole(sentence, match.start())
        if "thing" in groups and frame.subject_is != "value":
            return self._things(groups["thing"], groups, sentence, match.start())
        found = self._subjects_before(sentence, match.start(), frame)
        if frame.slot == "version" and found == (SELF,) and "of" in groups:
            return (groups["of"].casefold(),)
        return found

    def _whole(self, sentence: str, place: int) -> tuple[str, ...]:
        """Return whom a sentence is about, or whose the noun is at a place."""
        tokens = _TOKEN.findall(sentence[:place])
        found = self._possessor(sentence, tokens, place) if tokens and tokens[-1] not in _JOINS else ()
        return found or self._first_subject(sentence, place) or (() if tokens else (SELF,))

    def _things(
        self, raw: str, groups: Mapping[str, str], sentence: str, place: int
    ) -> tuple[str, ...]:
        if raw.casefold() in _THINGS:
            earlier = self._first_subject(sentence, place)
            return earlier if earlier and earlier != (SELF,) else (self._thing,) if self._thing else ()
        return _and_its_name(raw)

    def _named(self, raw: str) -> tuple[str, ...]:
        low = raw.casefold().removesuffix("'s")
        if low in {"i", "me", "us", "my", "our", "mine", "the user"}:
            return (SELF,)
        if low in {"him", "her", "them", "his", "their", "he", "she", "they"}:
            return self._person or ()
        words = [word for word in re.findall(r"[\w-]+", low) if word not in _DETERMINERS | _TITLES]
        return (_kin(" ".join(words)),) if words else ()

    def _subjects_before(self, sentence: str, place: int, frame: _Frame) -> tuple[str, ...]:
        """Return whom or what the words before a wording are about, in canonical form; empty if that is not clear."""
        tokens = _TOKEN.findall(sentence[:place])
        if frame.possessor:
            return self._possessor(sentence, tokens, place, is_home=frame.slot == "home")
        while tokens:
            bare = _CONTRACTED.sub("", tokens[-1])
            low = bare.casefold()
            if low in _NEGATIONS or low.endswith("n't") or low in _MODALS or tokens[-1].endswith("'ll"):
                return ()
            if low == "to":
                if len(tokens) < 2 or tokens[-2].casefold() not in _HAPPENED:
                    return ()
                del tokens[-2:]
            elif low in _ADVERBS and not (low in _TIMES and False):
                tokens.pop()
            else:
                break
        if not tokens or tokens[-1] in _JOINS or tokens[-1].casefold() in _JOINS:
            return self._elided(sentence, place, tokens)
        return self._noun_phrase(tokens, frame, sentence, place)

    def _elided(self, sentence: str, place: int, tokens: Sequence[str]) -> tuple[str, ...]:
        """Return the subject of a clause that leaves it out: that of the sentence, or the user."""
        if not tokens:
            return (SELF,)
        return self._first_subject(sentence, place) or (SELF,)

    def _possessor(
        self, sentence: str, tokens: Sequence[str], place: int, *, is_home: bool = False
    ) -> tuple[str, ...]:
        tokens = list(tokens)
        while tokens and tokens[-1].casefold() in {
            "new", "current", "own", "main", "latest", "only", "day", "first", "next", "present", "ex-", "future",
            "private", "old", "so", "and",
        } | _ADVERBS:
            if tokens[-1].casefold() in {"first", "old", "ex-", "next", "future"}:
                return ()
            tokens.pop()
        if not tokens:
            return ()
        if is_home and len(tokens) > 1 and (tokens[-2].casefold() in _POSSESSIVE or tokens[-2].endswith("'s")):
            tokens.pop()
        last = tokens[-1]
        low = last.casefold()
        if low in {"my", "our"} or (low == "user's"):
            return (SELF,)
        if low in {"his", "her", "their"}:
            return self._first_person_before(sentence, place)
        if low.endswith(("'s", "s'")):
            name = _name_before([*tokens[:-1], last.removesuffix("'s").removesuffix("'")])
            return name
        return (SELF,) if last in {",", ":", "-"} else ()

    def _first_person_before(self, sentence: str, place: int) -> tuple[str, ...]:
        earlier = self._first_subject(sentence, place)
        return earlier if earlier and earlier != (SELF,) else self._person or ()

    def _noun_phrase(
        self, tokens: Sequence[str], frame: _Frame, sentence: str, place: int
    ) -> tuple[str, ...]:
        last = _CONTRACTED.sub("", tokens[-1])
        low = last.casefold()
        if low in _SELVES:
            return (SELF,)
        if low in _PERSONS:
            return self._antecedent(sentence, place)
        if low in _THINGS:
            return (self._thing,) if self._thing else ()
        names = _name_before([*tokens[:-1], last])
        if names:
            return names
        return _described([*tokens[:-1], last], must_be_determined=frame.slot in _OF_PEOPLE)

    def _antecedent(self, sentence: str, place: int) -> tuple[str, ...]:
        """Return the person that a pronoun stands for: whom the words before it name last."""
        found = self._person or ()
        tokens = _TOKEN.findall(sentence[:place])
        for number, token in enumerate(tokens):
            names = _name_before(tokens[: number + 1]) if token[0].isupper() else ()
            is_governed = number and tokens[number - 1].casefold() in _PREPOSITIONS
            if names and not (is_governed and known_place(token)):
                found = names
            elif _kin(token.casefold()) in _KIN.values() and number and tokens[number - 1].casefold() in {"my", "our"}:
                found = (_kin(token.casefold()),)
        return found

    def _first_subject(self, sentence: str, end: int) -> tuple[str, ...]:
        """Return whom or what a sentence is about: the first noun phrase that no preposition governs."""
        tokens = _TOKEN.findall(sentence[:end])
        if tokens and (tokens[0].casefold() in _BEGAN or tokens[0].casefold().endswith("ed")):
            return (SELF,)
        for number, token in enumerate(tokens):
            bare = _CONTRACTED.sub("", token)
            low = bare.casefold()
            before = tokens[number - 1].casefold() if number else ""
            if low in {"i", "we"} or (low == "user" and before == "the"):
                return (SELF,)
            if low in _PERSONS and self._person:
                return self._person
            if before in _PREPOSITIONS or low in _PREPOSITIONS or low in _TIMES or low in _ADVERBS:
                continue
            if low in _DETERMINERS:
                found = _phrase_after(tokens[number:])
                if found and (number == 0 or before not in _PREPOSITIONS):
                    return found
                continue
            if bare[0].isupper() and before not in _DETERMINERS and not token.endswith("'s"):
                run = [bare]
                for following in tokens[number + 1 :]:
                    if not following[0].isupper():
                        break
                    run.append(_CONTRACTED.sub("", following))
                return _name_before(run)
            if number == 0 and low.isidentifier() is False and re.fullmatch(r"[\w.-]*[-_.\d][\w.-]*", low):
                return (_thing(low),)
        return ()

    def _contact(self, sentence: str, slot: str) -> Iterator[_Found]:
        """Yield the telephone number or address that a sentence tells of somebody."""
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
                    until=last_day(sentence, self._said_on),
                ),
                clause[0],
                value.start(),
            )

    def _contacted(
        self, sentence: str, value: re.Match[str], cues: Mapping[str, re.Pattern[str]], *, is_change: bool
    ) -> tuple[str, ...]:
        """Return whose number or address it is; empty if the sentence does not tell that it is somebody's."""
        before = sentence[: value.start()]
        for name in ("possessed", "asked"):
            found = None
            for found in cues[name].finditer(before):
                pass
            if found is not None:
                named = self._named(found["who"])
                if found["who"].casefold() in {"his", "her", "their", "him", "them"}:
                    named = self._antecedent(sentence, found.start()) or named
                return named
        behind = cues["behind"].match(sentence, value.end())
        if behind is not None:
            return self._named(behind["who"])
        if not (cues["told"].search(before) or (is_change and cues["noun"].search(sentence))):
            return ()
        clause = _clause(sentence, value.start(), value.end())[0]
        pronoun = re.search(r"\b(?:he|she)\b", sentence[clause : value.start()], re.IGNORECASE)
        if pronoun:
            return self._antecedent(sentence, clause + pronoun.start())
        subjects = self._first_subject(sentence, value.start())
        appositive = re.match(r"[^,]{1,40}, ([^,]{1,40}),", sentence)
        if appositive and (named := self._named(appositive[1])):
            return tuple(dict.fromkeys((*subjects, *named)))
        return subjects or self._person or (SELF,)


def _value(slot: str, raw: str) -> str:
    return raw if raw == SELF else canonical_value(slot, raw)


def _kind(frame: _Frame, groups: Mapping[str, str]) -> str:
    of = groups.get("of", "").casefold()
    return frame.kind or str(_TABLE["kinds"].get(of, of))


def _is_void(sentence: str, match: re.Match[str], slot: str, *, is_weak: bool = False) -> bool:
    """Return whether a clause tells a plan, a trip, one thing more, the past, or what did not happen."""
    start, end = _clause(sentence, match.start(), match.end())
    clause = sentence[start:end]
    if _PLAN.search(_NOT_PLAN.sub(" ", clause)) or _PAST.search(_NOT_PAST.sub(" ", clause)):
        return True
    if _UNMADE.search(_NOT_UNMADE.sub(" ", sentence[start : match.end()])) or _UNDONE.search(
        sentence, match.end()
    ):
        return True
    if _ONE_MORE.search(clause):
        return True
    return slot in _BESIDE and not is_weak and (_STAY.search(clause) or _SECOND.search(clause)) is not None


_BESIDE = _OF_PEOPLE | {"phone", "e-mail"}


def _clause(sentence: str, start: int, end: int) -> tuple[int, int]:
    """Return where the clause of a match begins and ends, with the adverbial beside it, and with the clauses before it
    whose subject it shares.
    """
    bounds = [0, *(found.end() for found in _BOUNDARY.finditer(sentence)), len(sentence)]
    lefts = [bound for bound in bounds if bound <= start]
    left = lefts.pop()
    while lefts and not _starts_anew(sentence[left:start], sentence[left:end]):
        left = lefts.pop()
    if lefts and _ADVERBIAL.match(sentence[lefts[-1] : left]) and not _HAS_SUBJECT.search(
        sentence[lefts[-1] : left]
    ):
        left = lefts.pop()
    rights = [bound for bound in bounds if bound >= end]
    right = rights.pop(0) if rights else len(sentence)
    if rights and _ADVERBIAL.match(sentence[right : rights[0]]):
        right = rights[0]
    return left, right


def _starts_anew(before: str, whole: str) -> bool:
    """Return whether a clause has a subject of its own before its verb."""
    return bool(_HAS_SUBJECT.search(before)) or any(
        token[0].isupper() or token.casefold() in _DETERMINERS for token in _TOKEN.findall(before)
    )


def _kin(word: str) -> str:
    return _KIN.get(word, word)


def _name_before(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the name that tokens end with, and the relation that stands before it; empty if they end with none."""
    run: list[str] = []
    rest = list(tokens)
    while rest and rest[-1][0].isupper() and len(run) < _MOST_WORDS_OF_A_SUBJECT:
        if rest[-1].casefold() in _TIMES | _PREPOSITIONS | _DETERMINERS | _ADVERBS:
            break
        run.insert(0, rest.pop().casefold().strip(".'"))
    run = [word for word in run if word not in _TITLES]
    if not run:
        return ()
    if rest and rest[-1].casefold().endswith(("'s", "s'")):
        return ()
    if len(rest) > 1 and rest[-1].casefold() == "and" and rest[-2][0].isupper():
        return tuple(dict.fromkeys((*_name_before(rest[:-1]), _thing(_kin(" ".join(run))))))
    name = _kin(run[0]) if len(run) == 1 else " ".join(run)
    relation = rest[-1].casefold() if rest else ""
    if relation in _KIN or relation in _TEAMS:
        return (_thing(name), _kin(relation)) if relation in _KIN else (_thing(name),)
    return (_thing(name),)


_UNTOLD = _DETERMINERS | {"on", "in", "of"}
_TEAMS = frozenset(str(_TABLE["subjects"]["people"]).split())


def _described(tokens: Sequence[str], *, must_be_determined: bool) -> tuple[str, ...]:
    """Return what a noun phrase at the end of tokens names: "the dev server", "my older brother", "billing-db"."""
    run: list[str] = []
    place: tuple[str, ...] = ()
    owner = ""
    is_determined = False
    rest = list(tokens)
    while rest and len(run) < _MOST_WORDS_OF_A_SUBJECT:
        low = rest[-1].casefold()
        if low in _DETERMINERS:
            is_determined = True
            if low in {"his", "her", "their"}:
                return ()
            rest.pop()
            break
        if low.endswith("'s") and run:
            owner = "" if low == "user's" else low.removesuffix("'s")
            is_determined = True
            rest.pop()
            break
        if low in _PREPOSITIONS or low in _JOINS or rest[-1] in _JOINS or low in _TIMES or not re.search(r"\w", low):
            break
        run.insert(0, low)
        rest.pop()
    if rest and rest[-1].casefold() in {"of", "with", "from", "by", "for"}:
        return ()
    if len(rest) > 1 and rest[-1].casefold() in {"on", "in"} and not must_be_determined:
        place = (_thing(" ".join(run)),)
        run.insert(0, rest[-2].casefold())
        is_determined = True
    if not run or (must_be_determined and not is_determined and _kin(run[-1]) not in _KIN.values()):
        return ()
    if not is_determined and len(run) > 1 and rest:
        run = run[-1:]
    name = _kin(run[0]) if len(run) == 1 else " ".join(run)
    return tuple(dict.fromkeys((_thing(f"{owner} {name}" if owner else name), *place)))


def _phrase_after(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return what a noun phrase at the beginning of tokens names; it begins with a determiner."""
    nouns = [token for token in tokens[1:4] if re.match(r"\w", token)]
    if not nouns:
        return ()
    if nouns[0].casefold() == "user":
        return (SELF,)
    low = nouns[0].casefold()
    if low in _KIN and tokens[0].casefold() in {"my", "our"}:
        name = nouns[1] if len(nouns) > 1 and nouns[1][0].isupper() else ""
        return (*((_kin(name.casefold()),) if name else ()), _kin(low))
    return (_thing(_kin(low)),)


def _and_its_name(raw: str) -> tuple[str, ...]:
    """Return the canonical forms of a thing: all its words, and its name alone ("a red Vespa")."""
    words = raw.split()
    name = words[-1] if words and words[-1][0].isupper() and not words[0][0].isupper() else ""
    return tuple(dict.fromkeys(form for form in (_thing(raw), _thing(name)) if form))


def _thing(raw: str) -> str:
    """Return the canonical form of a thing: without articles and without the word for its type."""
    words = [
        word.removesuffix("'s")
        for word in re.findall(r"[\w.+#/'~]+", raw.casefold().replace("-", " ").replace("_", " "))
    ]
    words = [word for word in words if word not in _UNTOLD]
    if len(words) > 1 and words[-1] in _GENERIC:
        words.pop()
    if len(words) > 1 and words[0] in _GENERIC | _TEAMS:
        words.pop(0)
    return " ".join(words).strip(".'")
