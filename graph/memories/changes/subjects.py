"""Finds the subject of an English sentence in canonical form: the user, a person, or a thing."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from graph.core.tables import read_table
from graph.memories.changes.slots import SELF, known_place

_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "english.toml")["subjects"]
TOKEN = re.compile(r"[,;:!?()\u2013\u2014\"]|[^\s,;:!?()\u2013\u2014\"]+")
JOINS = frozenset('and or then but , & - ; : ( ) so because \u2014 \u2013 ! ? "'.split())
_SELVES = frozenset("i we me us myself".split())
_POSSESSIVES = ("my", "our", "his", "her", "their", "'s", "s'")
_PERSONS = frozenset("he she they".split())
_PRONOUNS = _PERSONS | _SELVES
_THINGS = frozenset("it that this".split())
_OF_ANOTHER_TIME = frozenset("first old ex- next future".split())
_OF_ANOTHER_PLACE = frozenset("work office business company billing shipping mailing delivery".split())
_BEFORE_A_NOUN = _OF_ANOTHER_TIME | frozenset(
    "new current own main latest only day present private so and".split()
)
_CONTRACTED = re.compile(r"'(?:m|ve|re|s|d)$")
_MAKE = re.compile(r"an? (?:[a-z][\w-]* )*([A-Z][\w-]*)(?: [\w-]+)*$")
_AFTER_OWNER = re.compile(r"'s ([a-z]+)")
_MOST_WORDS = 5
_MOST_THINGS = 4
_IDENTIFIER = re.compile(r"[\w.-]*[-_.\d][\w.-]*")


def _words(name: str) -> frozenset[str]:
    return frozenset(str(_TABLE[name]).split())


_ADVERBS, _NEGATIONS, _MODALS, _HAPPENED = map(_words, ("adverbs", "negations", "modals", "happened"))
_PREPOSITIONS, _TIMES, _TITLES = map(_words, ("prepositions", "times", "titles"))
_BEGAN, _BEGINS, _GENERIC, _TEAMS = map(_words, ("began", "begins", "generic", "people"))
DETERMINERS = _words("determiners")
SEVERAL = _words("several")
"""Relatives of whom a person may have several, so that two statements may concern different people."""
_NO_NOUNS = _PREPOSITIONS | _TIMES | _ADVERBS
_UNTOLD = DETERMINERS | {"on", "in", "of"}
KIN = {form: kin for kin, forms in _TABLE["kin"].items() for form in (kin, *forms.split())}


class Subjects:
    """Finds the subjects in the sentences of one text; remembers them for pronouns of later sentences."""

    def __init__(self) -> None:
        self._person: tuple[str, ...] = ()
        self._thing: str | None = None

    @property
    def person(self) -> tuple[str, ...]:
        """Person that earlier sentences are about, in canonical form; empty if none."""
        return self._person

    def remember(self, sentence: str) -> None:
        """Remember the subject of a sentence for pronouns of later sentences."""
        subjects = self.first(sentence, len(sentence))
        if subjects and subjects != (SELF,):
            self._person = subjects
            self._thing = subjects[0]

    def possessor(self, sentence: str, place: int, *, skips_a_word: bool = False) -> tuple[str, ...]:
        """Return the owner of the noun at an index ("Ana's place is in Oslo").

        Args:
            sentence: The sentence.
            place: Index at which the noun begins.
            skips_a_word: Allow a word between owner and noun ("my registered address").
        """
        tokens = TOKEN.findall(sentence[:place])
        while tokens and tokens[-1].casefold() in _BEFORE_A_NOUN | _ADVERBS:
            if tokens.pop().casefold() in _OF_ANOTHER_TIME:
                return ()
        skips = skips_a_word and len(tokens) > 1 and tokens[-2].casefold().endswith(_POSSESSIVES)
        if not tokens or (skips and tokens[-1].casefold() in _OF_ANOTHER_PLACE):
            return ()
        if skips and not tokens[-1].casefold().endswith(("'s", "s'")):
            tokens.pop()
        last = tokens[-1]
        low = last.casefold()
        if low in {"my", "our", "user's"}:
            return (SELF,)
        if low in {"his", "her", "their"}:
            earlier = self.first(sentence, place)
            return earlier if earlier and earlier != (SELF,) else self._person
        if low.endswith(("'s", "s'")):
            return _owner([*tokens[:-1], last.removesuffix("'s").removesuffix("'")])
        return (SELF,) if last in {",", ":", "-"} else ()

    def before(self, sentence: str, place: int, *, is_of_people: bool) -> tuple[str, ...]:
        """Return the subject before a verb in canonical form; empty if it is unclear."""
        if _is_possessive(sentence[place:]):
            return ()
        tokens = TOKEN.findall(sentence[:place])
        while tokens:
            bare = _CONTRACTED.sub("", tokens[-1])
            low = bare.casefold()
            if low in _NEGATIONS or low.endswith("n't") or low in _MODALS or tokens[-1].endswith("'ll"):
                return ()
            if low == "to":
                if _HAPPENED.isdisjoint(token.casefold() for token in tokens[-2:-1]):
                    return ()
                del tokens[-2:]
            elif low in _ADVERBS:
                tokens.pop()
            else:
                break
        if not tokens or tokens[-1] in JOINS or tokens[-1].casefold() in JOINS:
            return self.first(sentence, place) or (SELF,) if tokens else (SELF,)
        return self._noun_phrase(tokens, sentence, place, is_of_people=is_of_people)

    def of_sentence(self, sentence: str, place: int) -> tuple[str, ...]:
        """Return the owner of the noun at an index, or else the subject of the sentence."""
        tokens = TOKEN.findall(sentence[:place])
        found = self.possessor(sentence, place) if tokens and tokens[-1] not in JOINS else ()
        return found or self.first(sentence, place) or (() if tokens else (SELF,))

    def things(self, raw: str, sentence: str, place: int) -> tuple[str, ...]:
        """Return the canonical forms of a thing that a wording names; "it" refers to the words before."""
        if raw.casefold() in _THINGS:
            earlier = self.first(sentence, place)
            return earlier if earlier and earlier != (SELF,) else (self._thing,) if self._thing else ()
        return names_of_thing(raw)

    def named(self, raw: str) -> tuple[str, ...]:
        """Return the person that a wording names, in canonical form."""
        low = raw.casefold().removesuffix("'s")
        if low in {"i", "me", "us", "my", "our", "mine", "the user"}:
            return (SELF,)
        if low in {"him", "her", "them", "his", "their", "he", "she", "they"}:
            return self._person
        words = [word for word in re.findall(r"[\w-]+", low) if word not in DETERMINERS | _TITLES]
        return (_kin(" ".join(words)),) if words else ()

    def first(self, sentence: str, end: int) -> tuple[str, ...]:
        """Return the subject of a sentence: the first noun phrase without a preposition."""
        tokens = TOKEN.findall(sentence[:end])
        if tokens and (tokens[0].casefold() in _BEGINS or begins_with_verb(tokens[0])):
            return (SELF,)
        for number, token in enumerate(tokens):
            low = _CONTRACTED.sub("", token).casefold()
            before = tokens[number - 1].casefold() if number else ""
            if low in {"i", "we"} or (low == "user" and _is_user(tokens, number)):
                return (SELF,)
            if low in _PERSONS and self._person:
                return self._person
            if before not in _PREPOSITIONS and low not in _NO_NOUNS:
                found = _phrase_at(tokens, number)
                if found:
                    return found
        return ()

    def user_before(self, sentence: str, place: int) -> tuple[str, ...]:
        """Return the user if the sentence is about the user up to an index; else nothing."""
        return tuple(each for each in self.first(sentence, place) if each == SELF)

    def near(self, sentence: str, end: int) -> tuple[str, ...]:
        """Return all things named before an index, if the subject among them is unclear."""
        tokens = TOKEN.findall(sentence[:end])
        found = list(self.first(sentence, end))
        if tokens and tokens[0].casefold() in _THINGS and self._thing:
            found.append(self._thing)
        for number, token in enumerate(tokens):
            if token.casefold() in DETERMINERS:
                run = list(takewhile(_may_be_noun, tokens[number + 1 : number + 1 + _MOST_WORDS]))
                is_of_other = any(word.endswith("'s") for word in run)
                found += [thing_of(" ".join(run)), *(thing_of(word) for word in run[-1:] if not is_of_other)]
        owners = {thing_of(token) for token in tokens if token.endswith("'s")}
        forms = (form for form in found if form and form != SELF and form not in owners)
        return tuple(dict.fromkeys(forms))[:_MOST_THINGS]

    def antecedent(self, sentence: str, place: int) -> tuple[str, ...]:
        """Return the antecedent of a pronoun at an index: the last person named before it."""
        found = self._person
        tokens = TOKEN.findall(sentence[:place])
        for number, token in enumerate(tokens):
            is_name = token[0].isupper() and not (
                found and _CONTRACTED.sub("", token).casefold() in _PRONOUNS
            )
            names = _name_before(tokens[: number + 1]) if is_name else ()
            is_governed = number and tokens[number - 1].casefold() in _PREPOSITIONS
            if names and not (is_governed and known_place(token)):
                found = names
            elif (
                _kin(token.casefold()) in KIN.values()
                and number
                and tokens[number - 1].casefold() in {"my", "our"}
            ):
                found = (_kin(token.casefold()),)
        return found

    def _noun_phrase(
        self, tokens: Sequence[str], sentence: str, place: int, *, is_of_people: bool
    ) -> tuple[str, ...]:
        last = _CONTRACTED.sub("", tokens[-1])
        low = last.casefold()
        if low in _SELVES or (low == "user" and _is_user(tokens, len(tokens) - 1)):
            return (SELF,)
        if low in _PERSONS:
            return self.antecedent(sentence, place)
        if low in _THINGS:
            return (self._thing,) if self._thing else ()
        names = _name_before([*tokens[:-1], last])
        if names:
            return names
        described = _described([*tokens[:-1], last], must_be_determined=is_of_people)
        return () if is_of_people and described and described[0].startswith("user ") else described


def begins_with_verb(sentence: str) -> bool:
    """Return whether a sentence omits its subject, the user ("Sold the car")."""
    found = TOKEN.match(sentence)
    word = found[0].casefold() if found else ""
    return word in _BEGAN or word.endswith(("ed", "n't"))


def _is_user(tokens: Sequence[str], number: int) -> bool:
    """Tell whether "user" at an index is the user: "The user's brother" and "a user" are not."""
    if number and tokens[number - 1].casefold() != "the":
        return False
    rest = [tokens[number].casefold().removeprefix("user"), *tokens[number + 1 : number + 2]]
    return not _is_possessive(" ".join(rest))


def _is_possessive(text: str) -> bool:
    """Tell whether a text begins with "'s" of an owner ("'s brother") and not with a verb ("'s now living")."""
    found = _AFTER_OWNER.match(text)
    return found is not None and _may_be_noun(found[1]) and not found[1].endswith(("ing", "ed", "ly"))


def _may_be_noun(token: str) -> bool:
    low = token.casefold()
    return not (low in _NO_NOUNS or token in JOINS or low in JOINS or low in DETERMINERS or low in _MODALS)


def names_of_thing(raw: str) -> tuple[str, ...]:
    """Return the canonical forms of a thing: all its words, its name, and its make ("a red Vespa 50")."""
    words = raw.split()
    name = words[-1] if words and words[-1][0].isupper() and not words[0][0].isupper() else ""
    make = _MAKE.match(raw)
    forms = (thing_of(raw), thing_of(name), thing_of(make[1]) if make else "")
    return tuple(dict.fromkeys(form for form in forms if form))


def thing_of(raw: str) -> str:
    """Return the canonical form of a thing, without articles and without a word for its type."""
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


def _kin(word: str) -> str:
    return str(KIN.get(word, word))


def _name_before(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the name at the end of tokens, and the relative before it; empty if no name is at the end."""
    run: list[str] = []
    rest = list(tokens)
    while rest and rest[-1][0].isupper() and len(run) < _MOST_WORDS:
        if rest[-1].casefold() in _TIMES | _PREPOSITIONS | DETERMINERS | _ADVERBS:
            break
        run.insert(0, rest.pop().casefold().strip(".'"))
    run = [word for word in run if word not in _TITLES]
    if not run:
        return ()
    if rest and rest[-1].casefold().endswith(("'s", "s'")):
        return ()
    if len(rest) > 1 and rest[-1].casefold() == "and" and rest[-2][0].isupper():
        return tuple(dict.fromkeys((*_name_before(rest[:-1]), thing_of(_kin(" ".join(run))))))
    name = _kin(run[0]) if len(run) == 1 else " ".join(run)
    relation = rest[-1].casefold() if rest else ""
    if relation in KIN or relation in _TEAMS:
        return (thing_of(name), _kin(relation)) if relation in KIN else (thing_of(name),)
    return (thing_of(name),)


