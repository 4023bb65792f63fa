"""Reads possessions, tools, activities and medication of a person, and the words that end them.

A newer text ends such a state if it says that the same thing is over, or names another thing of a kind of which a
person has one at a time. ``holdings.toml`` has the wordings, the kinds and their known values.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from typing_extensions import override

from graph.core.tables import read_table
from graph.core.text.language import stem
from graph.memories.changes.chinese import LEAD, ONE_FORM, person_at_start
from graph.memories.changes.english import written_out
from graph.memories.changes.pairs import PairReader
from graph.memories.changes.pairs_chinese import CHINESE_PAIRS
from graph.memories.changes.pairs_english import ENGLISH_PAIRS
from graph.memories.changes.slots import SELF, SlotStatement
from graph.memories.changes.subjects import KIN, SEVERAL, begins_with_verb, thing_of

HOLDING = "holding"
"""Slot of what has a name: its subject is the person and the name, its value the words of the state."""
_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "holdings.toml")
KIND_OF: Final[Mapping[str, str]] = {
    name: kind
    for kind, entry in _TABLE["kinds"].items()
    for name in entry.get("values", "").split(",")
    if name
}
"""Kinds of known names, in lower case: a bank, an editor, a programming language."""
_OF_THINGS = frozenset(("program-language", "framework", "database", "host", "ci", "system"))
PRODUCTS: Final = frozenset(name for name, kind in KIND_OF.items() if kind in _OF_THINGS)
"""Known names of software, in lower case; several people may use different versions of it."""
_MOST_CHARS_OF_A_NAME = max(len(name) for name in KIND_OF if not name.isascii())
_MOST_WORDS_OF_A_NAME = 3
_ALSO_WORDS = frozenset(str(_TABLE["also_words"]).split())
HELD: Final = frozenset((HOLDING, "status", "date", *_TABLE["kinds"]))
"""Slots that are read here."""
_MOST_NAMES = 4
_CLOSE_KIN = frozenset(("sister", "brother", "son", "daughter"))
_DENIED = "denied"
_ENGLISH_PERSON = re.compile(
    r"(?:^|\b(?:and|but|so) )(?:my |our |the user's )(?P<kin>[a-z]+)(?! and I\b)"
    rf"|^{written_out('(?P<name><CAP>)')}(?:'s)? (?=(?-i:[a-z]))",
    re.IGNORECASE,
)
_ONE_OF_A_KIN = "|".join(form for form, kin in KIN.items() if kin not in SEVERAL or kin in _CLOSE_KIN)
_SELF_WORDS = re.compile(r"\b(?:I|we|me|us|my|our|user)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:and |but |so )?(?:he|she|they)\b", re.IGNORECASE)
_TO_ME = re.compile(r"(?:让|给|叫|帮|劝|替)(?:我|用户)")
_AFTER = re.compile(r"^[^，,。我]{1,8}(?:之后|以后|后)(?=我|就|也)")
_AMONG_OTHERS = re.compile(r"(?:看|听|见|陪|帮)(?:着|到|说)?(?:别人|人家|[他她]们?)")
_TARIFF = re.compile(
    r"\b(?:free|team|pro|business|premium|basic|enterprise|starter|standard|family) plan\b", re.IGNORECASE
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.+#_-]*")
_HAN = re.compile(r"[\u4e00-\u9fff·]{1,10}")
_LATIN_VERSION = re.compile(rf"{_LATIN.pattern}(?: \d+(?:\.\d+)*(?![\w.\u4e00-\u9fff]))?")
_CALLED = re.compile(r" (?:called|named) ", re.IGNORECASE)
_VERSION = re.compile(r"[A-Za-z] (\d+(?:\.\d+)*)$")
_PART = re.compile(r"<([A-Z_]+)>")
_NUMBER = re.compile(r"[\d.]+$")
_WORD = re.compile(r"[^\W_]+(?:[.+#'&/_-][^\W_]+)*[+#]*")


class _Kind(NamedTuple):
    """Wordings of a thing of which a person has one, and the wording of a new one."""

    name: str
    values: Sequence[tuple[re.Pattern[str], str]]
    changed: re.Pattern[str] | None


class _Clause(NamedTuple):
    text: str
    person: str | None


class HoldingReader(ABC):
    """The wordings of one language."""

    def __init__(self, language: str, pairs: PairReader) -> None:
        table = _TABLE[language]
        held = table["holdings"]
        self._pairs = pairs
        self._parts = {"KIN": _ONE_OF_A_KIN, **table["parts"]}
        self._nobody, self._no_things = (
            frozenset(str(table.get(name, "")).split()) for name in ("nobody", "no_things")
        )
        self._same = {
            self.word(form): one for one, forms in table["same"].items() for form in (*forms.split(), one)
        }

        self._states = self._compiled(held["stated"])
        self._ended, self._begun, (self._denied,) = map(
            self._compiled, (held["ended"], held["begun"], [held["denied"]])
        )
        self._turned, self._regarded, self._thing, self._unreal, self._momentary = self._compiled(
            held[each] for each in ("turned", "regarded", "thing", "unreal", "momentary")
        )
        statuses = {
            "|".join(f"(?P<v{number}>{form})" for number, form in enumerate(table["statuses"].values()))
        }
        self._statuses = tuple(table["statuses"])
        (self._status,) = self._compiled([f"{held['status']}{form})" for form in statuses])
        self._dated, self._moved = self._compiled((table["dated"]["words"], table["dated"]["sure"]))
        self._kinds = [self._kind(kind, entry) for kind, entry in _TABLE["kinds"].items()]

    def _compiled(self, wordings: Iterable[str]) -> list[re.Pattern[str]]:
        """Return wordings of the table as patterns, with their named parts expanded."""
        return [re.compile(written_out(self._whole(wording)), re.IGNORECASE) for wording in wordings]

    def _whole(self, wording: str) -> str:
        return _PART.sub(
            lambda part: self._whole(self._parts[part[1]]) if part[1] in self._parts else part[0], wording
        )

    own = re.compile(r"\b(?:I|we|my|our|all|everything|us)\b", re.IGNORECASE)
    """What tells that a clause is about what is the user's."""
    must_be_own = True
    """Whether a clause about the user says so."""
    at = "at"
    """Wordings of the table that read a value by its place."""

    @abstractmethod
    def word(self, raw: str) -> str:
        """Return a word in the form in which words are compared."""

    @abstractmethod
    def names(self, raw: str) -> list[str]:
        """Return the words of a name that say something."""

    def _things(self, raw: str) -> list[str]:
        """Return the words of a name that somebody may have; none if it names no thing."""
        found = _WORD.findall(raw.casefold())
        if not found or found[-1] in self._no_things:
            return []
        what = _CALLED.split(raw)[0]
        return list(dict.fromkeys([*self.names(raw), *(self.names(what) if what != raw else ())]))

    @abstractmethod
    def person(self, clause: str, before: str) -> str | None:
        """Return whom a clause is about; None if that is somebody who is not named."""

    def _holder(self, found: re.Match[str], about: _Clause) -> str | None:
        """Return who has what a wording states; None if that is nobody who is known."""
        groups = found.groupdict()
        if groups.get("by"):
            is_self = groups["by"].casefold() in {"i", "we", "the user"}
            return SELF if is_self else about.person if about.person != SELF else None
        if groups.get("kin"):
            return KIN.get(groups["kin"].casefold(), about.person)
        named = (groups.get("named") or "").casefold()
        is_nobody = named in self._nobody or named.endswith("ing")
        return about.person if not named else None if is_nobody else thing_of(named)

    @abstractmethod
    def known(self, clause: str) -> Iterator[tuple[str, str]]:
        """Yield kind and value of the known names in a clause."""

    @abstractmethod
    def bounded(self, wording: str) -> str:
        """Return a wording that matches whole words."""

    @abstractmethod
    def changed(self, entry: Mapping[str, Any]) -> str:
        """Return the wording of a new thing of any kind."""

    def _kind(self, name: str, entry: Mapping[str, Any]) -> _Kind:
        wordings = [(form, value) for value, form in entry.get("forms", {}).items()]
        wordings += [(entry[self.at], "")] if self.at in entry else []
        changed = self.changed(entry)
        return _Kind(
            name,
            [(re.compile(self.bounded(wording), re.IGNORECASE), value) for wording, value in wordings],
            re.compile(changed, re.IGNORECASE) if changed else None,
        )

    def statements(self, text: str, *, part: int | None) -> Iterator[SlotStatement]:
        """Yield what a text says: ends of states, and states as parts of the number given; None for none."""
        person: str | None = SELF
        for number, (sentence, clause) in enumerate(self._pairs.clauses(text, "")):
            person = self.person(clause, person or SELF)
            if person is None or self._unreal.search(sentence):
                continue
            about = _Clause(clause, person)
            ends = list(self._ends(about))
            over = {word for each in ends for word in (each.ended or "").split() if not each.of}
            held = [] if over else list(self._held(about))
            # a known name is no state where nobody has what it names
            kinds = [
                each
                for each in self._of_kinds(about, over)
                if held or each.is_change or each.value not in KIND_OF
            ]
            found = [*held, *ends, *kinds, *self._of_things(about)]
            for each in found:
                if part is not None or each.value is None or each.is_change:
                    yield SlotStatement(
                        slot=each.slot,
                        subject=each.subject,
                        value=each.value,
                        words=clause,
                        is_change=each.is_change,
                        of=each.of,
                        ended=each.ended,
                        part=(part or 0) + number,
                    )

    def _named(
        self, about: _Clause, words: Sequence[str], *, is_end: bool, of: str = ""
    ) -> Iterator[SlotStatement]:
        person, first = about.person or SELF, about.text.split()[0].casefold()
        if is_end and first == f"{person}'s" and len(words) > 1:
            words = [each for each in words if each != self.word(person)]
        elif is_end and first.removesuffix("'s") == person and self.word(person) in words:
            person = SELF
        joined = " ".join(words)
        for word in [each for each in words if not _NUMBER.match(each)][:_MOST_NAMES]:
            yield SlotStatement(
                slot=HOLDING,
                subject=f"{person} {word}",
                value=None if is_end else joined,
                words=about.text,
                is_change=is_end,
                of=of,
                ended=joined if is_end else None,
            )

    def _held(self, about: _Clause) -> Iterator[SlotStatement]:
        denied = self._denied.search(about.text)
        if denied and not self._momentary.search(about.text):
            if holder := self._holder(denied, about):
                words = self._things(denied["name"])
                yield from self._named(about._replace(person=holder), words, is_end=False, of=_DENIED)
            return
        if self._pairs.is_void(about.text, HOLDING):
            return
        held: dict[str, list[str]] = {}
        for pattern in self._states:
            found = pattern.search(about.text)
            if found and (holder := self._holder(found, about)):
                groups = found.groupdict()
                held.setdefault(holder, []).extend(
                    self._things(groups.get("name") or groups.get("activity") or "")
                )
        for holder, words in held.items():
            yield from self._named(about._replace(person=holder), list(dict.fromkeys(words)), is_end=False)

    def _ends(self, about: _Clause) -> Iterator[SlotStatement]:
        if self._momentary.search(about.text):
            return
        for patterns, of in ((self._ended, ""), (self._begun, _DENIED)):
            for pattern in patterns:
                for found in pattern.finditer(about.text):
                    rest = f"{about.text[: found.start()]} {about.text[found.end() :]}"
                    words = self.names(found["name"] or "")
                    if words and not self._pairs.is_void(rest, HOLDING):
                        yield from self._named(about, words, is_end=True, of=of)

    def _of_kinds(self, about: _Clause, over: AbstractSet[str]) -> Iterator[SlotStatement]:
        if self._pairs.is_void(_TARIFF.sub("", about.text), HOLDING):
            return
        by_kind = self._values_by_kind(about.text)
        for each in self._kinds:
            if not by_kind.get(each.name) and each.changed and each.changed.search(about.text):
                yield SlotStatement(each.name, about.person or SELF, None, about.text, is_change=True)
        if not any(by_kind.values()):
            return
        is_turned = self._turned.search(about.text) is not None and not self._regarded.search(about.text)
        head = self._thing.search(about.text)
        is_own = head is not None or self.own.search(about.text) is not None
        for kind, values in by_kind.items():
            if not is_own and about.person == SELF and (kind in _OF_THINGS or self.must_be_own):
                continue
            left = [value for value in values if over.isdisjoint(self.names(value))]
            if left:
                yield SlotStatement(
                    kind,
                    about.person or SELF,
                    left[-1],
                    about.text,
                    is_change=is_turned,
                    of=head["thing"].casefold() if head and kind in _OF_THINGS else "",
                )

    def _values_by_kind(self, clause: str) -> Mapping[str, Sequence[str]]:
        """Return the values that a clause names of each kind, as they come."""
        by_kind: dict[str, list[str]] = {}
        for kind, value in self.known(clause):
            if kind not in _OF_THINGS or not re.search(rf"{re.escape(value)} ?v?\d", clause, re.IGNORECASE):
                by_kind.setdefault(kind, []).append(value)
        for each in self._kinds:
            for pattern, value in each.values:
                found = [value or match["value"].casefold() for match in pattern.finditer(clause)]
                by_kind.setdefault(each.name, []).extend(found)
        return by_kind

    def _of_things(self, about: _Clause) -> Iterator[SlotStatement]:
        found = self._status.search(about.text)
        if found and not self._pairs.is_void(f"{about.text[found.end() :]}", HOLDING):
            number = next(
                int(name[1:])
                for name, each in found.groupdict().items()
                if name[0] == "v" and name[1:].isdigit() and each
            )
            yield SlotStatement(
                "status", thing_of(found["thing"]), self._statuses[number], about.text, is_change=True
            )
        dated = self._dated.search(about.text)
        if dated:
            yield SlotStatement(
                "date",
                thing_of(dated["thing"]),
                dated["value"].casefold(),
                about.text,
                is_change=self._moved.search(dated[0]) is not None,
            )


