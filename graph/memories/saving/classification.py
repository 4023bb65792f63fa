"""Classifies memories by regular expressions, for callers that state no type."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import is_chinese
from graph.core.text.normal_forms import simplified
from graph.memories.deduplication.sameness import WORDS
from graph.memories.models import MemoryType

RECOGNISED_CONFIDENCE = 0.8  # a pattern matched
ASSUMED_CONFIDENCE = 0.3  # no pattern matched

# The beginning of a text shows its type, so a long text is not read to its end.
_LONGEST_READ = 2000


def _any_of(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{alternative})" for alternative in alternatives), re.IGNORECASE)


# Start of a sentence: there, verbs such as "use" are instructions, because they have no subject.
_AT_FIRST = r"(?:(?<=\A)|(?<=[.!?:] )|(?<=\n))"

# Standing requests to an assistant: verbs of requested actions, forms of address, and words of permanence.
_DO = (
    r"add|address|answer|apologi[sz]e|ask|assume|avoid|begin|call|check|cite|combine|comment|compare|confirm|convert|"
    r"document|end|explain|finish|format|give(?! up)|highlight|include|indent|keep|label|leave|link|list|make|mention|"
    r"name|note|offer|order|prefer|prioriti[sz]e|provide|put|quote|recommend|refer|remind|repeat|reply|report|respond|"
    r"round|say|set|show|sign|sort|speak|start|state|suggest|summari[sz]e|tailor|talk|tell|translate|use|warn|wrap|write"
)
_LAY_OUT = (
    "use|prefer|keep|write|format|wrap|indent|limit|avoid|put|add|omit|no|always|never|name|start|end|break"
)
_LAYOUT = (
    r"indent(?:ation|s|ed|ing)?|(?:\d+|two|four|eight|hard|soft)[- ]?(?:space|column|char(?:acter)?)s?|"
    r"tabs(?! (?:open|closed))|"
    r"(?:single|double|curly|straight) quotes?|semi-?colons?|trailing (?:comma|whitespace)s?|docstrings?|"
    r"type hints?|line (?:length|width)s?|lines (?:to|under|below|at) \d+|f-strings?|em[- ]dash(?:es)?|oxford commas?|"
    r"bullet points?|emojis?|(?:active|passive) voice|(?:present|past) tense|imperative mood|(?:sentence|title) case|"
    r"plain english|markdown headings?|jargon|abbreviations?"
)
_GIVE = r"ask|draft|give|make|mention|propose|quote|send|show|state|suggest|talk|write"
_NO_MOMENT = r"(?! (?:zones?|slots?|stamps?|series|frames?|periods?|units?|limits?|entry|entries)\b)"
_EVER = (
    rf"(?:always|never|whenever|(?:every|each|any) time{_NO_MOMENT}|ever|"
    r"from now on|going forward|from here on|in (?:the )?future)"
)
_ALL = r"(?:all|every|everything|anything|any other)"
_YOU_GIVE = rf"you (?:ever |always |never )?(?:{_GIVE})"
_REQUEST = rf"(?:{_YOU_GIVE}|(?:tell|give|show|name|send|write) (?:me|us)|please)"
_WHEN_REQUESTED = (
    rf"(?:when|if|every time|each time|whenever) (?:i(?:'m)?|we(?:'re)?) (?:{_GIVE}|asking|talking)"
)
_PERSON = (
    r"(?:wife|husband|partner|spouse|(?:boy|girl)friend|friend|famil(?:y|ie)|kid|child|children|son|daughter|parent|"
    r"mother|father|mum|mom|dad|brother|sister|cousin|aunt|uncle|grandma|grandpa|colleague|co-?worker|boss|"
    r"neighbou?r|roommate|flatmate|dog|group|class|everyone|someone|somebody)"
)
# Companions: "went with my wife" is not a decision.
_COMPANY = (
    rf"(?:(?:my|his|her|their|our|your|an?|some|the|two|three) ){{1,2}}(?:\w+ )?{_PERSON}s?\b|{_PERSON}s?\b|"
    r"(?:me|him|them|us|you|her(?= (?:to|on|for|and|at|in|into)\b|[.,;!?]|\Z))\b|"
    r"(?-i:[A-Z])\w+ to (?-i:[A-Z])"
)
# Objects and particles of "picked" that mean no choice: "picked up", "picked flowers".
_PICKED_OTHERWISE = (
    r"(?:(?:\w+ ){0,3}up\b|on\b|(?:some |the |a |fresh |wild )*(?:flower|fruit|apple|berr|mushroom|cherr)\w*)"
)
# Past forms: "always walked" is no present habit.
_OVER = (
    r"(?:(?!need\b|feed\b|exceed\b|proceed\b|succeed\b|speed\b)\w{2,}ed|"
    + "|".join(WORDS["pasts"].split())
    + r"|was|were|left|mind)\b"
)
_SAME_SENTENCE = r"[^.!?\n]{0,120}"
_NO_QUESTION = r"(?![^.!?\n]*\?)"
# A learnt skill ("learned to swim") or news of a person ("found out that she left") is no insight.
_SKILL = r" (?:(?:how )?to\b|(?-i:[A-Z])\w+|(?:the )?(?:guitar|piano|violin|drums|chess)\b)"
_NEWS = r" (?:that )?(?:i|she|he|my|her|his)\b"
_LEARNT = (
    r"learn(?:ed|t) (?:\w+ )?(?:that|why|what|when|where|the hard way|"
    r"how(?! to\b)|from (?:this|that|it|our|the (?:\w+ )?(?:mistake|outage|incident|failure|bug|project)s?))\b"
)

_PATTERNS: Sequence[tuple[MemoryType, re.Pattern[str]]] = (
    (
        MemoryType.INSIGHT,
        _any_of(rf"{_AT_FIRST}(?:reali[sz]ed|discovered|found out(?!{_NEWS})|learn(?:ed|t)(?!{_SKILL})) "),
    ),
    (
        MemoryType.DECISION,
        _any_of(
            r"(?:decided|chose|opted|agreed|settled) (?:to|on|for|against|that|not|between)\b",
            r"(?:have|has|had|we|i|they|team|he|she) (?:decided|chose|chosen|opted|selected|"
            rf"picked(?! {_PICKED_OTHERWISE}))\b",
            rf"(?:went|going|gone) with\b(?! (?:{_COMPANY}))",
            r"(?:i'll|i will|we'll|we will) (?:use|go with|adopt|switch|migrate)\b",
            r"decisions?:|the decision\b|adr[- ]?\d+\b",
            r"in favou?r of\b",
            r"(?:chose|picked|selected|opted for) [^.!?]{1,80}? (?:over|instead of)\b",
        ),
    ),
    (
        MemoryType.STYLE,
        _any_of(
            r"(?:coding|code|writing|naming|commit|formatting|communication|visual|design) (?:style|conventions?)\b",
            r"style (?:guide|rules?)\b",
            r"(?:snake|camel|pascal|kebab)[_ -]?case\b",
            r"(?:writes|formats|names|indents|documents) (?:\w+ ){0,3}(?:with|in|as|using)\b",
            r"tone (?:of voice|is|should)\b",
            # layout of code and texts: "Use 4-space indentation", "Prefer single quotes over double quotes"
            rf"{_AT_FIRST}(?:{_LAY_OUT})\b{_SAME_SENTENCE}\b(?:{_LAYOUT})\b",
            # standing requests
            rf"(?:{_AT_FIRST}|(?<=, )|(?<=[Pp]lease )|(?<=to ))(?:please )?(?:always|never) (?:{_DO})\b",
            rf"{_EVER}\b{_SAME_SENTENCE}(?:{_WHEN_REQUESTED}|{_REQUEST})\b{_NO_QUESTION}",
            rf"(?:{_WHEN_REQUESTED}|{_REQUEST})\b{_SAME_SENTENCE}\b{_EVER}\b{_NO_QUESTION}",
            # "all times you show me"; "show me all times" would be a single request
            rf"{_ALL}\b{_SAME_SENTENCE}\b{_YOU_GIVE}\b{_NO_QUESTION}",
            rf"(?:{_WHEN_REQUESTED}|for [^.!?\n]{{0,40}}\byou (?:{_GIVE}))\b{_SAME_SENTENCE}(?:, (?:then )?|please )"
            rf"(?:{_DO})\b",
            rf"please (?:{_DO})\b{_SAME_SENTENCE}\b{_WHEN_REQUESTED}\b",
            rf"(?:(?<=user )asked|asked (?:the assistant|you)) (?:(?:always|never|not) )?to (?:{_DO})\b",
            rf"asked (?:always|never) to (?:{_DO})\b",
            rf"(?:from now on|going forward|from here on|henceforth|in (?:the )?future),? "
            rf"(?:(?:please|do not|don't|always|never|only|just|(?:you )?(?:should|must)),? ){{0,3}}(?:{_DO})\b",
        ),
    ),
    (
        MemoryType.PREFERENCE,
        _any_of(
            r"(?:prefer(?:s|red|ence|ences)?|rather than|favou?rites?)\b",
            r"(?:really |always |also |still |no longer )?(?:likes?|loves?|enjoys?|hates?|dislikes?|adores?|detests?) "
            r"(?!this\b|that\b|it\b)\w",
            r"(?:user|he|she|i|we) (?:really |always |usually |still )?avoids? (?!this\b|that\b|it\b)\w",
            r"(?:do|does|did)(?:n't| not) (?:like|want|enjoy|care for)\b",
            r"(?:would|i'd|we'd|he'd|she'd|they'd) rather\b|"
            r"(?:is|am|i'm|are|we're) (?:not )?(?:fond of|a fan of|allergic to)\b",
            r"(?:like|love|hate|enjoy)s? it when\b|can(?:'t|not) stand\b",
        ),
    ),
    (
        MemoryType.HABIT,
        _any_of(
            rf"(?:usually|typically|always|habitually|routinely|generally tends?|never) (?!{_OVER})\w",
            r"tends? to\b|(?:is|am|are) used to\b|in the habit of\b",
            r"(?:every|each) (?:day|morning|evening|night|week|month|year|weekend|"
            r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
            r"(?:daily|weekly|nightly) (?:routine|walk|run|review|stand-?up)\b",
        ),
    ),
    (
        MemoryType.INSIGHT,
        _any_of(
            rf"{_LEARNT}|found out\b(?!{_NEWS})",
            r"(?:reali[sz]ed?|discovered|noticed|figured out|turn(?:s|ed) out)\b",
            r"root cause|root:|caused by\b|because of\b|the (?:problem|issue|reason|bug|lesson|trick) (?:is|was)\b",
            r"insights?:|lessons? learn(?:ed|t)\b|key takeaway\b|which means that\b",
        ),
    ),
    (
        MemoryType.PATTERN,
        _any_of(
            r"patterns?\b|best practi[cs]es?\b|anti-?patterns?\b",
            rf"(?:whenever|(?:each|every) time{_NO_MOMENT}|as soon as)\b",
            r"(?:steps?|procedure|workflow|recipe|how to):?\b.{0,80}\bthen\b",
            r"applied (?:in|to|across) (?:all|every)\b",
            r"(?:repeatedly|consistently|recurring|keeps? (?:failing|happening|coming back))\b",
        ),
    ),
)

_CHINESE: Final[Mapping[str, Any]] = read_table("graph.memories.saving", "classification.toml")
_PART = re.compile(r"<([A-Z_]+)>")


def _written_out(wording: str) -> str:
    return _PART.sub(lambda part: f"(?:{_written_out(_CHINESE['parts'][part[1]])})", wording)


_CHINESE_PATTERNS = tuple(
    (MemoryType(name), re.compile("|".join(map(_written_out, wordings)), re.MULTILINE))
    for name, wordings in _CHINESE["types"].items()
)


def classify(content: str) -> tuple[MemoryType, float]:
    """Return the type of a text with its confidence: 0.8 if a pattern matches, else Context with 0.3.

    >>> classify("We decided to use PostgreSQL")
    (<MemoryType.DECISION: 'Decision'>, 0.8)
    >>> classify("The office is in Oslo")
    (<MemoryType.CONTEXT: 'Context'>, 0.3)
    """
    beginning = content[:_LONGEST_READ].replace("\u2019", "'")
    patterns = [(beginning, each) for each in _PATTERNS]
    if is_chinese(beginning):
        plain = simplified(beginning)
        patterns = [*((plain, each) for each in _CHINESE_PATTERNS), *patterns]
    for text, (type_, pattern) in patterns:
        if pattern.search(text):
            return type_, RECOGNISED_CONFIDENCE
    return MemoryType.CONTEXT, ASSUMED_CONFIDENCE