def _owner(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the name or the user's relative at the end of tokens: "Ana", "my sister"."""
    kin = _kin(tokens[-1].casefold())
    if len(tokens) > 1 and tokens[-2].casefold() in {"my", "our", "user's"} and kin in KIN.values():
        return (kin,)
    return _name_before(tokens)


def _described(tokens: Sequence[str], *, must_be_determined: bool) -> tuple[str, ...]:
    """Return the canonical forms of a noun phrase at the end of tokens: "the dev server", "billing-db"."""
    run: list[str] = []
    place: tuple[str, ...] = ()
    owner = ""
    is_determined = False
    rest = list(tokens)
    while rest and len(run) < _MOST_WORDS:
        low = rest[-1].casefold()
        if low in DETERMINERS:
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
        if (
            low in _PREPOSITIONS
            or low in JOINS
            or rest[-1] in JOINS
            or low in _TIMES
            or not re.search(r"\w", low)
        ):
            break
        run.insert(0, low)
        rest.pop()
    if rest and rest[-1].casefold() in {"of", "with", "from", "by", "for"}:
        return ()
    if len(rest) > 1 and rest[-1].casefold() in {"on", "in"} and not must_be_determined:
        place = (thing_of(" ".join(run)),)
        run.insert(0, rest[-2].casefold())
        is_determined = True
    if not run or (must_be_determined and not is_determined and _kin(run[-1]) not in KIN.values()):
        return ()
    if not is_determined and len(run) > 1 and rest:
        run = run[-1:]
    name = _kin(run[0]) if len(run) == 1 else " ".join(run)
    return tuple(dict.fromkeys((thing_of(f"{owner} {name}" if owner else name), *place)))


def _phrase_after(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the canonical forms of a noun phrase with a determiner at the beginning of tokens."""
    nouns = [token for token in tokens[1:4] if re.match(r"\w", token)]
    if not nouns:
        return ()
    if nouns[0].casefold() == "user":
        return (SELF,)
    if nouns[0].casefold() == "user's":
        return _phrase_after(["my", *tokens[2:]])
    low = nouns[0].casefold()
    if low in KIN and tokens[0].casefold() in {"my", "our"}:
        name = nouns[1] if len(nouns) > 1 and nouns[1][0].isupper() else ""
        return (*((_kin(name.casefold()),) if name else ()), _kin(low))
    return (thing_of(_kin(low)),)


def _phrase_at(tokens: Sequence[str], number: int) -> tuple[str, ...]:
    """Return the canonical forms of a noun phrase that begins at a token; empty if none begins there."""
    token = tokens[number]
    bare = _CONTRACTED.sub("", token)
    low = bare.casefold()
    if low in DETERMINERS:
        return _phrase_after(tokens[number:])
    if (
        bare[:1].isupper()
        and (not number or tokens[number - 1].casefold() not in DETERMINERS)
        and not token.endswith("'s")
    ):
        run = [bare]
        for following in tokens[number + 1 :]:
            if not following[0].isupper():
                break
            run.append(_CONTRACTED.sub("", following))
        return _name_before(run)
    return (thing_of(low),) if number == 0 and _IDENTIFIER.fullmatch(low) else ()
