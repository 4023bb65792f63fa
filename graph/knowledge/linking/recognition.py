"""Recognises names in a text by rules: addresses, files, code, services, people, organisations, places and others.

Rules would rather miss a name than invent one: an entity "Monday" or "the user" is worse than none. They recognise
dates and amounts as well, so that no part of them counts as a name. In German all nouns have capitals, so a German
sentence has only known names and words with the form of a name.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from graph.core.text.language import CJK, HAN, QUESTION_WORDS, STOP_WORDS
from graph.knowledge.linking.chinese import acronym_owner, chinese_names
from graph.knowledge.linking.identifiers import (
    addresses,
    code_spans,
    dates_and_amounts,
    files,
    next_word,
    pages,
    services,
    symbols,
)
from graph.knowledge.linking.kinds import (
    ABBREVIATED_BEGINNINGS,
    BARE_NOUNS,
    CAPITAL_BEGINNINGS,
    CAPITAL_ENDINGS,
    CHINESE,
    DEEDS,
    DOUBTFUL,
    GERMAN,
    HONORIFICS,
    NAME_BEGINNINGS,
    NAME_PARTICLES,
    NO_NAMES,
    NUMBERED,
    OPENERS,
    ORGANISATION,
    ORGANISATION_ENDINGS,
    PARTICLES,
    PERSON,
    PRODUCT,
    SINGULAR_VERBS,
    THING,
    is_model,
    kind_of,
    known_kind,
    of_one_kind,
    words_of,
)
from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.occurrences import Taken, begins_a_sentence
from graph.knowledge.ontology.names import normalized
from graph.memories.saving.indexing import is_role

WORD = re.compile(rf"(?![{CJK}])[^\W\d_](?:(?![{CJK}])[\w'\u2019&-])*(?:\.(?:js|io|ai|net)\b)?\+*\.?|&")
"""A word with its hyphens, apostrophes and full stop, or an ampersand; without Chinese characters."""
_LONGEST_PARTICLE = 3
_ACRONYM = re.compile(
    r"[ \u00a0]?[(\uff08]([A-Z][A-Za-z]?[A-Za-z&]{0,8}[A-Z]|[A-Z]{2,10}|[A-Z](?:[A-Z][a-z]|\d)[A-Za-z]{0,5})s?[)\uff09]"
)
_EXPANDED = re.compile(r"\b([A-Z]{2,10})[ \u00a0]\(((?:[^\W\d_][\w'\u2019-]*[ \u00a0]){1,9}[^\W\d_][\w-]*)\)")
_EXPANDED_IN_CHINESE = re.compile(
    rf"(?<![A-Za-z0-9])([A-Z]{{2,10}})[ \u00a0]?[(\uff08]([{HAN}]{{4,20}})[)\uff09]"
)
_CHINESE_ORGANISATIONS = tuple(sorted(CHINESE["organisation_endings"]))
_LAST_PART = re.compile(r"[ \u00a0](?:and|und|&|for|of)[ \u00a0][^\W\d_][\w-]*$")
_MOST_ACRONYM_WORDS = 12


def acronyms(text: str) -> Iterator[Recognised]:
    """Yield names with their acronym: "Name (ACRONYM)" or "ACRONYM (Name)"."""
    for match in _ACRONYM.finditer(text):
        start = _start_of_name(text, match.start(), match[1])
        if start is None:
            continue
        name = text[start : match.start()]
        yield Recognised(
            start, match.end(), _kind(text, start, match.start(), match[1]), name, aliases=(match[1],)
        )
    for match in _EXPANDED.finditer(text):
        if _start_of_name(match[2], len(match[2]), match[1]) == 0:
            kind = _kind(text, *match.span(2), match[1])
            yield Recognised(*match.span(), kind, match[2], aliases=(match[1],))
    for match in _EXPANDED_IN_CHINESE.finditer(text):
        if match[2].endswith(_CHINESE_ORGANISATIONS):
            yield Recognised(*match.span(), ORGANISATION, match[2], aliases=(match[1],))


def _kind(text: str, start: int, end: int, acronym: str) -> str:
    name = text[start:end]
    if name.endswith(_CHINESE_ORGANISATIONS):
        return ORGANISATION
    return known_kind(acronym) or kind_of(text, start, end, words_of(name))


def _start_of_name(text: str, end: int, acronym: str) -> int | None:
    """Return the start of the name whose words begin with the letters of an acronym, or None.

    Lower-case words and the end of the name may lack a letter: "Centers for Disease Control and Prevention (CDC)".
    """
    start = _start_by_initials(text, end, acronym)
    if start is None and (last := _LAST_PART.search(text, max(0, end - _FAR), end)):
        start = _start_by_initials(text, last.start(), acronym)
    return start


def _start_by_initials(text: str, end: int, acronym: str) -> int | None:
    left = re.sub(r"[&\d]", "", acronym).lower()
    words = list(WORD.finditer(text, max(0, end - _FAR), end))[-_MOST_ACRONYM_WORDS:]
    if not words or words[-1].end() != end:
        return acronym_owner(text, end)
    names = 0
    for place, word in enumerate(reversed(words)):
        following = words[len(words) - place].start() if place else end
        if text[word.end() : following].strip(" \u00a0&"):
            return None
        initials = "".join(part[0] for part in re.split(r"[-&]", word[0]) if part).lower()
        is_name = word[0][0].isupper()
        names += is_name
        is_short_form = not place and is_name and _letters_of_compound(left, word[0].lower()) == len(left)
        if left.endswith(initials) and (is_name or word[0] not in PARTICLES):
            left = left.removesuffix(initials)
        elif is_name and (size := _letters_of_compound(left, word[0].lower())):
            left = left[:-size]
        elif left.endswith(initials[:1]) and is_name:
            left = left[:-1]
        elif is_name or len(word[0]) > _LONGEST_PARTICLE:
            return None
        if not left:
            return word.start() if is_name and (names > 1 or is_short_form) else None
    return None


def _letters_of_compound(acronym: str, word: str) -> int:
    """Return the number of an acronym's last letters that a compound accounts for: "ZB" of EZB for "Zentralbank"."""
    for start, letter in enumerate(acronym[:-1]):
        rest = iter(word[1:])
        if letter == word[0] and all(each in rest for each in acronym[start + 1 :]):
            return len(acronym) - start
    return 0


