"""Renders first-person statements in the third person: "I live in Oslo" becomes "The user lives in Oslo"."""

import re

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk

USER = "The user"
ASSISTANT = "The assistant"
PARTICIPANT = "A participant"
USER_ZH = "用户"
# Words after which a capital I is a Roman numeral: "World War I", "Elizabeth I".
_NUMBERED = (
    "World War|Great War|Type|Phase|Part|Level|Chapter|Volume|Vol.|Book|Act|Class|Grade|Stage|Schedule|Tier|Title|"
    "Article|Section|Category|Division|Appendix|Elizabeth|Charles|James|Henry|George|Edward|Richard|William|Francis|Napoleon|"
    "Nicholas|Calculus|Algebra|Chemistry|Physics|Bipolar|bipolar|Engineer|Developer|Analyst"
).split("|")
_NO_NUMBER = "".join(rf"(?<!\b{re.escape(before)} )" for before in _NUMBERED)
_I = _NO_NUMBER + r"I(?!\s+(?:diabet|error|hypersens|trial|clinical))|i(?!\.\w)"
_MINE = (
    "(?:"
    + "|".join(
        rf"(?<=\b{before} )"
        for before in (
            "of to with for from like than as not and is was are were be lost prefer love keep have has sold use uses "
            "took broke got"
        ).split()
    )
    + r"|^)mine(?!\s+(?:worker|shaft|site|safety|owner|field|detect|sweep|clos|tour))"
)
_US = (
    r"(?<!\bthe )(?<!\ba )us(?!\s+(?:citizen|dollar|politics|visa|market|passport|army|navy|government|president|"
    r"compan|tax|state|embass|border|history|based))"
)
# Singular "they" takes the same verb forms as "I", except for these. Words that are also names or nouns (the US,
# Portland, ME, a coal mine, I/O) do not count as pronouns in capitals or in the position of a noun.
_THIRD_PERSON = (
    (rf"(?i:{_NO_NUMBER}I\s+am|I['\u2019]m)", "they are"),
    (rf"(?i:{_NO_NUMBER}I\s+was)", "they were"),
    (r"(?i:I['\u2019]ve)", "they have"),
    (r"(?i:I['\u2019]ll)", "they will"),
    (r"(?i:I['\u2019]d)", "they would"),
    (r"(?i:we['\u2019]re)", "they are"),
    (r"(?i:we['\u2019]ve)", "they have"),
    (r"(?i:we['\u2019]ll)", "they will"),
    (r"(?i:we['\u2019]d)", "they would"),
    (rf"{_I}|(?i:we)", "they"),
    (r"(?i:my|our)", "their"),
    (rf"{_MINE}|^Mine|ours|^Ours", "theirs"),
    (rf"me|^Me|^Us|{_US}", "them"),
    (r"(?i:myself|ourselves)", "themselves"),
)
_REWRITES = [
    (re.compile(rf"(?<![\w'\u2019/-])(?:{old})(?![\w'\u2019/-])"), new) for old, new in _THIRD_PERSON
]
_LEADING_SELF_ZH = re.compile(r"我们|我們|本人|我")
_SELVES_ZH = re.compile("我们|我們")
_SELF_ZH = re.compile(r"(?<!自)我(?!国|國)")
_OF_ITSELF_ZH = re.compile(
    r"^(?P<begin>(?:我们|我們|本人|我)(?:一直|总是|总|都|真的|其实|不|很|现在|也|还|已经)?"
    r"(?:和|跟|与|與|同|把|觉得|覺得|认为|認為|感觉|希望|担心|相信|知道|发现))我(?!们|們)"
)
# Punctuation, symbols and emoji at the end of a Chinese sentence.
END_ZH = re.compile(
    "[\\s\\u3002\\uff01\\uff1b\\uff0c!;~\\uff5e\\u2026\\u2600-\\u27bf\\ufe0f\\u200d\\U0001f000-\\U0001faff]++$"
)
# Every word in -ly counts as an adverb, except these verbs.
_ADVERBS = (
    r"(?:(?:no\s+longer|hardly\s+ever|(?!(?:app|re|rep|supp|f|comp|multip)ly\b)\w+ly|just|also|still|always|never|often|sometimes|kind\s+of|"
    r"sort\s+of|much|now|already|both|very|so|seldom|neither)\s+)*"
)
_BEGINNING = re.compile(
    rf"^(?:I|we)(?P<short>['\u2019](?:m|ve|ll|d|re))?\s+(?P<adverbs>{_ADVERBS})(?P<verb>[\w'\u2019]+)?",
    re.IGNORECASE,
)
_SHORT_FORMS = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
_IRREGULAR = {
    "am": "is", "are": "is", "were": "was", "have": "has", "do": "does", "go": "goes", "don't": "does not",
    "haven't": "has not", "aren't": "is not", "can't": "cannot", "won't": "will not",
    "dont": "does not", "cant": "cannot", "wont": "will not", "didnt": "did not", "havent": "has not",
}  # fmt: skip
# Verb forms without a third-person "s": auxiliaries and irregular pasts, except pasts that are more often a present
# tense in the first person ("I lay", "I spread").
_UNCHANGED = frozenset(
    (
        "will would can cannot could should may might must was wasn't couldn't wouldn't shouldn't didn't had did "
        "hasn't hadn't arose ate awoke beat became began bent bet bit bled blew bore bought bound bred broke "
        "brought built burnt burst came caught chose clung cost crept cut dealt dove drank dreamt drew drove dug "
        "dwelt fed fell felt fled flew flung forbade forgave forgot forsook fought found froze gave got grew "
        "heard held hid hit hung hurt kept knelt knew leant leapt learnt led left lent let lit lost made meant "
        "met misled mistook misunderstood outgrew overcame overheard overslept overtook paid proved put quit ran "
        "rang read rebuilt redid reran rewrote rode rose said sang sank sat saw sent set shone shook shot showed "
        "shrank shut slept slid slung smelt snuck sold sought spat sped spelt spent spilt split spoilt spoke "
        "sprang spun stole stood strode strove struck stuck stung stunk swam swept swore swung taught thought "
        "threw thrived told took tore trod understood undertook undid upheld upset went wept withdrew withheld "
        "withstood woke won wore wound wove wrote wrung"
    ).split()
)
_PRESENT_IN_ED = frozenset(
    {"need", "feed", "breed", "exceed", "proceed", "succeed", "speed", "bleed", "shed"}
)
_ALSO_PRESENT = frozenset(
    "will can cannot may must bet burst cost cut hit hurt let put quit read set shut split upset".split()
)
PAST = (
    rf"(?:(?!(?:{'|'.join(sorted(_PRESENT_IN_ED))})\b)\w+ed|{'|'.join(sorted(_UNCHANGED - _ALSO_PRESENT))})\b"
)
"""Pattern of unambiguous past tenses."""
_PARTICIPLE = re.compile(rf"{PAST}|been|done|gone|seen|taken|given|written|chosen|known", re.IGNORECASE)
VERBS = (
    "live|work|study|teach|run|own|manage|lead|play|speak|have|am|like|love|hate|enjoy|prefer|need|want|use|drive|cycle|"
    "commute|travel|drink|eat|cook|read|write|train|swim|sing|paint|volunteer|take|make|share|rent|keep|sleep|suffer|"
    "avoid|do|go|get|plan|hope|intend|know|code|build|deploy|maintain|develop|listen|buy|sell|wear|spend|tend|wake|"
    "grow|struggle|attend|collect|become|believe|bring|carry|send|serve|walk|weigh|see|try|start|finish|stay|pay|ride|bake|"
    "jog|hike|smoke|stretch|meditate|support|follow|watch|visit|help|wash|meet|call|look|feel|skip|order|bike|climb|dance|"
    "knit|garden|relax|return|leave|arrive|check|answer|speak|pray|fast|exercise|practi[cs]e|babysit|coach|mentor|"
    r"come(?=\s+from\b)"
)
"""Pattern of verbs that may follow "and" with the same subject."""
_AND_VERB = re.compile(
    r"(?P<join>\b(?:and|but|then)\s+(?:(?:also|mostly|often|usually|always|never|now)\s+)?)"
    rf"(?P<verb>{VERBS})\b(?!\s+(?:is|are)\b)"
    # After a comma, the word may be a noun, so another word must confirm the verb: "wakes up at six, run 5k and …"
    rf"|(?P<comma>,\s+)(?P<listed>{VERBS})\b(?=\s+(?:\d|(?:an?|the|my|at|in|to|for|with|from|up|on|it|them|home|out)\b))"
)
# After a past tense, a verb is in the present tense: "was born in Rome and live in Oslo". Many of VERBS are also nouns.
_AND_PRESENT = re.compile(
    r"(?P<join>\b(?:and|but)\s+(?:(?:also|mostly|often|usually|always|never|now|still)\s+)?)"
    r"(?P<verb>live|work|teach|own|run|manage|speak|have|am|like|love|hate|enjoy|prefer|want|commute|eat|write|know|"
    r"build|sell|wear|spend|go|come|keep|take|make)"
    r"(?=\s+(?:\d|(?:an?|the|their|at|as|in|to|for|with|from|near|on|it|them|here|there|now)\b))"
)
_MODALS = frozenset(
    "will would can cannot could should may might must did wasn't weren't couldn't wouldn't shouldn't didn't".split()
)
_CAUSES = frozenset("let made helped had saw heard watched felt".split())
_OTHERS_ACT = re.compile(r"\b(?:who|where|that|which|how|because|they|you|people)\b")
# After "I'm going to move and", the next verb is an infinitive; after "I've swum and", "run" is a participle.
_INFINITIVE = re.compile(
    "".join(f"(?<!{adjective} )" for adjective in "allergic intolerant addicted married close next".split())
    + r"\b(?:to|about|gonna)\s+(?!(?:an?|the|their|this|that|his|her|its|work|school|university|college)\b)[a-z]"
)
_OWN_PARTICIPLE = frozenset({"run", "read", "become", "come"})
# "Every Sunday I …", "As a nurse, I …": the rendering moves the front to the end.
_FRONTED = re.compile(r"^(?P<front>[A-Z][\w' -]{1,60}?),?\s+(?=(?:I|we)\b)", re.IGNORECASE)
_BOTH = re.compile(r"^(we(?:['\u2019](?:re|ve|ll|d))?)\s+both\b", re.IGNORECASE)
_LETS = re.compile(r"^let['\u2019]?s\s+", re.IGNORECASE)
_CALL_ME = re.compile(r"^call(?:ed)?\s+me\s+", re.IGNORECASE)
# "Both my kids are …"
_SOME_OF_MY = re.compile(
    r"^(?P<some>both|all|one|two|three|most|some|each|none)(?:\s+of)?\s+(?:my|our)\b", re.IGNORECASE
)
_OWN = re.compile(r"(?:I|we|my|our)(?![\w/-])|call me (?-i:[A-Z])", re.IGNORECASE)
_JOINS = re.compile(r"^(?:and|but|so)\s+", re.IGNORECASE)
_TO_ME = re.compile(r"(?<=[a-z])\s+me\b")
_MY = re.compile(r"^(?:my|our)\b", re.IGNORECASE)
_PARTS = read_table("graph.conversations.extraction", "english.toml")["parts"]
_PEOPLE = _PARTS["PEOPLE"].replace("<KIN>", _PARTS["KIN"]).replace(" ", r"\s+")
_RELATIVE = re.compile(rf"\s+(?:[\w-]+\s+){{0,2}}?{_PEOPLE}\b(?!\s+and\s+(?:my|our)\b)", re.IGNORECASE)
_POSSESSIVE, _OBJECT = (
    re.compile(rf"(?<![\w'\u2019/-])(?:{words})(?![\w'\u2019/-])", re.IGNORECASE)
    for words in ("my|our", "me|us")
)


