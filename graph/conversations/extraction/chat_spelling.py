"""English as people type it in chats, spelled as the rules know it: "im" for "I'm", "dont" for "don't"."""

import re
from collections.abc import Iterable, Iterator

_NOT = re.compile(
    r"\b(did|Did|does|Does|is|Is|are|Are|was|Was|were|Were|have|Have|has|Has|had|Had|could|Could|would|Would|"
    r"should|Should|do|Do|ca|Ca|wo|Wo)nt\b"
)
_AM = re.compile(r"(?<![\w\u2019.@/#-])[Ii]m(?=\s+[\w\u2019])")
_HAVE = re.compile(r"(?:(?<![\w\u2019.@/#-])ive|^Ive)(?=\s+[a-z])")
# A name and an illness as well: a pronoun only where a clause begins and a verb or an adverb follows.
_BEGINS = (
    r"(?P<before>(?:^|[,;:.!\u2013\u2014-]\s{0,9}|\b(?:and|but|so|because|or|that|think|guess|maybe|yes|yeah|no|lol|btw|tbh|"
    r"honestly|ok|okay|well|then|said|know)\s{1,9}))"
)
_WOULD = re.compile(
    rf"{_BEGINS}[Ii]d(?=\s+(?:rather|like|love|prefer|hate|never|also|really|still|always|appreciate|want|say|go|be|take|"
    r"use|choose|recommend|been|better)\b)"
)
_WILL = re.compile(
    rf"{_BEGINS}[Ii]ll(?=\s+(?:be|use|take|go|have|never|always|also|try|stick|switch|do|get|make|need|move|start|stop|probably|"
    r"definitely|just|keep|work|buy|book|come|send|let|give|pay|call|visit|stay|travel|fly)\b)"
)
# "Vegan here, 34", "Based in Nairobi, working as a designer", "Allergic to cats, sadly": without a subject. What a dish
# is as well needs more: "Vegan since 2010", "Vegan, 34, based in Nairobi".
_SELF_ONLY = (
    r"(?:\s+here\b|\s+since\s+[\w\s]{2,30}(?=[,.;!]|$)|\s+for\s+(?:\w+\s+){1,3}?(?:years|months|decades)(?=[,.;!]|$)"
    r"|(?:,\s+(?:\d{1,3}|(?:based|living)\s+in\s+[\w\s-]{2,40}))+[.!]?$)"
)
_NO_SUBJECT = re.compile(
    r"^(?P<said>(?:(?:severely|highly|very|slightly|mildly)\s+)?allergic\s+to|based\s+in|born\s+(?:in|and\s+raised)|"
    rf"(?:vegan|vegetarian|pescatarian|diabetic|co?eliac|lactose\s+intolerant)(?={_SELF_ONLY}))(?:\s+here\b)?"
    r"(?!.*\b(?:is|are|was|were|has|can|does|did|the|he|she|it|they)\b|.*\?$)",
    re.IGNORECASE,
)
# A form that is filled in, and the heading of one that is about its author.
_FORM_HEADING = re.compile(
    r"(?:(?:here\s+are\s+)?my\s+(?:\w+\s+)?(?:details|data|info(?:rmation)?|profile|preferences)|(?:info(?:rmation)?\s+)?about\s+(?:me|myself))\s?:?$",
    re.IGNORECASE,
)
_FORM_LINE = re.compile(
    r"(?:my\s+)?(?:name|time\s?zone|diet|allergies|pronouns|age|height|weight|gender|location|city|country|job|occupation|goals?|"
    r"languages?)\s?:\s",
    re.IGNORECASE,
)
_FIELD = re.compile(
    r"(?P<my>my\s+)?(?:(?P<name>name)\s?:\s+(?=(?-i:[A-Z])[\w\u2019-]+\s(?-i:[A-Z]))(?!.*\b(?:form|list|table|file|sheet|report|project|"
    r"plan|template|inc|ltd|gmbh)\b)|(?P<is>time\s?zone|diet)\s?:\s+|(?P<are>allergies|pronouns)\s?:\s+)"
    r"(?=\w)(?!(?:I|my|we|see|tbd|n/?a)\b|.*(?:\?$|\bvs\b))",
    re.IGNORECASE,
)
_I = "I\u2019"
# Statements without a mark between them: "I'm 27 I live in Austin I work at Dell". The first are of a few
# forms only, since "the town I live in" looks alike.
_RUN_ON = re.compile(
    r"\b(?P<said>(?:I\u2019m|I\s+am)\s+(?:\d{1,3}|(?:not\s+)?(?:vegan|vegetarian|diabetic|married|single|divorced|pregnant|retired|unemployed)|"
    r"an?\s+(?!fan\b|big\b|bit\b|person\b)[\w-]+|(?:from|in|at)\s+[\w-]+|allergic\s+to\s+[\w-]+)|"
    r"I\s+(?:live|work|study)\s+(?:in|at|as|for|with)\s+(?:an?\s+)?(?!an?\b|the\b)[\w-]+)\s+"
    r"(?=(?:I\u2019m|I\s+(?:live|work|study|have|love|like|hate|am|drive|speak|play|use|run|teach)|my\s+\w+\s+(?:is|isn\u2019t|are|has|"
    r"hasn\u2019t|doesn\u2019t|hates|loves|likes|lives|works))\b)",
    re.IGNORECASE,
)


def with_fields_stated(said: Iterable[str]) -> Iterator[str]:
    """Yield sentences, with the fields of a form about the author as statements: it begins the message or is headed so.

    Below anything else a form may be about anybody.

    >>> list(with_fields_stated(["Diet: vegan", "Add this guest.", "Diet: keto"]))
    ['My diet is vegan', 'Add this guest.', 'Diet: keto']
    """
    is_about_author = True
    for sentence in said:
        field = _FIELD.match(sentence)
        if field and (is_about_author or field["my"]):
            called = field["name"] or field["is"] or field["are"]
            yield f"My {called.lower()} {'are' if field['are'] else 'is'} {sentence[field.end() :]}"
        else:
            yield sentence
        is_line = is_about_author and _FORM_LINE.match(sentence) is not None
        is_about_author = is_line or _FORM_HEADING.match(sentence) is not None


def spelled(sentence: str) -> str:
    """Return a sentence with the apostrophes that were left out, each as ``\u2019``, and statements apart that run on.

    >>> spelled("im vegan and ive got 2 cats, dont call")
    'I\u2019m vegan and I\u2019ve got 2 cats, don\u2019t call'
    """
    said = _NOT.sub("\\1n\u2019t", sentence.replace("'", "\u2019"))
    said = _HAVE.sub(f"{_I}ve", _AM.sub(f"{_I}m", said))
    said = _NO_SUBJECT.sub(lambda bare: f"{_I}m {bare['said'].lower()}", said)
    said = _WILL.sub(rf"\g<before>{_I}ll", _WOULD.sub(rf"\g<before>{_I}d", said))
    return _RUN_ON.sub(r"\g<said>; ", said)
