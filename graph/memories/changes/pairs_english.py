"""Reads English pairs of an older state and a newer text; see :mod:`graph.memories.changes.pairs`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from typing_extensions import override

from graph.core.text.language import is_question, sentences
from graph.memories.changes.english import TABLE, TO_PLAIN, cue, written_out
from graph.memories.changes.pairs import PairReader
from graph.memories.changes.slots import SELF, SlotStatement, known_place, may_be_one_home
from graph.memories.changes.subjects import KIN, begins_with_verb, thing_of

_OF_PEOPLE = frozenset(("home", "employer", "role", "manager", "spouse", "project", "phone", "e-mail"))
_SPLIT = re.compile(
    r"[,;:!()\u2013\u2014](?!\d)|\.(?=\s|$)|\s(?:but|so|because|while|then|although|though|yet|-|and(?= "
    r"(?:I|we|he|she|they|now|the|my|our|a|an|have|has|is|are|am|live|went|got)\b))(?=\s)",
    re.IGNORECASE,
)
_JOIN = r"\W{0,9}(?:and |but |so |because |now )?"
_FIRST = re.compile(r"\b(?:I|[Ww]e|me|us|[Mm]ine|[Oo]urs|[Mm]y|[Oo]ur|myself|ourselves|[Tt]he user)\b")
_IS_FIRST = re.compile(r"\b(?:I|[Ww]e|[Tt]he user)\b")
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them|his|their|hers)\b", re.IGNORECASE)
_NOUN_PHRASE = re.compile(
    rf"{_JOIN}(?:the(?! user\b)|an?|this|that(?! (?:I|we)\b)|these|those|some|each|every|my|our|your|no|his|her|their) "
    r"(?!(?:whole |entire )?(?:family|household)\b|moment|end|way|same time|whole time"
    r"|(?:weeks?|months?|years?|day)\b)",
    re.IGNORECASE,
)
_NAMED = re.compile(rf"{_JOIN}{written_out('<CAP>(?: <CAP>)*')}(?:'s)? [a-z]")
_NAME = re.compile(written_out("<CAP>(?: <CAP>)*"))
_GOVERNED = re.compile(
    r"\b(?:at|for|in|from|to|into|with|near|outside|by|of|says|joined) (?:the )?$", re.IGNORECASE
)
_NOUNS = re.compile(
    r"(?:^|[,;:.!] ?|\b(?:the|our|my|its|this|that|on|to|of|for|in|from|under|so|and|but|bumped|upgraded|moved|gave|put"
    r"|told|switched|bought|sold|took over) )(?=(?P<nouns>(?!(?:the|our|my|a|an|i|we|it|he|she|they|so|and|but|now|then"
    r"|you|because)\b)[\w.-]+(?: (?!(?:is|are|was|has|to|in|on|at)\b)[\w.-]+){0,2}))",
    re.IGNORECASE,
)
_LONGER = re.compile(written_out("<LONGER>"))
_PRODUCT = re.compile(written_out("<PRODUCT>"), re.IGNORECASE)
_OF_OTHERS = re.compile(
    r"(?:'s|\b(?:his|her|their|your|second|other|another|test|mock|staging))(?: [\w-]+)?\s$", re.IGNORECASE
)
_AT_START = re.compile(
    rf"{_JOIN}(?:(?:my|our|the|his|her) )?(?:[a-z-]+ )?|.*(?<!there)(?<!it)'s ", re.IGNORECASE
)
_NEARS_START = 12
_DIGITS = 4
_FEWEST = 4
_FICTION, _UNREAL, _NOT_UNREAL = cue("fiction"), cue("unreal"), cue("not_unreal")
_PLAN, _NOT_PLAN, _UNMADE, _NOT_UNMADE = cue("plan"), cue("not_plan"), cue("unmade"), cue("not_unmade")
_PAST, _NOT_PAST, _STAY, _SECOND = cue("past"), cue("not_past"), cue("stay"), cue("second")
_UNDONE, _ONE_MORE, _REGARDED, _MEASURED = cue("undone"), cue("one_more"), cue("regarded"), cue("measured")
_ITS_TYPE = {
    "home": r"(?: (?:house|flat|apartment|place|home|condo)\b)?",
    "employer": r"(?: (?:job|gig|office|position)\b)?",
}
_BACK_TO = re.compile(r"(?<!bye )(?<!well )\b(?:to|back in|into|for)\s$", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:boss|manager|supervisor|colleague|co-?worker|lead)(?:'s name)?(?:'s| is)? (?:called |named )?(?:now )?$",
    re.IGNORECASE,
)
_PLACED = re.compile(r"\b(?:in|to|into|near|outside|at|is|hello)\s(?:the )?$", re.IGNORECASE)


class EnglishPairs(PairReader):
    """The cues of English."""

    def __init__(self) -> None:
        super().__init__(TABLE, lambda wording: re.compile(written_out(wording), re.IGNORECASE))
        self._of_own = re.compile(TABLE["pairs"]["own"], re.IGNORECASE)
        self._owned = {
            slot: re.compile(rf"{_JOIN}(?:my|our) (?:[\w'-]+ ){{0,3}}?(?:{about.pattern})", re.IGNORECASE)
            for slot, about in self.about.items()
        }

    @override
    def clauses(self, text: str, slot: str) -> Iterator[tuple[str, str]]:
        plain = text.translate(TO_PLAIN)
        for sentence in () if _FICTION.search(plain) else sentences(plain):
            if is_question(sentence) or _UNREAL.search(_NOT_UNREAL.sub(" ", sentence)):
                continue
            if slot == "spouse":
                yield sentence, sentence
                continue
            start = 0
            for found in [*_SPLIT.finditer(sentence), None]:
                end = found.start() if found else len(sentence)
                if clause := sentence[start:end].strip(" ,."):
                    yield sentence, clause
                start = end if found is None or found[0].strip().isalpha() else found.end()

    @override
    def subjects(self, text: str) -> tuple[Sequence[str], Sequence[str]]:
        plain = text.translate(TO_PLAIN)
        people = [SELF] if _FIRST.search(plain) or not _starts_with_name(plain) else []
        people += [KIN[word] for word in re.findall(r"[a-z\u00e9]+", plain.casefold()) if word in KIN]
        people += ["team"] if re.search(r"\bteam\b", plain) else []
        for found in _NAME.finditer(plain):
            if not ((found.start() and known_place(found[0])) or _GOVERNED.search(plain, 0, found.start())):
                people += [thing_of(found[0]), *map(thing_of, found[0].split()[:1])]
        things = [
            thing_of(" ".join(words[:length]))
            for found in _NOUNS.finditer(plain)
            for words in [found["nouns"].split()]
            for length in range(1, len(words) + 1)
        ]
        return tuple(dict.fromkeys(people)), tuple(dict.fromkeys(filter(None, things)))

    @override
    def about_thing(self, stated: Sequence[tuple[str, str]], state: SlotStatement) -> Iterator[str]:
        about = {sentence for sentence, clause in stated if self._is_thing(sentence, clause, state)}
        for sentence, clause in stated:
            starts = _NOUN_PHRASE.match(clause) or _starts_with_name(clause)
            is_of_other = starts and state.slot != "owner" and not _mention(state.subject, clause)
            if sentence in about and not is_of_other:
                yield clause

    def _is_thing(self, sentence: str, clause: str, state: SlotStatement) -> bool:
        """Tell whether a clause is about the thing itself, not about a part of it or a similar thing."""
        found = _mention(state.subject, clause)
        if (
            found is None
            or not _LONGER.match(clause, found.end())
            or _OF_OTHERS.search(clause[: found.start()])
        ):
            return False
        is_product = state.slot == "version" and _PRODUCT.fullmatch(found[0]) is not None
        return not is_product or _IS_FIRST.search(sentence) is not None or found.start() < _NEARS_START

    @override
    def is_about(self, clause: str, state: SlotStatement, text: str) -> bool | None:
        owned = list(self._of_own.finditer(clause))
        others = [
            each
            for each in self.other.finditer(clause)
            if not (state.slot == "spouse" and each[0].casefold() in {"someone", "somebody"})
            and not (state.subject == SELF and any(own.start() < each.start() < own.end() for own in owned))
            and (state.slot != "spouse" or _AT_START.fullmatch(clause, 0, each.start()))
            and not self.beside.search(clause[: each.start()])
            and not (state.subject != SELF and _mention(state.subject, each[0]))
        ]
        if others:
            return False
        if state.subject == SELF:
            return self._is_about_user(clause, state, text)
        if _mention(state.subject, clause, self.other.pattern):
            return True
        starts = _IS_FIRST.search(clause) or _starts_with_name(clause) or _NOUN_PHRASE.match(clause)
        return False if starts else None

    def _is_about_user(self, clause: str, state: SlotStatement, text: str) -> bool | None:
        first = _FIRST.search(clause) is not None
        is_named = self.named(state, clause) is not None
        is_theirs = is_named and (state.slot == "project" or _FIRST.search(text) is not None)
        if _NOUN_PHRASE.match(clause):
            owned = self._owned.get(state.slot)
            return is_theirs or (owned is not None and owned.match(clause) is not None)
        if _IS_FIRST.search(clause) or begins_with_verb(clause):
            return True
        if _starts_with_name(clause):
            return first or is_theirs
        return False if _PRONOUN.search(clause) and not first else None

    @override
    def is_void(self, clause: str, slot: str) -> bool:
        if _PLAN.search(_NOT_PLAN.sub(" ", clause)) or _PAST.search(_NOT_PAST.sub(" ", clause)):
            return True
        if _UNMADE.search(_NOT_UNMADE.sub(" ", clause)) or _UNDONE.search(clause) or _ONE_MORE.search(clause):
            return True
        if slot in {"version", "port"} and (_REGARDED.search(clause) or _MEASURED.search(clause)):
            return True
        return slot in _OF_PEOPLE and (_STAY.search(clause) or _SECOND.search(clause)) is not None

    @override
    def named(self, state: SlotStatement, clause: str) -> re.Match[str] | None:
        value = state.value or ""
        if state.slot == "phone":
            return re.search(r"\D*".join(value[-_DIGITS:]), clause)
        words = [word for word in value.split() if len(word) >= _FEWEST] or value.split()
        domain = value.partition("@")[2].partition(".")[0]
        names = {"e-mail": [value, domain], "role": words[-1:], "project": [value, *words[-1:], *words[:1]]}
        for name in names.get(state.slot, [value]):
            found = re.search(
                rf"(?<![\w@]){re.escape(name)}(?![\w@]){_ITS_TYPE.get(state.slot, '')}", clause, re.IGNORECASE
            )
            if found and _LONGER.match(clause, found.end()) and not _BACK_TO.search(clause[: found.start()]):
                return found
        return None

    @override
    def is_other(self, found: re.Match[str], value: str, state: SlotStatement) -> bool:
        former = state.value or ""
        if state.slot == "home":
            is_place = known_place(found["value"]) or _PLACED.search(found.string, 0, found.start("value"))
            return bool(is_place) and not may_be_one_home(replace(state, is_change=True), value, former)
        if state.slot == "employer":
            is_person = _CALLED.search(found.string, 0, found.start("value"))
            return not (is_person or known_place(found["value"])) and set(value.split()).isdisjoint(
                former.split()
            )
        if state.slot == "version" and state.of and found["of"]:
            of = found["of"].casefold()
            return state.of in {of, TABLE["kinds"].get(of)}
        return True


def _starts_with_name(clause: str) -> bool:
    return _NAMED.match(clause) is not None and not begins_with_verb(clause)


def _mention(subject: str, clause: str, not_of: str = "$^") -> re.Match[str] | None:
    """Return where a clause names a subject itself, not a possession or part of it ("Ana's car")."""
    forms = [subject, *(form for form, kin in KIN.items() if kin == subject)]
    words = ("[ _-](?:\\w+ )?".join(map(re.escape, form.split())) for form in forms)
    return re.search(
        rf"(?<![\w-])(?:{'|'.join(words)})(?![\w-])(?!'s (?:[\w-]+ )?(?:{not_of}))", clause, re.IGNORECASE
    )


ENGLISH_PAIRS = EnglishPairs()