def speaks_of_itself(sentence: str) -> bool:
    """Tell whether a sentence mentions its speaker, as "I" or "my" do."""
    return "我" in sentence or any(old.search(sentence) for old, _ in _REWRITES)


def _beside_a_relative(rest: str, subject: str) -> str:
    """Name the subject again behind a relative: after "My parents live in my house", "their" would be the parents'."""
    person = _RELATIVE.match(rest)
    if person is None:
        return rest
    behind = _POSSESSIVE.sub(f"{subject}'s", rest[person.end() :])
    return rest[: person.end()] + _OBJECT.sub(subject, behind)


def third_person(sentence: str) -> str:
    """Return an English sentence in the third person."""
    for old, new in _REWRITES:
        sentence = old.sub(new, sentence)
    return sentence


def third_person_zh(sentence: str, who: str = "用户") -> str:
    """Return a Chinese sentence of the user in the third person.

    Uses "自己" for a second "我" only if it can refer to nobody but the user: after another person, it would mean them.

    >>> third_person_zh("我和我的猫要搬家")
    '用户和自己的猫要搬家'
    >>> third_person_zh("我妈觉得我太胖")
    '用户妈觉得用户太胖'
    """
    if not contains_cjk(sentence):
        return sentence
    rendered = _OF_ITSELF_ZH.sub(r"\g<begin>自己", sentence)
    led = _LEADING_SELF_ZH.match(rendered)
    begin, rest = (who, rendered[led.end() :]) if led else ("", rendered)
    return begin + _SELF_ZH.sub(who, _SELVES_ZH.sub(f"{who}他们", rest))