MOST_RECOGNISED = 20
_SHORTEST_NAME = 2
_LONGEST_NAME = 80
_MOST_NAME_WORDS = 6
_TITLE_CASE_SHARE = 0.75
_SHOUTING_SHARE = 0.5
_FEWEST_WORDS_OF_A_STYLE = 6
_FAR = 200  # characters on either side in which the sentence of a name is searched

_CJK_BESIDE = re.compile(rf"[{CJK}]")
_AND_NAME = re.compile(r"[ \u00a0](?:and|or|&)[ \u00a0](?!I\b)[A-Z][a-z]")
_ENGLISH = (STOP_WORDS | QUESTION_WORDS) - frozenset(
    "in was an so am will die hat s t".split()
)  # these words exist in German too
_NUMBER = re.compile(r"[ \u00a0]\d{1,4}(?![\w,:%-]|\.\d)")
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f](?=\s|$|[\u4e00-\u9fff])|\n")
_NO_NAME_SUFFIX = re.compile(
    r"(?:ing|ness|tion|sion|ment|ity|ism|ship|ance|ence|age|hood|dom|ware|work|ics|s)$"
)
_GERMAN_ENDINGS = re.compile(r"(?<=e)[nrs]$")
_GAP = re.compile(r"[ \u00a0]")
# "PR 4412", "RFC 7231": a word before a number is not a name.
_COUNTED = re.compile(r"[ \u00a0]#?\d{2,}")
_LONGEST_COUNTING = 5
# "Invoices, Receipts and Orders": a list of plurals at the start of a sentence has no names.
_PLURALS_BEFORE = re.compile(r"(?:^|[.!?:]\s)[A-Z][a-z]+s(?:, [A-Z][a-z]+s)*,? (?:(?:and|or) )?$")
# With a capital and after an owner, these are part of a name: "King's College".
_INSTITUTIONS = frozenset(
    "hospital college university church school cathedral clinic academy bank restaurant museum".split()
)
_POSSESSIVE = re.compile(r"(?:['\u2019]s|s['\u2019])$")
_CONJUNCTIONS = frozenset({"and", "or"})


def recognise(text: str, *, speakers: Sequence[str] = ()) -> list[Recognised]:
    """Return the distinct names of a text in order, without overlaps; at most 20 of them get an entity.

    Args:
        text: Text of a memory.
        speakers: Speakers of this turn and its neighbours; one whose name occurs in the text is a person.
    """
    found: list[Recognised] = []
    taken = Taken()
    for rule in (pages, addresses, dates_and_amounts, code_spans, files, symbols, acronyms, services):
        fresh = [each for each in rule(text) if not taken.overlaps(each.start, each.end)]
        taken.add((each.start, each.end) for each in fresh)
        found += fresh
    people = frozenset(speaker.lower() for speaker in speakers if not is_role(speaker))
    for names in (_names(text, people, taken), chinese_names(text)):
        fresh = [each for each in names if not taken.overlaps(each.start, each.end)]
        taken.add((each.start, each.end) for each in fresh)
        found += fresh
    return _distinct(_without_short_forms(of_one_kind(text, sorted(found))))


