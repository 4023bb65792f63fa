"""Determines the words that a fact must have to answer a question, and compares facts with them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from graph.core.text.language import (
    QUESTION_WORDS,
    STOP_WORDS,
    contains_cjk,
    content_words,
    stem,
    words,
)
from graph.core.text.normal_forms import simplified
from graph.memories.deduplication.statements import MONTHS
from graph.retrieval.answering.answer_types import (
    AnswerType,
    ObjectClass,
    answer_type,
    apposed,
    is_of_another_type,
    object_class,
    same_phrases,
    without_types,
)
from graph.retrieval.answering.expecting import (
    KIN,
    Expected,
    asks_whether,
    asks_which,
    chinese_parts,
    expected,
    holds,
    main_verb,
)
from graph.retrieval.answering.same_words import (
    are_opposite,
    deeds_of,
    is_verb,
    joined_words,
    key_of,
    keys_of,
    same,
    with_relatives_joined,
)
from graph.retrieval.recall.parsed_query import ParsedQuery

# Words that only phrase a question; an answer need not repeat them.
_LIGHT = frozenset(
    stem(word)
    for word in (
        "user go going do done doing happen happened take takes place many much often long far kind type sort some "
        "any one thing something someone somebody anybody anyone there time times ever currently recently now new "
        "more most tell me give describe list according also both upon over onto against among between through "
        "after before during while than within since person people today every each per us being occur occurs "
        "occurred exactly actually usually normally very"
    ).split()
)
_LIGHT_OF: Mapping[Expected, frozenset[str]] = {
    kind: frozenset(map(stem, text.split()))
    for kind, text in {
        Expected.PHONE: "phone telephone mobile cell number",
        Expected.MAIL: "mail email e address",
        Expected.AGE: "old age aged year month",
        Expected.NUMBER: "number price amount high tall big large heavy cost frequently",
        Expected.REASON: "reason cause caused make makes",
        Expected.DURATION: "duration last take run stay second minute hour day week month year",
        Expected.TIME: "date day month year hour week weekday period until last latest recent next",
        Expected.PLACE: "city cities country countries town state street area find point spot location venue",
    }.items()
}
# "Which instrument does Ben play?", "What colour is it?": an answer names an instance, not the category.
_CATEGORY = re.compile(
    r"\b(?:what|which) (?:[a-z-]{1,30} )??([a-z-]{1,30} )??([a-z-]{1,30}) "
    r"(?:is|are|was|were|do|does|did|has|have|had|will|would|can|am)\b",
    re.IGNORECASE,
)
_CATEGORY_OF = re.compile(
    r"\b(?:what|which) ([a-z-]{1,30} )?(?!kind|type|sort)([a-z-]{1,30}) of (?!the\b|my\b|our\b)",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<=[\w,'\u2019)] )[\"'(]?([A-Z][\w-]+)")
# "Release 2.4", "room 12": numbers that identify one of several things.
_NUMBERED = re.compile(r"\b([^\W\d_]{2,}) (?:#|v)?(\d[\d.]*)")
# Negations of the words behind them, and negations of the whole clause.
_NOT = re.compile(
    r"\b(?:not(?! (?:only|just))|never|no|none|nobody|nothing|neither|nor|cannot|\w{1,10}n't)\b",
    re.IGNORECASE,
)
_NOT_IN_CLAUSE = re.compile(
    r"\b(?:nicht(?! nur)|nichts|nie|niemals|niemand|kein\w{0,2})\b|不(?![仅但过久同错断只止少])|没(?!错)|未(?!来)|无法",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[.,:;!?](?!\S)|[\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f]|\b(?:but|because|although|though|while|which|aber|weil)\b|但|因为|所以",
    re.IGNORECASE,
)
# "When can we not deploy?", "Deployments are frozen in May".
_DENIED_BY_WORD = re.compile(
    r"(?i)\b(?:frozen|closed|forbidden|banned|prohibited|blocked|disabled|unavailable|allergic|intolerant|dropped?"
    r"|abandoned|refuse[sd]?|avoids?)\b|放弃|弃用|停用|禁止|过敏"
)
# A denial and a statement tell what somebody avoids: "I never fly with Ada Air", "I stay away from Ada Air".
_AVOIDS = re.compile(r"(?i)\b(?:avoid\w*|refuse[sd]?|stays? away)\b|避免|忌")
# "How do I renew a certificate that did not renew?": a negation in such a clause does not ask for a negated answer.
_CLAUSE_BEHIND = re.compile(r"(?i)(?<=\w) (?:that|which|who|when|if|because|although|while|since)\b.*")
_IS_KIN = re.compile(KIN)
# Phrases without content: an answer need not repeat their words.
_EMPTY = re.compile(
    r"^\W*under (?=(?:what|which)\b)|\b(?:in (?:the )?(?:case|event) of|in advance"
    r"|(?:need|needs|needed|supposed|able) to|works? as"
    r"|must|shall|whose|too|needs?(?= (?:for|in|on|when|if)\b)"
    r"|g[eo]t(?:s|ting)?(?= \w{2,20}(?:ed|en|wn)\b)|how come|what (?:led to|triggered|is behind|was behind)"
    r"|says? about|(?<=\w )(?:made|done|taken|performed)(?=\W*$)|(?:wrong|the (?:matter|problem|trouble)) with)\b",
    re.IGNORECASE,
)
# Compounds name a thing ("the quote-api"): all parts are required.
_COMPOUND = re.compile(r"(?<![\w-])[a-zA-Z][a-zA-Z0-9]+(?:[-_][a-zA-Z0-9]{2,})+(?![\w-])")
_SUBJECT = re.compile(
    r"\b(?:do|does|did|can|could|should|must|will|would|may) (?:the|my|our|your|their|his|her|an?) (.*)"
)
_PREPOSITION = r"(in|into|on|with|from|to|for|at|by|through|under|via|as)"
# "In which language …?", "Which language … in?": where a statement names the instance.
_GAP = re.compile(rf"(?i)^\W*{_PREPOSITION} (?:which|what) |^\W*(?:which|what) .* {_PREPOSITION}\W*$")
# "Which fuel heats the barn?", "The barn is heated with wood".
_SUBJECT_GAP = re.compile(
    r"(?i)^\W*(?:which|what) (?:[a-z-]{1,30} )??([a-z-]{1,30}) (?!(?:is|are|was|were|do|does|did|has|have|had|will"
    r"|would|can|should|must|of|in|on|at|for|from|to|with)\b)([a-z]{2,30}) (?:the|an?|my|our|your|their|his|her|its)\b"
)
_DONE_BY = re.compile(
    r"\b(?:is|are|was|were|been|gets?|got) (?:\w+ly )?(\w+) (?:with|by|using|through|via) \w"
)
_NAMED_BEHIND = re.compile(
    r"\b([a-zA-Z]{1,30})\s(?:(?:the|an?|our|my|their|version)\s)?(?=([A-Z#`\"\u201c][\w-]{0,40}|[a-z]\w{0,40}[-_]\w))"
)
_STRONG = 0.75  # MiniLM: mom/mother 0.90, kids/children 0.88; but brother/sister 0.65, coffee/tea 0.62
_OF_VERB = 0.42  # retain/kept 0.48, given/gets 0.44; swim/run 0.41
_OF_CATEGORY = 0.4  # instrument/cello 0.66, pet/cat 0.74, database/postgresql 0.53; colour/euros 0.30


@dataclass(frozen=True)
class Required:
    """The words and other parts that a fact must have to answer a question.

    Attributes:
        words: Required words as in the question, by key.
        rarities: Weights of the words, by key.
        names: Keys of proper names, and of numbers that identify things.
        category: Key of the category of which the question asks for an instance; None: there is none.
        verb: Key of the main verb; None if the question's form does not show it.
        qualifier: Key of the word before the category: "frontend" in "frontend framework".
        han: Parts of a Chinese question, in Simplified characters.
        question: The whole question.
        type: Known type of which the question asks for an instance; it is no category then.
        apposed: Keys of names, by the keys of words that only state their type, such as "team" or "service".
        joined: Keys of compounds with an adjacent word, by key: "rollback" for "roll back".
        phrases: Phrases of the question, as ``same_phrases`` returns them.
        compounds: Keys of the parts of compounds, such as "quote-api".
        objects: Class of the verb's object that the question names.
        or_opposite: True if opposites answer, too: "Are we open?", "We close on Saturdays".
        negated: True if only a negated fact answers, False if only one that is not; None: both do.
    """

    words: Mapping[str, str]
    rarities: Mapping[str, float]
    names: frozenset[str]
    category: str | None
    han: Sequence[str]
    or_opposite: bool
    negated: bool | None
    qualifier: str | None = None
    verb: str | None = None
    question: str = ""
    type: AnswerType | None = None
    apposed: Mapping[str, str] = field(default_factory=dict)
    joined: Mapping[str, frozenset[str]] = field(default_factory=dict)
    phrases: Sequence[tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]] = ()
    compounds: frozenset[str] = frozenset()
    objects: ObjectClass | None = None

    @property
    def has_unfit_object(self) -> bool:
        """True if only the word itself names the category: no object of the verb is of this class."""
        return self.objects is not None and self.objects.is_unfit

    def without(self, people: Iterable[str]) -> "Required":
        """Remove the names of people, for turns that are known to be about them; turns shorten compounds."""
        gone = {key_of(word) for person in people for word in words(person)}
        left = {key: word for key, word in self.words.items() if key not in gone}
        return replace(self, words=left, names=(self.names - self.compounds) & left.keys())


@dataclass(frozen=True)
class HeldWords:
    """The required words that a fact has.

    Attributes:
        share: Share of the required words, weighted by rarity, 0..1.
        has_names: True if the fact has every proper name.
        is_literal: True if it has a required word itself, and not only words with a near meaning.
        has_category: True if it names an instance of the category, and has no opposite of a missing word.
        lacks_only_verb: True if it has all words but the verb, and a word with a near meaning instead.
        has_verb: True if it has the main verb of the question.
    """

    share: float
    has_names: bool
    is_literal: bool = True
    has_category: bool = True
    lacks_only_verb: bool = False
    has_verb: bool = True


class Kinship:
    """Cosines of single words; without vectors, all are 0."""

    def __init__(self, vectors: Mapping[str, NDArray[np.float32]] | None = None) -> None:
        self._vectors = vectors or {}

    def nearest(self, word: str, others: Iterable[str]) -> float:
        """Return the highest cosine of a word with others; 0 if no vectors are known."""
        own = self._vectors.get(word)
        known = [self._vectors[other] for other in others if other in self._vectors]
        return float((np.stack(known) @ own).max()) if own is not None and known else 0.0


NO_KINSHIP = Kinship()


def required(parsed: ParsedQuery) -> Required:
    """Return the words and other parts that a fact must have to answer a question."""
    text = with_relatives_joined(parsed.text)
    light = _LIGHT | _LIGHT_OF.get(expected(text), frozenset())
    numbers = frozenset(_numbers(text, light))
    capitals = frozenset() if parsed.has_capital_nouns else _capitals(text)
    found = {
        key_of(word): word
        for word in content_words(_EMPTY.sub(" ", text), parsed.language)
        if not contains_cjk(word)
        and (len(word) > 1 or word in numbers)
        and (stem(word) not in light or word in capitals)
        and not _is_contracted(word)
    }
    match = _CATEGORY_OF.search(text) or _CATEGORY.search(text)
    category = key_of(match[2].lower()) if match else None
    qualifier = key_of(match[1].lower().rstrip()) if match and match[1] else None
    names = frozenset(map(key_of, capitals))
    compounds = keys_of(each for compound in _COMPOUND.findall(text) for each in words(compound)) - names
    type_ = answer_type(text)
    return Required(
        found,
        {key: parsed.specificity(word) ** 2 for key, word in found.items()},
        (names | numbers | compounds) & found.keys(),
        category
        if category in found and (type_ is None or type_.is_near or category not in type_.keys)
        else None,
        chinese_parts(without_types(text)),
        or_opposite=asks_whether(text),
        negated=_asks_for_negated(text),
        qualifier=qualifier if qualifier in found else None,
        verb=key_of(verb) if (verb := main_verb(text) or _verb_of(text)) else None,
        question=text,
        type=type_,
        apposed={key: name for key, name in apposed(text).items() if key in found and name in found},
        joined=_joined(text),
        phrases=list(same_phrases(text)),
        compounds=compounds - numbers,
        objects=object_class(text),
    )


def has_polarity(requirement: Required, text: str) -> bool:
    """Tell whether a text is negated as the question requires.

    Only the clauses with the most required words count.

    >>> has_polarity(required(ParsedQuery("Who likes tea?")), "Ada does not like tea, Bob drinks it.")
    False
    """
    if requirement.negated is None:
        return True
    clauses = [clause for clause in _CLAUSE_END.split(_straight(simplified(text))) if clause.strip()]
    amounts = [_amount(requirement, clause) for clause in clauses]
    best = [
        clause for clause, amount in zip(clauses, amounts, strict=True) if amount == max(amounts, default=0)
    ]
    if requirement.negated and any(map(_DENIED_BY_WORD.search, best)):
        return True
    return requirement.negated in {_is_denied(requirement, clause) for clause in best}


def held(requirement: Required, text: str, kinship: Kinship = NO_KINSHIP, *, above: str = "") -> HeldWords:
    """Compare a text with the required words: by stem, by listed synonyms, and by near meaning.

    Args:
        requirement: The required words.
        text: Text of the fact.
        kinship: Cosines of words.
        above: Speaker and headings of the text, whose words count, too.
    """
    own, text = text, f"{above}\n{text}" if above else text
    tokens = joined_words(text)
    there = keys_of(tokens)
    there |= deeds_of(tokens)
    there |= {first + second for first, second in pairwise(map(key_of, tokens))} & requirement.words.keys()
    free = _answered(requirement, own, text)
    missing = {
        key
        for key in requirement.words
        if key not in free and not _holds(requirement, key, own, tokens, there, kinship)
    }
    if len(missing) == 1 and requirement.type is None and _fills_gap(requirement, next(iter(missing)), own):
        missing = set()
    whole = sum(requirement.rarities[key] for key in requirement.words)
    share = 1 - sum(requirement.rarities[key] for key in missing) / whole if whole else 1.0
    if requirement.han:
        share = min(share, _share_of_han(requirement, simplified(own), simplified(text)))
    return HeldWords(
        share,
        not requirement.names & missing,
        bool(free) or not requirement.words or any(same(key, there) for key in requirement.words),
        requirement.category not in missing and not any(are_opposite(key, there) for key in missing),
        _is_other_verb(requirement, missing, tokens, there, kinship),
        requirement.verb not in missing,
    )


def _is_other_verb(
    requirement: Required, missing: set[str], tokens: Sequence[str], there: frozenset[str], kinship: Kinship
) -> bool:
    """Tell whether a text only lacks the verb of the question, but has a word with a near meaning."""
    if len(missing) != 1 or len(requirement.words) == 1:
        return False
    (key,) = missing
    if key != requirement.verb or are_opposite(key, there):
        return False
    return kinship.nearest(requirement.words[key], tokens) >= _OF_VERB


def _fills_gap(requirement: Required, missing: str, text: str) -> bool:
    """Tell whether a missing word is the category of the question, and the text has an instance in its place.

    It stands behind the question's preposition or verb ("We fly with Ada Air"), or behind a passive verb.
    """
    if (done := _SUBJECT_GAP.search(requirement.question)) is not None:
        verb = key_of(done[2].lower())
        return missing == key_of(done[1].lower()) and verb in map(key_of, _DONE_BY.findall(text.lower()))
    if missing != requirement.category or requirement.has_unfit_object:
        return False
    gap = _GAP.search(requirement.question)
    preposition = (gap[1] or gap[2]).lower() if gap else None
    lowered = requirement.question.lower()
    for before, name in _NAMED_BEHIND.findall(text):
        is_in_place = (
            before.lower() == preposition if preposition else key_of(before.lower()) == requirement.verb
        )
        if is_in_place and name.lower() not in lowered:
            return True
    return False


def _verb_of(question: str) -> str | None:
    """Return the first verb behind the subject of a question with an auxiliary: "does our site load"."""
    found = _SUBJECT.search(question.lower())
    return next(filter(is_verb, words(found[1])[1:]), None) if found else None


def _answered(requirement: Required, own: str, text: str) -> frozenset[str]:
    """Return the keys that a text need not have, because its form or an equivalent phrase answers them."""
    keys = frozenset(key for of, _, ways in requirement.phrases if ways.search(text) for key in of)
    if requirement.type is not None and requirement.type.is_named_by(
        own, requirement.question, above=own != text
    ):
        keys |= requirement.type.keys | requirement.type.implied
    return keys


def _share_of_han(requirement: Required, own: str, text: str) -> float:
    """Return the share of a Chinese question's parts in a text, compared by pairs of characters."""
    gone = [way for _, way, ways in requirement.phrases if ways.search(text)]
    type_ = requirement.type
    if type_ and type_.chinese and type_.is_named_by(own, requirement.question, above=own != text):
        gone.insert(0, type_.chinese)
    objects = requirement.objects
    if objects and objects.chinese and objects.form and objects.form.search(own):
        gone.insert(0, objects.chinese)
    unmatched = " ".join(requirement.han)
    for way in gone:
        unmatched = way.sub(" ", unmatched)
    parts, plain = unmatched.split(), text.replace("的", "")
    return sum(_covered(part, plain) for part in parts) / sum(map(len, parts)) if parts else 1.0