def render_fact(sentence: str, subject: str = USER) -> str:
    """Return a statement that a rule has read as its speaker's, in the third person and without its final punctuation.

    The speaker is always named. The rule has excluded conditions and suggestions, so the front of the sentence may move
    to its end, and "let's" states a decision; neither is certain in other sentences: see :func:`render_sentence`.

    Args:
        sentence: English statement about ``I``, ``my``, ``we`` or ``our``; any other is quoted.
        subject: Name of the speaker.
    """
    bare = _BOTH.sub(r"\1", sentence.strip().rstrip(".!;:, "))
    if match := _MY.match(bare):
        return f"{subject}'s{third_person(_beside_a_relative(bare[match.end() :], _within(subject)))}"
    if some := _SOME_OF_MY.match(bare):
        return f"{some['some'].capitalize()} of {_within(subject)}'s{third_person(bare[some.end() :])}"
    for beginning, stated in ((_LETS, "decided to"), (_CALL_ME, "is called")):
        if match := beginning.match(bare):
            return f"{subject} {stated} {third_person(bare[match.end() :])}"
    match = _BEGINNING.match(bare)
    if match and (match["verb"] or match["short"]):
        return f"{subject} {_predicate(match)}{_coordinated(third_person(bare[match.end() :]), match)}"
    if fronted := _FRONTED.match(bare):
        return with_front(render_fact(bare[fronted.end() :], subject), fronted["front"])
    return _of_others(bare, subject)