def _without_short_forms(found: Sequence[Recognised]) -> list[Recognised]:
    """Remove a first or last name if exactly one person of the text has it in a full name."""
    whole: dict[str, set[str]] = defaultdict(set)
    for each in found:
        first, _, rest = each.name.lower().partition(" ")
        if each.type == PERSON and rest:
            whole[first].add(each.name.lower())
            whole[rest.rpartition(" ")[2]].add(each.name.lower())
    return [each for each in found if each.type not in {PERSON, THING} or len(whole[each.name.lower()]) != 1]


def _distinct(found: Sequence[Recognised]) -> list[Recognised]:
    result: list[Recognised] = []
    names: set[str] = set()
    for each in found:
        if each.type is not None:
            if each.name.lower() in names or len(names) >= MOST_RECOGNISED:
                continue
            names |= {name.lower() for name in (each.name, *each.aliases)}
        result.append(each)
    return result


def _names(text: str, people: frozenset[str], taken: Taken) -> Iterator[Recognised]:
    """Yield runs of capitalised words at places where a capital means a name."""
    words = [match for match in WORD.finditer(text) if match[0] != "&" and not taken.overlaps(*match.span())]
    capitals = [match for match in words if _has_capital(match[0]) and match[0].lower() not in _CONJUNCTIONS]
    if _is_styled(text, words):
        capitals = [match for match in capitals if match[0].lower() in people]
    inside = {_bare(match[0]) for match in capitals if not begins_a_sentence(text, match.start())}
    is_german = _german_sentences(text, words)
    for run in _runs(text, capitals):
        if is_german(run[0].start()):
            yield from _german_names(text, run, people)
            continue
        for part in _companies(text, run):
            yield from _name(text, part, people, inside)


def _has_capital(word: str) -> bool:
    """Tell whether a word begins as names do: "Oslo", "iPhone", "gRPC"."""
    return word[0].isupper() or (len(word) > _SHORTEST_NAME and word[0].islower() and word[1].isupper())


def _german_sentences(text: str, words: Sequence[re.Match[str]]) -> Callable[[int], bool]:
    """Return a function that tells whether the sentence at an index has more German words than English ones."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    surplus: dict[int, int] = defaultdict(int)
    for word in words:
        key = normalized(word[0].rstrip("."))
        surplus[bisect_left(ends, word.end())] += (key in GERMAN) - (key in _ENGLISH)
    return lambda start: surplus.get(bisect_left(ends, start + 1), 0) > 0


def _german_names(text: str, run: Sequence[re.Match[str]], people: frozenset[str]) -> Iterator[Recognised]:
    """Yield the parts of a run that are known names or follow a title, the longest first."""
    place = 0
    while place < len(run):
        words = run[place:]
        size, kind = _german_name(text, words, people)
        if kind is None:
            place += 1
            continue
        name = " ".join(text[words[0].start() : _end(words[size - 1])].split())
        first, _, rest = name.partition(" ")
        if kind == ORGANISATION and rest and known_kind(name) is None:
            inflected = f"{_GERMAN_ENDINGS.sub('', first)} {rest}"
            name = inflected if known_kind(inflected) == ORGANISATION else name
        if kind == PERSON and size > 1 and _bare(first).lower() in HONORIFICS:
            start = next(word for word in words if _bare(word[0]).lower() not in HONORIFICS).start()
            name = text[start : _end(words[size - 1])]
        else:
            start = words[0].start()
        yield Recognised(start, _end(words[size - 1]), kind, name)
        place += size


def _german_name(text: str, words: Sequence[re.Match[str]], people: frozenset[str]) -> tuple[int, str | None]:
    """Return the number of words of the name that begins with the first word, and its kind, None if there is none."""
    bare = [_bare(word[0]) for word in words]
    if normalized(bare[0]) in GERMAN and bare[0].lower() not in HONORIFICS:
        return 1, None
    titles = next((n for n, word in enumerate(bare) if word.lower() not in HONORIFICS), len(bare))
    if titles and titles < len(bare):
        return min(len(bare), titles + 3), PERSON
    for size in range(len(words), 0, -1):
        phrase = bare[:size]
        inflected = [_GERMAN_ENDINGS.sub("", phrase[0]), *phrase[1:]]
        kind = next((kind for each in (phrase, inflected) if (kind := known_kind(" ".join(each)))), None)
        if size > 1 and kind is None:
            built = kind_of(text, words[0].start(), _end(words[size - 1]), phrase, is_strict=True)
            kind = None if built == THING else built
        if size == 1:
            is_doubtful = normalized(phrase[0]) in DOUBTFUL
            kind = None if is_doubtful else kind or kind_of(text, *_span_of(words[0]), phrase, is_strict=True)
            if kind == THING:
                is_marked = (
                    any(char.isupper() for char in phrase[0][1:]) and phrase[0].lower() not in NO_NAMES
                )
                kind = THING if is_marked and "-" not in phrase[0] else None
            if phrase[0].lower() in people:
                kind = PERSON
        if kind is not None:
            return size, kind
    return 1, None


def _span_of(word: re.Match[str]) -> tuple[int, int]:
    return word.start(), _end(word)


def _is_styled(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Tell whether capitals mean nothing in a text, because it is a headline or all in capitals."""
    inner = [match for match in words if not begins_a_sentence(text, match.start())]
    if len(inner) < _FEWEST_WORDS_OF_A_STYLE:
        return False
    capitals = sum(match[0][0].isupper() and match[0] != "I" for match in inner)
    shouted = sum(match[0].isupper() and len(match[0]) > 1 for match in inner)
    return capitals > _TITLE_CASE_SHARE * len(inner) or shouted > _SHOUTING_SHARE * len(inner)