def holding_ends(newer: SlotStatement, older: SlotStatement) -> bool:
    """Return whether a newer statement of the same name, kind or thing ends an older state."""
    if newer.slot == HOLDING:
        if (newer.of == older.of) != (newer.value is None):
            return False
        stated, held = set((newer.value or newer.ended or "").split()), set((older.value or "").split())
        return held <= stated if older.of == _DENIED else stated <= held
    if newer.of and older.of and newer.of != older.of:
        return False
    return newer.is_change and newer.value != older.value


class EnglishHoldings(HoldingReader):
    """The wordings of English."""

    def __init__(self) -> None:
        table = _TABLE["english"]
        self._empty = frozenset(str(table["empty"]).split())
        self._generic = frozenset(map(stem, str(table["generic"]).split()))
        super().__init__("english", ENGLISH_PAIRS)

    @override
    def word(self, raw: str) -> str:
        return stem(raw.casefold())

    @override
    def names(self, raw: str) -> list[str]:
        found = [each.casefold().removesuffix("'s") for each in _WORD.findall(raw)]
        words = [self.word(each) for each in found if each not in self._empty]
        words = [self._same.get(each, each) for each in words]
        specific = [each for each in words if each not in self._generic]
        version = _VERSION.search(raw)
        numbers = [version[1]] if version else []
        return [*dict.fromkeys(each for each in specific or words if not each.isdigit()), *numbers]

    @override
    def person(self, clause: str, before: str) -> str | None:
        found = _ENGLISH_PERSON.search(clause)
        if found and found["kin"] and found["kin"].casefold() in KIN:
            kin = KIN[found["kin"].casefold()]
            return SELF if re.search(r"\b(?:me|us)\b", clause[found.end() :]) else kin
        if self._pairs.other.search(clause) and not _SELF_WORDS.search(clause):
            return None
        if _PRONOUN.search(clause) and not re.search(r"\b(?:me|us)\b", clause):
            return before if before != SELF else None
        if found and found["name"] and not (_SELF_WORDS.search(clause) or begins_with_verb(clause)):
            return thing_of(found["name"])
        return SELF

    @override
    def known(self, clause: str) -> Iterator[tuple[str, str]]:
        found = list(_WORD.finditer(clause))
        for place, first in enumerate(found):
            for last in found[place : place + _MOST_WORDS_OF_A_NAME]:
                raw = clause[first.start() : last.end()]
                name = raw.casefold().removesuffix("'s")
                if name in KIND_OF and not (name in _ALSO_WORDS and (not place or raw[0].islower())):
                    yield KIND_OF[name], name

    @override
    def bounded(self, wording: str) -> str:
        return rf"(?<![\w-])(?:{wording})(?!\w)"

    @override
    def changed(self, entry: Mapping[str, Any]) -> str:
        nouns = "|".join(each.replace("-", "[ -]") for each in entry.get("nouns", "").split())
        if not nouns:
            return ""
        return (
            rf"\b(?:changed|switched|swapped)(?: my| our)? (?:{nouns})s?\b"
            rf"|\b(?:my|our) (?:brand )?new (?:{nouns})(?=$| (?:is|has|was|in|at|feels|turned))"
        )