def _covered(part: str, text: str) -> int:
    """Count the characters of a part that are in a text with a neighbour; the ends of a part also count alone."""
    inside = [part[place : place + 2] in text for place in range(len(part) - 1)]
    is_pair = len(inside) == 1
    ends = [each in text and not is_pair for each in (part[0], part[-1])]
    return sum(
        before or behind for before, behind in zip([ends[0], *inside], [*inside, ends[1]], strict=True)
    )


def _joined(text: str) -> dict[str, frozenset[str]]:
    """Return the compounds of adjacent words, by the key of each: "rollback" for "roll back"."""
    found: dict[str, frozenset[str]] = {}
    for first, second in pairwise(map(key_of, joined_words(text))):
        for key in (first, second):
            found[key] = found.get(key, frozenset()) | {first + second}
    return found


def _capitals(text: str) -> frozenset[str]:
    """Return the capitalised words inside a sentence, in lower case."""
    return frozenset(map(str.lower, _CAPITAL.findall(text)))


def _numbers(question: str, light: frozenset[str]) -> Iterator[str]:
    """Yield the numbers that identify things in a question, such as versions; numbers of dates do not."""
    for before, number in _NUMBERED.findall(question.lower()):
        if before not in STOP_WORDS | QUESTION_WORDS | MONTHS.keys() and stem(before) not in light:
            yield from words(number)