def render_sentence(sentence: str, subject: str = USER) -> str:
    """Return a sentence that no rule has read; it names its speaker as the subject, as "me", or by a quotation.

    A sentence without a word for its speaker stays unchanged. A front or "let's" is quoted, unlike in
    :func:`render_fact`.

    >>> render_sentence("Aspirin gives me hives"), render_sentence("The cats need my attention")
    ('Aspirin gives the user hives', 'The user said: The cats need my attention')
    """
    if _OWN.match(sentence):
        return render_fact(sentence, subject)
    to = _TO_ME.search(sentence)
    if to is not None and not speaks_of_itself(sentence[: to.start()]):
        return _of_others(sentence, subject)
    return f"{subject} said: {sentence}" if speaks_of_itself(sentence) else sentence


def _of_others(bare: str, subject: str) -> str:
    """Render a sentence with "me" as the object, "aspirin gives me hives"; quote any other sentence."""
    to = _TO_ME.search(bare)
    if to is None:
        return f"{subject} said: {bare}"
    before, after = third_person(_JOINS.sub("", bare[: to.start()])), third_person(bare[to.end() :])
    return f"{before[:1].upper()}{before[1:]} {_within(subject)}{after}"


def _within(subject: str) -> str:
    """Return the spelling of a subject in the middle of a sentence."""
    return subject[0].lower() + subject[1:] if subject in (USER, ASSISTANT, PARTICIPANT) else subject


def with_front(rendered: str, front: str) -> str:
    """Return a rendered sentence followed by its front, such as "Every Sunday"; the front may be empty."""
    return f"{rendered}, {third_person(front[:1].lower() + front[1:])}" if front else rendered


def render_fact_zh(sentence: str, subject: str | None = None) -> str:
    """Return a Chinese first-person sentence in the third person; see :func:`render_fact`."""
    return third_person_zh(END_ZH.sub("", sentence.strip()), subject or USER_ZH)


def _predicate(match: re.Match[str]) -> str:
    adverbs, verb = match["adverbs"], match["verb"] or ""
    if match["short"]:
        return f"{_long_form(match)} {adverbs}{verb}".rstrip()
    return f"{adverbs}{_verb_in_third_person(verb)}"


def _long_form(match: re.Match[str]) -> str:
    """Return the auxiliary of a short form: ``had`` of "I'd booked", ``would`` of "I'd book"."""
    had = match["short"][1:].lower() == "d" and _PARTICIPLE.fullmatch(match["verb"] or "")
    return "had" if had else _SHORT_FORMS[match["short"][1:].lower()]


