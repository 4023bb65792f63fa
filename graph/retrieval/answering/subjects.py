"""Determines the subject of a fact, and compares it with the subject of a question."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph.core.text.language import HAN, QUESTION_WORDS, contains_cjk, sentences
from graph.core.text.normal_forms import simplified
from graph.retrieval.answering.expecting import KIN, Expected, asks_who_does, expected
from graph.retrieval.answering.same_words import joined_words, key_of, keys_of, same, with_relatives_joined
from graph.retrieval.recall.parsed_query import ParsedQuery, first_name

_ABOUT_USER = re.compile(
    r"\b(?:I|my|me|mine|myself|(?<!\bwhich )(?<!\bwhat )(?<!\ba )user)\b|用户|我(?!们)", re.IGNORECASE
)
# First-person words of other languages.
_ABOUT_SELF = re.compile(
    r"\b(?:ich|mich|mir|mein\w{0,2}|je|moi|mon|ma|mes|yo|mi|mis|eu|meus?|minhas?)\b|\bj'", re.IGNORECASE
)
_VERB = (
    r"(?:is|was|are|were|has|had|will|would|can|could|must|may|does|did|went|got|gave|made|took|saw|met|ate|drank|bought"
    r"|sold|left|came|ran|won|lost|found|built|told|said|drove|brought|kept|held|grew|spoke|sent|wrote|began|chose"
    r"|spent|paid|slept|\w{1,30}[^s\W]s|\w{1,30}ed)\b"
)
_ADVERB = r"(?:\w{2,20}ly|also|often|never|just|now|still|always|once)"
_NAME = r"[A-Z]\w*(?: [A-Z]\w*){0,3}"
# "Alice lives …", "Dr. Ito recently moved …", "Alice and Bob live …": subjects other than the user.
_ANOTHER = re.compile(
    rf"^(?:The |An? )?(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?({_NAME})"
    rf"(?:(?:['\u2019]s(?: [\w'\u2019]+){{1,3}}?)?(?: {_ADVERB})? {_VERB}"
    rf"| and ({_NAME}) \w)"
)
# "The user's sister Ida studies …", "My sister lives …": about somebody related to the user.
_OWNED = r"(?:(?:The )?[Uu]ser['\u2019]s|My|Our)"
_BELONGING = re.compile(rf"^{_OWNED} ((?:\w+ ){{1,3}}?){_VERB}")
# "My sister's number …", "Alice's sister's husband …".
_OWNER = rf"^(?:{_OWNED}|(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?({_NAME}(?: and {_NAME})?)['\u2019]s)"
_TWICE_OWNED = re.compile(rf"{_OWNER} (\w+)['\u2019]s\b(?: (?:\w+ ){{0,1}}?({KIN})\b)?")
# "Alice's brother lives …": about somebody related to Alice.
_KIN_OF_ANOTHER = re.compile(rf"{_OWNER} ((?:\w+ ){{0,2}}?{KIN}(?: [A-Z]\w*)?)\b")
# "Alice's meeting was moved": about a thing of Alice's.
_THING_OF_ANOTHER = re.compile(rf"{_OWNER} ((?:\w+ ){{1,3}}?)(?:is|was|are|were|got|has been|have been)\b")
_OF_THINGS = (Expected.AGE, Expected.TIME, Expected.PLACE, Expected.REASON, Expected.DURATION)
_NO_OWNERS = frozenset(map(key_of, QUESTION_WORDS))  # "Who's", "he's"
_TIMES = "today tomorrow yesterday week month year weekend monday tuesday wednesday thursday friday saturday sunday"
_NO_PEOPLE = frozenset(map(key_of, _TIMES.split()))
# "Bob Lee's new manager", "my manager": an owner, and up to two words that name the owned thing.
_OWNERS_OF = re.compile(
    r"(?:\b(\w+)(?:['\u2019]s)? and )?\b(?:((?-i:[A-Z]\w* ){0,2}\w+)['\u2019]s|my)\s+(?=(\w+)(?:\s+(\w+))?)",
    re.IGNORECASE,
)
# "Who manages Bob?", "Who is Bob's manager?", and "What does Bob manage?".
_DONE_TO = re.compile(
    rf"^\W*(?:[Aa]nd |[Ss]o |[Bb]ut )?[Ww]ho (?:"
    rf"(?!(?:is|was|are|were|do|does|did) )(?:{_ADVERB} )?(\w+) (?:the )?({_NAME})|"
    rf"(?:is|was|are|were) (?:the )?({_NAME})['\u2019]s (?:\w+ )?(\w+[eo]r)\b)"
)
_DONE_BY = re.compile(rf"\b(?:[Dd]o|[Dd]oes|[Dd]id) (?:the )?({_NAME}) (?:{_ADVERB} )?(\w+)")
_DOES = re.compile(rf"^(?:The )?({_NAME}) (?:{_ADVERB} )?(\w+)")
_OBJECT = r" (?:(?:the|an?|\w+['\u2019]s) (?:\w+ ){1,4}?(?:of|from|by|for) |(?:to|for|the) )?"
_MUTUAL = frozenset(map(key_of, "meet met marry wed date dated".split()))
_NAMES_USER = re.compile(
    r"\b(?:(?:[Uu]ser['\u2019]s|[Mm]y) (?:first |full )?name is|(?:[Uu]ser is|I am|I'm) called) ([A-Z]\w+)"
)
_A_KIN_IN_CHINESE = (
    "(?>[表堂前继]?(?:姐夫|妹夫|弟媳|弟妹|嫂子|儿媳|女婿|岳父|岳母|公公|婆婆|孙子|孙女|侄子|侄女|叔叔|舅舅|姑姑|阿姨|妻子?|老婆|丈夫|夫|老公"
    "|爱人|妈妈?|母亲|爸爸?|父亲|父母|妹妹?|姐姐?|哥哥?|弟弟?|儿子|女儿|孩子|[男女]朋?友|朋友|同事|老板|经理|爷爷|奶奶|外公|外婆|邻居|室友))"
)
_BELONGING_IN_CHINESE = re.compile(
    rf"^(?:用户|我)(?:的?{_A_KIN_IN_CHINESE})*的([{HAN}]{{1,4}}?)(?:[是叫在姓住有会]|喜欢|最)"
)
_KIN_IN_CHINESE = re.compile(
    rf"^(?:(?:用户|我)的?|([{HAN}]{{2,4}}?)的)({_A_KIN_IN_CHINESE}(?:的?{_A_KIN_IN_CHINESE})*)([{HAN}]{{0,2}})(?!.*(?:我|用户))"
)
_SAME_KIN_IN_CHINESE = (
    ("父亲", re.compile("老?爸爸?")),
    ("母亲", re.compile("老?妈妈?")),
    ("妻子", re.compile("老婆|太太")),
    ("丈夫", re.compile("老公")),
)
_OWN_IN_CHINESE = frozenset(("名字", "姓名", "家", "年龄", "岁数"))
_CALLED = re.compile(
    r"(?:^|[,.!?;:]\s{0,3}|\b(?:hey|hi|hello|thanks|thank you|wow|oh|yeah|yes|no|okay|congrats|congratulations)\s)\Z",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b|[我咱]", re.IGNORECASE)
_SECOND_PERSON = re.compile(
    r"\b(?:you|your|yours|yourself|ya|congrats|congratulations)\b|[你您]|恭喜", re.IGNORECASE
)
# Reactions to what another person has said.
_REACTION = re.compile(
    r"(?:wow|whoa|woah|cool|awesome|amazing|great|nice|good job|way to go|this looks|that(?:'s|\u2019s"
    r"| is| sounds| looks| must| was)|sounds|looks|so glad|glad|sorry)\b|真棒|太好了",
    re.IGNORECASE,
)
_AFTER_CALL = re.compile(r"\s{0,3}(?:[,.!?;:]|\Z)")
_LOOK_BACK = 30


def parted(text: str) -> tuple[str, str]:
    """Split a turn into the sentences about its speaker and those about its addressee.

    Sentences in the first person are about the speaker. Sentences with "you" and reactions ("That sounds great!") are
    about the addressee. Sentences with both belong to both parts, and all others to the speaker's.

    >>> parted("Congrats on your new job, Ada! I moved to Oslo. It is cold there.")
    ('I moved to Oslo. It is cold there.', 'Congrats on your new job, Ada!')
    """
    own: list[str] = []
    to_another: list[str] = []
    for sentence in sentences(text):
        is_own = _FIRST_PERSON.search(sentence) is not None
        is_to_another = _SECOND_PERSON.search(sentence) is not None
        if is_to_another or (not is_own and _REACTION.match(sentence)):
            to_another.append(sentence)
        if is_own or sentence not in to_another:
            own.append(sentence)
    return " ".join(own), " ".join(to_another)


def addressee(text: str, speaker: str, people: Sequence[str]) -> str | None:
    """Return the addressee of a turn: the person called by name, or the only other person; None if unclear."""
    others = [person for person in people if person != speaker]
    called = [person for person in others if _is_called(first_name(person), text)]
    among = called or others
    return among[0] if len(among) == 1 else None


def speaks_of_one(text: str, named: Sequence[str]) -> bool:
    """Tell whether a text names one of the people without addressing them."""
    return any(_speaks_of(first_name(person), text) for person in named)


def is_about_user(question: str) -> bool:
    """Tell whether a question is about the user, in the first or third person."""
    return _ABOUT_USER.search(simplified(question)) is not None


def names_of_user(texts: Iterable[str]) -> frozenset[str]:
    """Return the first names of the user, from texts such as "The user's name is Ada"."""
    return frozenset(name.lower() for text in texts for name in _NAMES_USER.findall(text))


def is_about_subject(
    text: str, parsed: ParsedQuery, *, names_more: bool, user: frozenset[str] = frozenset()
) -> bool:
    """Tell whether a statement may be about the subject of a question.

    It is not if it begins with a relative or a thing that the question does not name ("Alice's brother …"). For a
    question about the user, it must not be about anybody else. Other subjects are compared by words elsewhere.

    Args:
        text: The statement.
        parsed: The question.
        names_more: True if the question names more than the user and the kind of answer; if not ("What is my phone
            number?"), the statement has to name the user.
        user: First names of the user.
    """
    text, plain = (_with_one_word_for_kin(simplified(each)) for each in (text, parsed.text))
    question_keys = frozenset(map(key_of, joined_words(plain)))
    may_be_another = asks_who_does(plain)
    users = frozenset(map(key_of, user))
    if _is_of_kin(text, question_keys, plain, may_be_another=may_be_another) or _is_done_by_another(
        text, plain
    ):
        return False
    if _is_owned_by_another(text, plain, question_keys | users):
        return False
    if contains_cjk(plain) or parsed.language is not None:
        return _may_be_of_author(text, plain, names_more=names_more)
    if not is_about_user(plain):
        return True
    if not names_more and _ABOUT_USER.search(text) is None:
        return False
    return _may_be_of_user(text, question_keys | users, may_be_another=may_be_another)


def _with_one_word_for_kin(text: str) -> str:
    for word, others in _SAME_KIN_IN_CHINESE:
        text = others.sub(word, text)
    return with_relatives_joined(text)


def _may_be_of_user(text: str, question_keys: frozenset[str], *, may_be_another: bool) -> bool:
    belonging = _BELONGING.match(text)
    if belonging and not may_be_another and not _names_one(belonging[1], question_keys):
        return False
    another = None if _ABOUT_USER.search(text) else _ANOTHER.match(text)
    return another is None or any(_names_one(name, question_keys) for name in another.groups() if name)


def _is_of_kin(text: str, question_keys: frozenset[str], question: str, *, may_be_another: bool) -> bool:
    """Tell whether a statement is about a relative of the subject whom the question does not name."""
    patterns = [_TWICE_OWNED] if may_be_another else [_TWICE_OWNED, _KIN_OF_ANOTHER]
    if expected(question) in _OF_THINGS:
        patterns.append(_THING_OF_ANOTHER)
    for owned in filter(None, (pattern.match(text) for pattern in patterns)):
        is_owned_by_subject = _names_one(owned[1], question_keys) if owned[1] else is_about_user(question)
        kin = filter(None, owned.groups()[1:])
        if is_owned_by_subject and not all(_names_one(each, question_keys) for each in kin):
            return True
    in_chinese = None if may_be_another else _KIN_IN_CHINESE.match(text)
    if in_chinese is None or not (in_chinese[1] in question if in_chinese[1] else is_about_user(question)):
        return False
    return in_chinese[2].replace("的", "") not in question.replace("的", "") and not (
        in_chinese[3] and question.startswith(in_chinese[3])
    )


def _is_owned_by_another(text: str, question: str, question_keys: frozenset[str]) -> bool:
    """Tell whether a thing in question belongs to another owner: "Bob's manager" does not answer "my manager"."""
    owners = _owners(text)
    return any(
        thing in owners and not any(same(one, question_keys | whose) for one in owners[thing])
        for thing, whose in _owners(question).items()
    )


def _owners(text: str) -> Mapping[str, frozenset[str]]:
    """Return the owners of things in a text, as keys of words by the keys of the things."""
    found: dict[str, frozenset[str]] = {}
    for one, other, *things in _OWNERS_OF.findall(text):
        owners = keys_of(f"{one} {other or 'user'}".lower().split()) - _NO_OWNERS
        if owners & _NO_PEOPLE:
            continue
        for thing in keys_of(map(str.lower, filter(None, things))) if owners else ():
            found[thing] = found.get(thing, frozenset()) | owners
    return found


def _is_done_by_another(text: str, question: str) -> bool:
    """Tell whether statement and question swap subject and object: "Bob manages Ana", "Who manages Bob?"."""
    does = _DOES.match(text)
    if does is None or key_of(does[2]) in _MUTUAL:
        return False
    verb = frozenset((key_of(does[2]),))
    if (to := _DONE_TO.match(question)) is not None:
        whom = to[2] or to[3]
        is_it = same(key_of(to[1]), verb) if to[1] else key_of(to[4]).startswith(key_of(does[2]))
        return is_it and does[1] == whom
    if (by := _DONE_BY.search(question)) is None or does[1] == by[1] or by[2] == "cost":
        return False
    return same(key_of(by[2]), verb) and re.match(_OBJECT + re.escape(by[1]), text[does.end() :]) is not None


def _may_be_of_author(text: str, question: str, *, names_more: bool) -> bool:
    """Tell whether a statement may be about the asker, for questions that are not in English."""
    if not contains_cjk(question):
        return _ABOUT_SELF.search(question) is None or _names_author(text)
    if not is_about_user(question):
        return True
    if (of := _BELONGING_IN_CHINESE.match(text)) and of[1] not in question:
        return of[1] in _OWN_IN_CHINESE
    return _names_author(text) or (names_more and not contains_cjk(text))


def _names_author(text: str) -> bool:
    return _ABOUT_USER.search(text) is not None or _ABOUT_SELF.search(text) is not None


def _names_one(text: str, question_keys: frozenset[str]) -> bool:
    there = keys_of(joined_words(text))
    return any(same(each, there) for each in question_keys)


def _speaks_of(name: str, text: str) -> bool:
    return any(not is_call for is_call in _calls(name, text))


def _is_called(name: str, text: str) -> bool:
    return any(_calls(name, text))


def _calls(name: str, text: str) -> Iterator[bool]:
    """Yield for each occurrence of a name in a text whether the text addresses that person."""
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        is_called = _AFTER_CALL.match(text, match.end()) or _CALLED.search(before)
        yield bool(is_called) and not text.startswith(("'s", "\u2019s"), match.end())