def _is_contracted(word: str) -> bool:
    """Tell whether a word is a contraction without content: "don't", "I'm"."""
    return word.endswith("n't") or ("'" in word and word.partition("'")[0] in STOP_WORDS | QUESTION_WORDS)


def _straight(text: str) -> str:
    return text.replace("\u2019", "'")


def _is_denied(requirement: Required, clause: str) -> bool:
    """Tell whether a clause negates its required words; "Bob left Acme and never returned" does not negate "left"."""
    if denies := _NOT.search(clause):
        return _amount(requirement, clause) == 0 or _amount(requirement, clause[denies.end() :]) > 0
    return _NOT_IN_CLAUSE.search(clause) is not None


def _asks_for_negated(question: str) -> bool | None:
    plain = _straight(simplified(question))
    if asks_whether(plain):
        return None
    plain = _CLAUSE_BEHIND.sub("", plain)
    if _AVOIDS.search(plain):
        return None
    if _NOT.search(plain) or _NOT_IN_CLAUSE.search(plain):
        return True
    # A negated fact does not tell who, which or where; but "none" tells how many, and "never" when.
    return False if asks_which(plain) or expected(plain) is Expected.PLACE else None


def _amount(requirement: Required, clause: str) -> int:
    there = keys_of(joined_words(clause))
    return sum(same(key, there) for key in requirement.words) + sum(
        len(part) for part in requirement.han if part in clause
    )