class ChineseHoldings(HoldingReader):
    """The wordings of Chinese."""

    at, must_be_own = "zh_at", False
    own = re.compile("我|用户|咱|全|都")

    def __init__(self) -> None:
        table = _TABLE["chinese"]
        self._lead, self._tail = re.compile(table["lead"]), re.compile(table["tail"])
        super().__init__("chinese", CHINESE_PAIRS)

    @override
    def word(self, raw: str) -> str:
        return raw.casefold()

    @override
    def names(self, raw: str) -> list[str]:
        latin = [word for each in _LATIN_VERSION.findall(raw) for word in each.casefold().split()]
        bare = self._tail.sub("", self._lead.sub("", LEAD.sub("", _LATIN.sub(" ", raw)).strip()).strip())
        han = _HAN.findall(bare) if bare else ([raw] if not latin and _HAN.fullmatch(raw) else [])
        words = [self._same.get(each, each) for each in (*latin, *han)]
        return list(dict.fromkeys(each for each in words if each not in {"的", "了", "是"}))

    @override
    def person(self, clause: str, before: str) -> str | None:
        bare = _AFTER.sub("", LEAD.sub("", clause))
        person = person_at_start(bare)
        if _AMONG_OTHERS.search(bare):
            return None
        if _TO_ME.search(clause) or (bare.startswith(("我们", "我", "用户", "咱")) and not person):
            return SELF
        if person:
            return ONE_FORM.get(person, person)
        return None if self._pairs.other.match(bare) else before

    @override
    def known(self, clause: str) -> Iterator[tuple[str, str]]:
        yield from ENGLISH_HOLDINGS.known(_HAN.sub(r" \g<0> ", clause))
        for start in range(len(clause)):
            for end in range(start + 2, min(len(clause), start + _MOST_CHARS_OF_A_NAME) + 1):
                if clause[start:end] in KIND_OF and not clause[start].isascii():
                    yield KIND_OF[clause[start:end]], clause[start:end]

    @override
    def bounded(self, wording: str) -> str:
        return wording

    @override
    def changed(self, entry: Mapping[str, Any]) -> str:
        nouns = entry.get("zh", "")
        return rf"换了?(?:一?[家个部台辆])?(?:新的?)?(?:{nouns})(?:了|$)|我的?新(?:{nouns})" if nouns else ""


ENGLISH_HOLDINGS, CHINESE_HOLDINGS = EnglishHoldings(), ChineseHoldings()