def _runs(text: str, capitals: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield sequences of capitalised words, with at most a particle between two of them."""
    run: list[re.Match[str]] = []
    for word in capitals:
        if run and not (_joins(text, run, word) and len(run) < _MOST_NAME_WORDS):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _companies(text: str, run: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """Yield the parts of a run between "&", or the whole run if it has the ending of an organisation's name."""
    start = 0
    if _bare(run[-1][0]).lower() not in ORGANISATION_ENDINGS:
        for number in range(1, len(run)):
            if "&" in text[run[number - 1].end() : run[number].start()]:
                yield run[start:number]
                start = number
    yield run[start:]


def _joins(text: str, run: Sequence[re.Match[str]], next_: re.Match[str]) -> bool:
    word, between = run[-1][0], text[run[-1].end() : next_.start()]
    if _POSSESSIVE.search(word):
        return _bare(next_[0]).lower() in _INSTITUTIONS and bool(_GAP.fullmatch(between))
    if word.endswith(".") and len(word) > _SHORTEST_NAME and word[:-1].lower() not in HONORIFICS:
        return bool(_GAP.fullmatch(between)) and _is_abbreviated_beginning(text, run)
    if _GAP.fullmatch(between) or (not between and word.endswith(".")):
        return True
    inner = between.strip(" \u00a0")
    return between != inner and (inner == "&" or all(part in NAME_PARTICLES for part in inner.split(" ")))


def _is_abbreviated_beginning(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Tell whether the last word, with its full stop, begins a name: "in St. Louis", not "on Main St."."""
    *before, word = run
    is_behind_name = (
        before and _GAP.fullmatch(text[before[-1].end() : word.start()]) and not _is_no_part(before[-1][0])
    )
    return word[0] in ABBREVIATED_BEGINNINGS and not is_behind_name


def _name(
    text: str, run: Sequence[re.Match[str]], people: frozenset[str], inside: set[str]
) -> Iterator[Recognised]:
    words = list(run)
    is_person = False
    front: re.Match[str] | None = None
    tail: re.Match[str] | None = None
    while words and (_is_no_part(words[0][0]) or _is_title(words)):
        if _may_begin_a_name(words, people):
            if is_person or _bare(words[0][0]) in inside:
                break
            return
        word = words.pop(0)
        front = word if word[0] in CAPITAL_BEGINNINGS and not _is_shouted(text, run) else None
        is_person = front is None and _bare(word[0]).lower() in HONORIFICS
    while words and _is_no_part(words[-1][0]):
        word = words.pop()
        tail = word if _bare(word[0]) in CAPITAL_ENDINGS and not _is_shouted(text, run) else None
    while len(words) > 1 and begins_a_sentence(text, words[0].start()) and _is_opener(text, words):
        words.pop(0)
    if not words:
        return
    start, end = words[0].start(), _end(words[-1])
    name = text[start:end]
    is_known = _bare(words[0][0]).lower() in people or name.lower() in people
    if len(words) == 1 and not (is_known or is_person or _is_worth_it(text, words[0], inside)):
        return
    if not (is_known or is_person):
        start = front.start() if front else start
        end = _end(tail) if tail else end
        name = text[start:end]
    if len(name) <= _LONGEST_NAME and "\n" not in name and name.replace(".", "").lower() not in NO_NAMES:
        kind = PERSON if is_person or is_known else kind_of(text, start, end, words_of(name))
        whole = _end_with_number(text, start, words[-1], end)
        is_numbered = whole > end and kind in (THING, ORGANISATION)
        yield Recognised(start, whole, PRODUCT if is_numbered else kind, text[start:whole])


def _end_with_number(text: str, start: int, last: re.Match[str], end: int) -> int:
    """Return the end of a product's name with its number, or ``end`` for other names."""
    is_product = _bare(last[0]).lower() in NUMBERED or is_model(text, start)
    number = _NUMBER.match(text, end) if is_product else None
    return number.end() if number else end


def _is_title(words: Sequence[re.Match[str]]) -> bool:
    return len(words) > 1 and _bare(words[0][0]).lower() in HONORIFICS


def _end(word: re.Match[str]) -> int:
    return word.start() + len(_bare(word[0]))


def _is_shouted(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Tell whether the sentence of some words is all in capitals, which therefore mean nothing."""
    start, end = run[0].start(), _end(run[-1])
    before = re.split(r"[.!?\n]", text[max(0, start - _FAR) : start])[-1]
    after = re.split(r"[.!?\n]", text[end : end + _FAR], maxsplit=1)[0]
    return not any(char.islower() for char in f"{before}{text[start:end]}{after}")


def _may_begin_a_name(words: Sequence[re.Match[str]], people: frozenset[str]) -> bool:
    """Tell whether the first word may belong to the name after it: "New York", "Will Smith"."""
    first, *rest = (_bare(word[0]).lower() for word in words)
    return first in NAME_BEGINNINGS and bool(rest) and rest[0] not in people


def _is_worth_it(text: str, word: re.Match[str], inside: set[str]) -> bool:
    """Tell whether one capitalised word is a name: inside a sentence, known, or the subject of a singular verb."""
    bare = _bare(word[0])
    if len(bare) < _SHORTEST_NAME:
        return False
    if bare.isupper() and len(bare) <= _LONGEST_COUNTING and _COUNTED.match(text, word.end()):
        return known_kind(bare) is not None
    if bare.endswith("s") and _PLURALS_BEFORE.search(text, max(0, word.start() - _FAR), word.start()):
        return known_kind(bare) is not None
    is_inside = not begins_a_sentence(text, word.start()) or bare in inside
    has_more = any(char.isupper() for char in bare[1:]) or _CJK_BESIDE.match(text, word.end())
    return bool(is_inside or has_more) or _is_name_at_start(text, word, normalized(bare))


def _is_name_at_start(text: str, word: re.Match[str], key: str) -> bool:
    """Tell whether the first word of a sentence is a name: a known one, an owner, or the subject of a singular verb."""
    after = next_word(text, word.end())
    if key in BARE_NOUNS or key in OPENERS or key in DOUBTFUL:
        return key in DOUBTFUL and after in DEEDS
    if kind_of(text, word.start(), _end(word), [key]) != THING:
        return True
    acts = after in SINGULAR_VERBS or after in DEEDS or _AND_NAME.match(text, word.end())
    return not _NO_NAME_SUFFIX.search(key) and bool(acts or _POSSESSIVE.search(word[0]))


def _is_no_part(word: str) -> bool:
    bare = _bare(word).lower().replace("\u2019", "'")
    return (
        bare in NO_NAMES
        or word.lower().rstrip(".") in NO_NAMES
        or (len(bare) < _SHORTEST_NAME and not word.endswith("."))
    )


def _is_opener(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Tell whether a sentence's first word is more likely a verb or an adverb than part of the name after it."""
    first = words[0][0]
    if known_kind(text[words[0].start() : _end(words[-1])]) is not None:
        return False
    if kind_of(text, *_span_of(words[0]), [_bare(first)]) == PERSON:
        return False
    return first.lower() in OPENERS or re.fullmatch(r"[A-Z][a-z]+(?:ing|ed|ly)", first) is not None


def _bare(word: str) -> str:
    bare = re.sub(r"['\u2019]s?$", "", word.rstrip("-&"))
    return bare.rstrip(".")