def uncovered(requirement: Required, texts: Iterable[str]) -> list[str]:
    """Return the words of the question that some text lacks, by stem and by listed synonyms."""
    there = [keys_of(joined_words(text)) for text in texts]
    return [word for key, word in requirement.words.items() if not all(same(key, each) for each in there)]


def _holds(
    requirement: Required, key: str, text: str, tokens: Sequence[str], there: frozenset[str], kinship: Kinship
) -> bool:
    if (
        same(key, there)
        or any(same(deed, there) for deed in deeds_of([requirement.words[key]]))
        or not requirement.joined.get(key, frozenset()).isdisjoint(there)
    ):
        return True
    if key in requirement.apposed:
        return not is_of_another_type(key, requirement.apposed[key], tokens)
    if requirement.or_opposite and are_opposite(key, there):
        return True
    if key in requirement.names or _IS_KIN.fullmatch(
        requirement.words[key]
    ):  # a wife is near a husband: 0.87
        return False
    if key == requirement.category:
        return not requirement.has_unfit_object and _holds_category(
            requirement, key, text, tokens, there, kinship
        )
    return kinship.nearest(requirement.words[key], tokens) >= _STRONG


def _holds_category(
    requirement: Required, key: str, text: str, tokens: Sequence[str], there: frozenset[str], kinship: Kinship
) -> bool:
    """Tell whether a text names an instance of the category: by near meaning, or as a name beside the qualifier."""
    if (
        requirement.qualifier
        and same(requirement.qualifier, there)
        and holds(Expected.THING, text, requirement.question)
    ):
        return True
    others = [word for word in tokens if key_of(word) not in requirement.words]
    return kinship.nearest(requirement.words[key], others) >= _OF_CATEGORY
