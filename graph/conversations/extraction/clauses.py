"""Splits English sentences into clauses with their conditions; drops hypotheses, reports and retracted clauses."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graph.conversations.extraction.phrasing import VERBS

_NOT = re.compile(
    r"\b(did|Did|does|Does|is|Is|are|Are|was|Was|were|Were|have|Have|has|Has|had|Had|could|Could|would|Would|"
    r"should|Should|do|Do|ca|Ca|wo|Wo)nt\b"
)
_AM = re.compile(r"(?<![\w\u2019.@/#-])[Ii]m(?=\s+[\w\u2019])")
_HAVE = re.compile(r"(?:(?<![\w\u2019.@/#-])ive|^Ive)(?=\s+[a-z])")
# "Id" and "ill" are also a name and an adjective: a contraction only at the beginning of a clause before these words.
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
# Statements without a subject: "Vegan here, 34", "Based in Nairobi, working as a designer", "Allergic to cats, sadly".
# Words that may also describe a dish need more context: "Vegan since 2010", "Vegan, 34, based in Nairobi".
_SELF_ONLY = (
    r"(?:\s+here\b|\s+since\s+[\w\s]{2,30}(?=[,.;!]|$)|\s+for\s+(?:\w+\s+){1,3}?(?:years|months|decades)(?=[,.;!]|$)"
    r"|(?:,\s+(?:\d{1,3}|(?:based|living)\s+in\s+[\w\s-]{2,40}))+[.!]?$)"
)
_NO_SUBJECT = re.compile(
    r"^(?P<said>(?:(?:severely|highly|very|slightly|mildly)\s+)?allergic\s+to|based\s+in|born\s+(?:in|and\s+raised)|"
    rf"(?:vegan|vegetarian|pescatarian|asthmatic|epileptic|dyslexic|(?:type\s+(?:1|2|one|two)\s+)?diabetic|co?eliac|lactose\s+intolerant)(?={_SELF_ONLY}))(?:\s+here\b)?"
    r"(?!.*\b(?:is|are|was|were|has|can|does|did|the|he|she|it|they)\b|.*\?$)",
    re.IGNORECASE,
)
# Statements that begin with their verb: "Been carving spoons for years", "Moved to Oslo in May".
_VERB_FIRST = re.compile(
    r"^(?P<said>(?P<perfect>been)|haven\u2019t|grew\s+up|moved\s+(?:to|from|here)|live\s+in|work\s+(?:as|at|for|in)|hate|love|prefer|"
    r"can\u2019t\s+(?:eat|drink|stand)|don\u2019t\s+(?:eat|drink|drive|own|smoke)|never\s+(?:eat|drink|learned)|got\s+(?:married|engaged|divorced|an?|two|"
    r"three|the|my)|just\s+(?:moved|adopted|got|started|turned)|started\s+(?:my|at|as)|(?:tore|broke)\s+my)\b(?=\s+[a-z\d])(?!.*\?$)",
    re.IGNORECASE,
)
# Heading of a form about its author, and lines of such a form.
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
# Statements without punctuation between them: "I'm 27 I live in Austin I work at Dell". The first statement must have
# one of a few forms, because "the town I live in" looks similar.
_RUN_ON = re.compile(
    r"\b(?P<said>(?:I\u2019m|I\s+am)\s+(?:\d{1,3}|(?:not\s+)?(?:vegan|vegetarian|diabetic|married|single|divorced|pregnant|retired|unemployed)|"
    r"an?\s+(?!fan\b|big\b|bit\b|person\b)[\w-]+|(?:from|in|at)\s+[\w-]+|allergic\s+to\s+[\w-]+)|"
    r"I\s+(?:live|work|study)\s+(?:in|at|as|for|with)\s+(?:an?\s+)?(?!an?\b|the\b)[\w-]+)\s+"
    r"(?=(?:I\u2019m|I\s+(?:live|work|study|have|love|like|hate|am|drive|speak|play|use|run|teach)|my\s+\w+\s+(?:is|isn\u2019t|are|has|"
    r"hasn\u2019t|doesn\u2019t|hates|loves|likes|lives|works))\b)",
    re.IGNORECASE,
)

# "I'm back from Rome, where I live now": the clause is about the place before it.
_WHERE = re.compile(
    r"\b(?P<place>(?!(?:I|We)\b)[A-Z][\w\u2019-]*(?:\s[A-Z][\w\u2019-]*){0,2}),?\s+where\s+"
    r"(?P<stated>(?:I|we)\s+(?:(?:now|also|both|still|currently)\s+)?(?:live|work|study|grew\s+up|was\s+born|were\s+born))\b(?!\s+(?:in|at)\b)"
)


def with_fields_stated(sentences: Iterable[str]) -> Iterator[str]:
    """Yield sentences; convert the fields of a form about the author into statements.

    A form is about the author at the beginning of a message or below a heading such as "About me". Elsewhere, it may
    be about anybody.

    >>> list(with_fields_stated(["Diet: vegan", "Add this guest.", "Diet: keto"]))
    ['My diet is vegan', 'Add this guest.', 'Diet: keto']
    """
    is_about_author = True
    for sentence in sentences:
        field = _FIELD.match(sentence)
        if field and (is_about_author or field["my"]):
            called = field["name"] or field["is"] or field["are"]
            yield f"My {called.lower()} {'are' if field['are'] else 'is'} {sentence[field.end() :]}"
        else:
            yield sentence
        is_line = is_about_author and _FORM_LINE.match(sentence) is not None
        is_about_author = is_line or _FORM_HEADING.match(sentence) is not None


def spelled(sentence: str) -> str:
    """Return a sentence with missing apostrophes added as ``\u2019``, missing subjects, and run-on statements split.

    >>> spelled("im vegan and ive got 2 cats, dont call")
    'I\u2019m vegan and I\u2019ve got 2 cats, don\u2019t call'
    """
    text = _NOT.sub("\\1n\u2019t", sentence.replace("'", "\u2019"))
    text = _HAVE.sub(f"{_I}ve", _AM.sub(f"{_I}m", text))
    text = _NO_SUBJECT.sub(lambda bare: f"{_I}m {bare['said'].lower()}", text)
    text = _VERB_FIRST.sub(
        lambda bare: f"{_I}ve been" if bare["perfect"] else f"I {bare['said'].lower()}", text
    )
    text = _WILL.sub(rf"\g<before>{_I}ll", _WOULD.sub(rf"\g<before>{_I}d", text))
    text = _WHERE.sub(r"\g<place>, \g<stated> in \g<place>", text)
    return _RUN_ON.sub(r"\g<said>; ", text)


_OWN = r"(?=(?:I|my|we|our)\b(?!/))"
# Front of a contrasting clause: "At work I use Java, at home I use Rust".
_ELSEWHERE = (
    r"(?:in|on|at|during|after|before|for|with)\s+(?:(?:the|my|our)\s+)?"
    r"(?!(?:an?|the|my|our|I|we|that|wh\w+)\b)[\w-]+\s+(?:I|we)\b"
)
_CLAUSE = re.compile(
    rf"(?:[,;]\s{{0,9}}|\s{{1,9}})(?P<word>and|but|so|because|although|though|since|while)\s{{1,9}}(?:now\s{{1,9}})?{_OWN}"
    rf"|,\s{{1,9}}now\s{{1,9}}{_OWN}|(?:,\s{{1,9}}|,?\s{{1,9}}(?:and|but|while)\s{{1,9}})(?={_ELSEWHERE})"
    rf"|;\s{{1,9}}|\s{{1,9}}[\u2013\u2014-]\s{{1,9}}|,\s{{1,9}}{_OWN}|,\s{{1,9}}(?:(?:and|so|but|please)\s{{1,9}})?(?=call\s+me\b)"
    r"|,\s{1,9}(?:and|but|so)\s{1,9}(?=(?:in|on|at|during|after|before|every)\s+(?!(?:I|we)\b)[^,;]{1,40}?\s(?:I|we)\b)",
    re.IGNORECASE,
)
REPORTS = (
    r"(?:said|says|say|told \w+|tells \w+|wrote|writes|replied|replies|answered|asked|asks|thinks|thought|claims|"
    r"claimed|insists|insisted|joked|jokes|added|shouted|whispered|goes|went on|complains|complained|believes|believed|"
    r"assumes|assumed|suggests|suggested|swears|swore)"
)
# First part of a joint subject: "My wife and my son are vegan".
_ONE_OF_TWO = re.compile(
    r"(?:my|our)\s+(?:(?:older|elder|younger|little|big|best)\s+)?[\w\u2019-]+,?\s+and\s+(?=(?:my|our)\s+(?:(?:older|elder|younger|little|big|"
    r"best)\s+)?[\w\u2019-]+\s+(?!(?:and|or|but)\b)\w)",
    re.IGNORECASE,
)
# End of a clause that introduces another person's words.
_SAYS = re.compile(rf"^(?!(?:as )?(?:I|we)\b).*\b{REPORTS}\s*:?$", re.IGNORECASE)
# Another person's report about the speaker, which continues after "and"; a doctor's report counts as fact.
_SAYS_OF_I = re.compile(
    r"^(?!(?:as )?(?:I|we)\b)(?!(?:my|our|the)\s+(?:\w+\s+)?(?:doctor|dentist|therapist|physio\w*|nurse|vet|gp|doc)\b)"
    rf".*\b{REPORTS}(?:\s+that)?\s+(?:I|we|my|our)\b",
    re.IGNORECASE,
)
# Object of a clause, and a pronoun for it in the next clause: "I love dogs, but I'm allergic to them".
_NAMED = re.compile(
    r"(?:(?P<own>I|we)|(?:my|our)\s+[\w\u2019-]+)\s+(?:(?:really|also|just|used\s+to)\s+)?"
    r"(?:loves?|likes?|adores?|enjoys?|prefers?|eats?|drinks?|plays?|ha(?:ve|s)|owns?|keeps?)\s+"
    r"(?P<of>(?:an?|my|our|two|three)\s+)?(?P<thing>(?!(?:an?|the|to|his|her|their|your|\w+ing)\s)(?:[\w-]+\s+)?"
    r"(?!(?:it|them|this|that|him|her|you|me|us|one|more|most|better|best|too|much|now|well|here|there|\w+ly)\b)[\w-]+)$",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?P<before>(?:I|we|my|our)\b(?!.*\b(?:they|it|them)\b.*\b(?:it|them)\b)[^,;]{1,80}\s)(?P<it>it|them)"
    r"(?=(?:\s+(?:though|too|now|anymore|any\s+more|either|at\s+all|as\s+well|so\s+much|a\s+lot|often|sometimes|daily|every\s+\w+))*[.!]*$)",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:(?<![siu])s|people|children|shrimp)$", re.IGNORECASE)
# Behind these, "since" names a time and no reason: "I've done judo since I was six".
_PERFECT = re.compile(r"(?:\u2019ve|\bhave|\bhaven\u2019t|\bhas|\bbeen)\b", re.IGNORECASE)
_NOT_FOR = re.compile(r"(?:\bnot|(?<!\bnot )\b(?:just|only|simply|merely))(?:\s+that)?$", re.IGNORECASE)
# "My name is Ada and live in Rome": the subject of the second verb is the speaker.
_NAME_AND = re.compile(
    r"^(?P<name>(?i:my)\s+(?i:name)(?:\s+is|['\u2019]s)\s+[A-Z][\w\u2019'-]*(?:\s+[A-Z][\w\u2019'-]*){0,3}),?\s+and\s+"
    rf"(?P<verb>{VERBS})(?P<third>s)?\b"
)
# Remains of a conjunction at the end of a clause: "not only", "but also".
_JOINT = re.compile(
    r"(?:,?\s{1,9}(?:not|just|only|partly|mainly|mostly|simply|and|but|so|or)(?:\s{1,9}also)?)++$",
    re.IGNORECASE,
)
# Announcement before a statement: "Here's my situation: I have two kids".
_LABEL = re.compile(rf"^(?P<own>(?:I|we)\b)?[^:]{{1,160}}:\s{{1,9}}{_OWN}", re.IGNORECASE)
_NOT_MEANT = re.compile(
    r"(?:[,;]?\s{1,9}(?:and|but|so))?(?:\s{1,9}(?:that|this|it|which))?\s{1,9}(?:doesn\u2019t|does\s+not|didn\u2019t|don\u2019t)\s+"
    r"(?:necessarily\s+|automatically\s+|always\s+)?mean\b.*",
    re.IGNORECASE | re.DOTALL,
)
# A corrected value at the end of a sentence: a name, a number or a noun, "I mean the aisle".
_VALUE = (
    r"(?:(?-i:[A-Z])[\w\u2019-]*(?:\s+(?-i:[A-Z])[\w\u2019-]*)*|(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten)(?:\s+\w+)?"
    r"|(?:an?|the|my)\s+(?!lot\b)[\w\u2019-]+(?:\s+\w+)?|(?!(?:I|it|that|so|yes|no)\b|\w+ly\b)\w+)\W*$"
)
# Words after "sorry" or "no" that address somebody or answer; any other noun there is a corrected value.
_NO_NOUNS = (
    "no yes not never nope nvm yeah yep wow hi hello cool correct exactly right whatever continue "
    "proceed go again repeat duplicate joke off-topic dude bro man mate folks guys boss captain dear "
    "silly ladies everyone all nothing nevermind typo please wait kidding joking serious thank thanks"
)
_NOUN = (
    rf"(?:(?:an?|the|my)\s+)?(?!(?:{'|'.join(_NO_NOUNS.split())}|\w+ly)\b)"
    r"(?-i:[a-z])[\w\u2019-]+\W*$"
)
_NOTHING_ELSE = (
    r"(?=(?:[,\s]+(?:anyway|at\s+least|though|lol|haha))?\W*$|,?\s+(?:I|we|my|our|it|that\u2019s\s+my)\b)"
)
_INSTEAD = (
    r"(?=\d|(?-i:[A-Z])|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten)\b(?!.*\b(?:please|for)\b))"
)
# "Well, I did until last month", "I used to."
_NO_LONGER = (
    r"(?:well,?\s+(?:I|we)\s+(?:did|was|were)(?=\W*$)|(?:I|we)\s+(?:did|was|were|used\s+to)\s+(?:until|till)|"
    r"(?:I|we)\s+used\s+to(?=\W*$))"
)
# Phrases that retract the clause before them: "I'm lactose intolerant, no wait, that's my brother".
_TAKEN_BACK = re.compile(
    r"[,;.\u2013\u2014-]\s{0,9}(?:oh\s+|well,?\s+|hm+,?\s+)?(?:no,?\s+wait|(?:wait|actually),?\s+no(?!\s+\w+\s+please\b)|wait,?\s+actually|"
    rf"no,?\s+actually|(?:actually,?\s+)?(?:make\s+that\s+{_INSTEAD}|(?:scratch|strike)\s+that)|or\s+rather|correction(?=\W*$|\s?[,:])|"
    r"just\s+kidding|jk|no,?\s+(?=(?:I(?!(?:\u2019m|\s+am)\s+(?:not\s+(?:kidding|joking)|serious)\b)|it\u2019s|that\u2019s)\b)|"
    rf"sorry,?\s+(?=\d)|sorry,?\s+(?:no(?=,)|not\s+(?=(?-i:[A-Z]))|I\s+mean(?=\s+{_VALUE}))|I\s+meant?\s+to\s+say|{_NO_LONGER}|"
    rf"(?:(?:no|sorry|oops|actually),|I\s+meant?)\s+(?={_NOUN}))\b[,:;.]?\s{{0,9}}",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"(?:(?:oh|well|hm+|(?:I\u2019m\s+)?sorry|oops|ok|okay|ah|lol|haha|wait|no|actually)[,.\u2026]?\s+){0,3}"
    rf"(?:{_NO_LONGER}|(?:(?<=sorry,\s)|(?<=oops,\s)|(?<=no,\s)|(?<=actually,\s)){_NOUN}|(?:not\s+any\s?more(?!\s+than)|until\s+(?:last|recently))\b|"
    r"(?:april\s+fools?|in\s+my\s+dreams|I\s+wish|said\s+(?:no\s+one|nobody)(?:\s+ever)?)(?=\W*$)|"
    rf"(?:actually,?\s+)?make\s+that\s+{_INSTEAD}|(?:scratch|strike)\s+that(?=\W*$|,|\s+I\b)|correction(?=\W*$|\s?[,:])|never\s*mind\s+that(?=\W*$)|"
    rf"I\s+meant?,?\s+{_VALUE}|wait,?\s+that\u2019s\s+(?:my|not)\b|was(?:\s+one|\s+anyway)?[.!\u2026]*$|"
    r"(?:actually,?\s+no|wait,?\s+(?:no|actually)|no\s+longer|used\s+to\s+be|(?:I\u2019m\s+|I\s+was\s+)?(?:just\s+)?(?:kidding|joking)|jk|"
    rf"that\u2019s\s+(?:wrong|not\s+true|not\s+right)(?:\s+any\s?more)?){_NOTHING_ELSE})",
    re.IGNORECASE,
)
# Corrections with a value only, "No, four", "Oops, 5 May", "I meant Bergen", or with the whole statement, "Sorry, I
# live in Bergen". A name after "sorry" may address the listener.
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_DAY = r"\b\d{1,2}(?:st|nd|rd|th)?"
_WEEKDAY = r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
_DATE = rf"(?:{_WEEKDAY},?\s+)?(?:\b{_MONTH}\s{_DAY}\b|{_DAY}(?:\sof)?\s{_MONTH}(?!\w))"
_NUMBER = (
    r"\b(?:(?:\d[\d.,:/-]*\d|\d)(?:st|nd|rd|th|\s?[ap]m)?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
)
_NAME = r"(?!(?:I|OK|YES|NO)\b)(?-i:[A-Z])[\w\u2019'-]*(?:\s(?-i:[A-Z])[\w\u2019'-]*){0,3}"
_ASSISTANTS = r"(?:Claude|ChatGPT|GPT|Gemini|Copilot|Siri|Alexa)\b"
_PUTS_RIGHT = re.compile(
    r"(?:(?:oh|ah|hm+)\b[,.!\u2026]*\s+)?"
    r"(?:(?:no|nope|wait|(?:I['\u2019]?m\s+)?sorry|oops|whoops|well|actually|correction|edit|my\s+(?:bad|mistake)|er+m?|u[hm]+|scratch\s+that)"
    r"(?:[,.!:\u2026]+\s+|\s+(?=(?:no|wait|sorry|actually|I\s+mean)\b))|actually\s+|(?:sorry|wait)\s+(?=\d(?![^.]*\b(?:second|minute|moment|question)s?\b)|\w+day\b)"
    r"|(?:I\s+meant?(?:\s+to\s+say)?|make\s+that|or\s+rather)(?:,\s+|\s+)|(?=(?:\d|\w+day\b)[^,]{0,20},\s+sorry\W*$)){1,3}"
    r"(?:(?P<again>(?:I|my|we|our)\b.{1,200})"
    r"|(?:(?:it|that)(?:['\u2019]s|\s+is)\s+)?(?:(?P<behind>on|in|at|to|from|for|called|named)\s+)?"
    rf"(?:the\s+(?=\d))?(?:(?P<date>{_DATE})|(?P<weekday>{_WEEKDAY})|(?P<number>{_NUMBER})(?P<unit>(?<!one)\s(?!not\b)\w+)?"
    rf"|(?P<called>(?<=sorry,\s)(?!{_ASSISTANTS}){_NAME}|(?<!sorry,\s){_ASSISTANTS})|(?P<name>(?<!sorry,\s){_NAME}))"
    r"(?:,\s+sorry|,?\s+not\s+[^,]{1,40})?)\W*$",
    re.IGNORECASE,
)
_VALUES = {
    kind: re.compile(value, re.IGNORECASE)
    for kind, value in {
        "date": _DATE,
        "weekday": _WEEKDAY,
        "number": _NUMBER,
        "called": rf"(?<=[\w,]\s){_NAME}",
        "name": rf"(?<=[\w,]\s){_NAME}",
    }.items()
}
_VALUE_ALONE = re.compile(rf"{_NUMBER}|(?-i:[A-Z])", re.IGNORECASE)
_PUT_RIGHT_WITHIN = re.compile(rf"[,;(\u2013\u2014]\s{{0,9}}(?={_PUTS_RIGHT.pattern})", re.IGNORECASE)
_UNREAL = re.compile(
    r"(?:suppose|supposing|imagine|pretend|let\u2019s\s+(?:say|pretend|assume)|say\s+(?:I|we)\b|what\s+if|as\s+if|assuming|"
    r"hypothetically|theoretically|in\s+theory|for\s+the\s+sake\s+of\s+argument|once\s+upon\s+a\s+time|if\s+only|in\s+an?\s+(?:perfect|ideal)\s+world"
    r"|(?:even\s+)?if\s+(?:I|we|my\s+\w+|it|they|he|she)\s+(?:were\b|(?:was|had|could|\w+ed)\b(?=.*(?:\u2019d\b|\b(?:would|could|might)\b)))"
    r"|according\s+to\s+(?:\w+\s+){1,3}?(?:horoscope|zodiac|star\s+sign|fortune\s+cookie|quiz)\b"
    # stories, games, exercises
    r"|(?:in|for|on|during)\s+(?:my|our|the|this|that|an?|his|her|your)\s+(?:[\w&\u2019-]+\s+){0,3}?(?:novel|stor(?:y|ies)|book|game|"
    r"dreams?|nightmare|campaign|scenario|script|film|movie|play|past\s+life|fantasy|role-?play|simulation|hypothetical|"
    r"example|scene|chapter|poem|song|fan-?fic\w*|screenplay|comic|rpg|larp|skit|sketch|fiction|universe|alternate\s+\w+|"
    r"sentence|exercise|prompt)\b(?!\s+(?:industry|business|studies|school|class|club|company|studio)\b)|in\s+(?:d&d|dnd|minecraft|skyrim|character)\b"
    # user stories, and an assistant's statements about itself
    r"|as\s+an?\s+(?:(?:[\w-]+\s+){0,2}?(?:user|customer|client|visitor|guest|subscriber|buyer|shopper|seller|stakeholder|AI|"
    r"language\s+model|chatbot|bot)|(?:site\s+|AI\s+|virtual\s+)?(?:admin|administrator|moderator|assistant))\b,?\s+I\b)",
    re.IGNORECASE,
)
_LIMITS = (
    r"(?:when|whenever|if|even\s+if|unless|until|till|before|after|once|while|whilst|as\s+long\s+as|back\s+when|during|in|at|on|as|"
    r"for|with|without|since|by|under|around|from|every|each|most|some|last|next|these)"
)
_FRONT = re.compile(
    r"(?P<adverb>lately|nowadays|sometimes|usually|normally|mostly|often|occasionally|currently|recently|generally|typically)"
    rf"(?:,\s{{0,9}}|\s{{1,9}}){_OWN}|(?P<front>{_LIMITS}\b(?:[^,;:?]|,(?!\s*(?:since|because|and|but|so|although|though)\b)){{1,100}}?),\s+{_OWN}"
    rf"|(?P<bare>{_LIMITS}\s+(?:(?:I|we)(?:\u2019\w+)?\s+)?(?:(?!(?:I|we)\b)[\w\u2019&.-]+\s+){{1,6}}?)(?<!\band\s)(?=(?:I|we)(?:\s|\u2019))",
    re.IGNORECASE,
)
_FRONT_BEHIND = re.compile(
    r"[,;]?\s{1,9}(?:and|but|so)\s{1,9}(?P<front>(?:when|whenever|if|unless|until|before|after|once|during|in|at|on|as)\b[^,;]{1,80})$",
    re.IGNORECASE,
)
# Fronts that do not restrict the statement.
_IDLE = re.compile(
    r"(?:as\s+(?:a\s+(?:result|side\s+note|matter\s+of\s+fact|rule|treat|reminder|reference|heads[ -]up|reason)|"
    r"an\s+(?:aside|fyi|example|update)|I\s+(?:said|mentioned|told)|you|such|always|well|usual|mentioned|before|of|for|per)\b|"
    r"in\s+(?:fact|general|short|other\s+words|addition|any\s+case|case|conclusion|summary|particular|the\s+end|"
    r"all\s+honesty|my\s+(?:humble\s+)?(?:opinion|case|experience|view)|truth|contrast|reality|terms|hindsight|retrospect|response)\b|"
    r"at\s+(?:least|this\s+point|the\s+end\s+of|last|first|present|any\s+rate)\b|"
    r"on\s+(?:top\s+of|the\s+other\s+hand|(?:an?\s+)?(?:\w+\s+)?note|that\s+note|second\s+thoughts?)\b|"
    r"for\s+(?:context|reference|example|instance|sure|the\s+record|what\s+it\u2019s|now|starters|clarity|me|us|some\s+reason|that|this)\b|"
    r"before\s+(?:I\s+forget|you|we|anything)\b|after\s+(?:all|that|this)\b|since\s+(?:you|then)\b|"
    r"(?:even\s+)?if\s+(?:it\s+(?:matters|help(?:s|ed))|you\b|I\u2019m\s+(?:being\s+)?honest|I\s+(?:remember|recall)|memory|that|anyone)\b|"
    r"when\s+it\s+comes\b|with\s+(?:that|this|all|respect|regard)\b|by\s+(?:the\s+way|now|then)\b|"
    r"from\s+(?:what|now|my\s+(?:side|end))\b|until\s+now\b|most\s+importantly|by\s+(?:trade|training|profession))",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class StatedClause:
    """One clause of a sentence.

    Attributes:
        text: Text from the subject on, untrimmed.
        front: Time, place or condition, such as "When I'm stressed"; empty: none.
        is_contrast: Whether the clause follows "but".
    """

    text: str
    front: str = ""
    is_contrast: bool = False


def takes_back(sentence: str) -> bool:
    """Tell whether a sentence retracts the previous one: "Scratch that, aisle."."""
    return _TAKES_BACK.match(sentence) is not None


def put_right(sentence: str, correction: str) -> str | None:
    """Return a sentence with the value of a following correction.

    Empty if it is unclear which value the correction replaces; None if the sentence has no such value, or the following
    sentence is no correction.

    >>> put_right("I have three cats.", "No, four.")
    'I have four cats.'
    """
    right = _PUTS_RIGHT.match(correction)
    if right is None or correction.endswith("?"):
        return None
    if right["again"]:
        return right["again"] if _differ_in_a_value(sentence, right["again"]) else None
    kind = next(kind for kind in _VALUES if right[kind])
    wrong = [each.span() for each in _VALUES[kind].finditer(sentence)]
    unit = right["unit"] or ""
    behind = f" {right['behind']} " if right["name"] and right["behind"] else ""
    if (right["number"] or "").lower().endswith(("am", "pm")):
        wrong = [(start, end) for start, end in wrong if sentence[start:end].lower().endswith("m")]
    if kind == "called":
        wrong = [(start, end) for start, end in wrong if not sentence[start:end].endswith("day")]
    alike = [
        (start, end)
        for start, end in wrong
        if sentence.startswith(unit, end) and sentence.endswith(behind, 0, start)
    ]
    if kind == "called" or len(alike) != 1:
        return "" if wrong or kind in ("date", "weekday") else None
    ((start, end),) = alike
    return f"{sentence[:start]}{right[kind]}{sentence[end:]}"


def _differ_in_a_value(sentence: str, again: str) -> bool:
    """Tell whether two sentences differ in exactly one word, which is a number or a name in both."""
    ones, others = (re.findall(r"[\w'\u2019:/-]+", each) for each in (sentence, again))
    differing = [pair for pair in zip(ones, others, strict=False) if pair[0] != pair[1]]
    return (
        len(ones) == len(others)
        and len(differing) == 1
        and all(_VALUE_ALONE.match(word) for word in differing[0])
    )


def put_right_within(sentence: str) -> str:
    """Apply a correction at the end of a sentence: "I have three cats, no, four"."""
    back = _PUT_RIGHT_WITHIN.search(sentence)
    right = put_right(sentence[: back.start()], sentence[back.end() :]) if back else None
    return sentence if right is None else right


def with_named(before: str, clause: str) -> str:
    """Replace "it" or "them" at the end of a clause with the object of the previous one, if that is unambiguous.

    >>> with_named("I love dogs", "I'm allergic to them")
    "I'm allergic to dogs"
    """
    named, again = _NAMED.match(before.rstrip(" .!")), _AGAIN.match(clause)
    if named is None or again is None:
        return clause
    of = (named["of"] or "").lower().strip()
    is_several = _SEVERAL.search(named["thing"]) is not None
    if is_several is not (again["it"].lower() == "them") or (of and not named["own"]):
        return clause
    whose = f"my {of} " if of in ("two", "three") else "my " if of else ""
    return f"{again['before']}{whose}{named['thing']}{clause[again.end() :]}"


def clauses_of(sentence: str) -> list[StatedClause]:
    """Return the asserted clauses of a sentence, in order.

    Drops stories and hypotheses, and stops at another person's words.

    Args:
        sentence: English sentence of at most a few hundred characters, with ``\u2019`` for apostrophes.

    >>> clauses_of("When I drive, I listen to jazz")
    [StatedClause(text='I listen to jazz', front='When I drive', is_contrast=False)]
    """
    if back := _TAKEN_BACK.search(sentence):
        return [*clauses_of(sentence[: back.start()])[:-1], *clauses_of(sentence[back.end() :])]
    if _UNREAL.match(sentence):
        return []
    text = _LABEL.sub(lambda label: f"{label[0].rstrip(': ')}; " if label["own"] else "", sentence)
    text = _NAME_AND.sub(r"\g<name> and I \g<verb>", text)
    front, text = _fronted(_NOT_MEANT.sub("", text))
    return list(_stated(text, front))


def _fronted(sentence: str) -> tuple[str, str]:
    """Split a front, such as a time or condition, from the beginning of a sentence; return both."""
    match = _FRONT.match(sentence)
    if match is None:
        return "", sentence
    front = next(group for group in match.groups() if group).strip()
    return "" if _IDLE.match(front) else front, sentence[match.end() :]


def _stated(sentence: str, front: str) -> Iterator[StatedClause]:
    before, is_reported = "", False
    pieces = list(_pieces(sentence))
    for place, (word, text) in enumerate(pieces, 1):
        if _SAYS.search(before) or (place > 1 and _UNREAL.match(text)):
            return
        is_reported = word == "and" and (is_reported or _SAYS_OF_I.search(before) is not None)
        is_denied = word in ("because", "since") and _NOT_FOR.search(before) is not None
        if word == "but":
            front = ""
        of_its_own, clause = _fronted(text) if place > 1 else ("", text)
        behind = _FRONT_BEHIND.search(clause) if place < len(pieces) else None
        if not is_reported and not is_denied:
            whole = clause[: behind.start()] if behind else clause
            text_alone = _JOINT.sub("", whole) if place < len(pieces) else whole
            text_alone = with_named(before, text_alone)
            yield StatedClause(text_alone, of_its_own or front, is_contrast=word == "but")
        if behind:
            front = behind["front"]
        before = text


def _pieces(sentence: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a sentence, each with the conjunction before it."""
    word, begin = "", 0
    for join in _CLAUSE.finditer(sentence):
        two = _ONE_OF_TWO.match(sentence, begin)
        if two and two.end() == join.end():
            continue
        if (join["word"] or "").lower() == "since" and _PERFECT.search(sentence[begin : join.start()]):
            continue
        yield word, sentence[begin : join.start()].strip()
        word, begin = (join["word"] or "").lower(), join.end()
    yield word, sentence[begin:].strip()