def _verb_in_third_person(verb: str) -> str:
    """Return the third-person singular of a verb: ``lives``, ``has``, ``went``, ``moved``."""
    plain = verb.lower().replace("\u2019", "'")
    if plain in _IRREGULAR:
        return _IRREGULAR[plain]
    if _is_past(plain):
        return verb.lower()
    if plain.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{plain}es"
    if plain.endswith("y") and plain[-2:-1] not in "aeiou":
        return f"{plain[:-1]}ies"
    return f"{plain}s"


def _is_past(verb: str) -> bool:
    """Tell whether a verb has the same form in the third person, as pasts and auxiliaries do."""
    return verb in _UNCHANGED or (verb.endswith("ed") and verb not in _PRESENT_IN_ED)


def _coordinated(rest: str, match: re.Match[str]) -> str:
    """Put verbs in the present tense after "and" into the third person."""
    short = _long_form(match) if match["short"] else None
    first = (match["verb"] or "").lower()
    if short in {"will", "would", "had"} or (short is None and first in _MODALS):
        return rest
    is_past = short is None and _is_past(first)
    if is_past and first in _CAUSES:
        return rest

    def agreeing(found: re.Match[str]) -> str:
        verb, before = found["verb"] or found["listed"], first + rest[: found.start()]
        if is_past:
            is_other = any(pattern.search(before) for pattern in (_INFINITIVE, _OTHERS_ACT))
        else:
            is_participle = verb in _OWN_PARTICIPLE and (
                short == "has" or rest[found.end() :].lstrip().startswith("by ")
            )
            is_other = short is not None and (is_participle or _INFINITIVE.search(before) is not None)
        told = "reads" if verb == "read" else _verb_in_third_person(verb)
        return found[0] if is_other else (found["join"] or found["comma"]) + told

    return (_AND_PRESENT if is_past else _AND_VERB).sub(agreeing, rest)


# Beginning of an assistant's statement about the user; excludes advice, assumptions and offers.
_OF_YOU = re.compile(
    r"(?!.*\b(?:if|when|whether|unless|should|suppose|in case|by\s+\w+ing)\b)"
    r"(?:(?:got\s+it|noted|understood|ok(?:ay)?|to\s+recap|recap):\s+|(?!(?:in|on|for|during)\s+(?!short\b|summary\b)|e\.g|say\b|imagin|pretend|"
    r"suppos|hypothe|once\b)[^,;:]{0,60}[,;]\s+)?(?:(?:so|and|as|I\s+see|I\s+know|I\u2019ll\s+remember|noted)\s+(?:that\s+)?)?"
    r"(?:you\s+(?:told\s+me|mentioned|said)\s+(?:that\s+)?)?"
    r"(?=you\s+(?:really\s+|also\s+|still\s+)?(?:prefer|like|love|enjoy(?!\s+(?:an?|the|free|full|unlimited|exclusive|access|all|up\s+to|\d+%?)\b)|dislike|hate|avoid|"
    r"live(?!\s+(?:and|only|once|longer)\b)|work|(?:don\u2019?t|do\s+not)\s+"
    r"(?:like|enjoy|eat|drink))\b|you(?:\s+are|\u2019re)\s+(?:not\s+)?(?:allergic|vegan|vegetarian|married|based|an?\s)|"
    r"your\s+(?:name\s+is\s+(?=(?-i:[A-Z]))|(?:birthday|favou?rite)\b)(?!.{0,80}\b(?:not|unknown|unclear|too|required|needed|missing|empty|invalid|optional|mandatory|stored|displayed|"
    r"shown|used|visible|public|important|safe)\b))",
    re.IGNORECASE,
)
_OF_YOU_ENDS = re.compile(r",\s+(?:so|and|but|which|I)\b|\s+(?:so|but)\s+(?=I\b)", re.IGNORECASE)
_FIRST_PERSON_FORMS = [
    (re.compile(rf"\b{old}\b", re.IGNORECASE), new)
    for old, new in (
        (r"you\u2019re", "I\u2019m"),
        (r"you\s+are", "I am"),
        (r"your", "my"),
        (r"yours", "mine"),
        (r"yourself", "myself"),
        (r"you", "I"),
    )
]


def in_first_person(sentence: str) -> str | None:
    """Return an assistant's statement about the user in the first person; None for any other sentence.

    >>> in_first_person("Got it, you prefer quiet hotels, so I left it out.")
    'I prefer quiet hotels'
    """
    match = _OF_YOU.match(sentence)
    if match is None:
        return None
    statement = _OF_YOU_ENDS.split(sentence[match.end() :])[0]
    for old, new in _FIRST_PERSON_FORMS:
        statement = old.sub(new, statement)
    return statement
